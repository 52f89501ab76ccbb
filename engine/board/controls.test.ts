import { describe, expect, it } from 'vitest';
import { Board, type BoardState, type Change, Draft, type Hold, SEAT } from './board.ts';
import {
  aBoard,
  aContent,
  aZone,
  block,
  hold,
  MINUTE_MS,
  places,
  release,
  START_MS,
  seat,
} from './test-boards.ts';
import { type Parts, Stage } from './test-stage.ts';

/**
 * Controls: with a guard taken away the thing it guards against does happen, and the promises that
 * all other tests of this room check turn red.
 */

/** Says of every seat that it is free. */
class BlindDraft extends Draft {
  override codeOf(): number {
    return SEAT.available;
  }

  override holdOfSeat(): Hold | undefined {
    return undefined;
  }
}

class BlindBoard extends Board {
  override codeOf(): number {
    return SEAT.available;
  }
}

/** Takes every hold of a seat for one that is over. */
class HastyDraft extends Draft {
  override holdOfSeat(ordinal: number): Hold | undefined {
    const found = super.holdOfSeat(ordinal);
    return found && { ...found, until_ms: 0 };
  }
}

/** Believes that nothing is taken in any zone. */
class RoomyDraft extends Draft {
  override countsOf(): { held: number; sold: number; blocked: number } {
    return { held: 0, sold: 0, blocked: 0 };
  }
}

/** Cannot remember what anybody holds. */
class ForgetfulDraft extends Draft {
  override holdsOfUser(): readonly Hold[] {
    return [];
  }

  override heldByIp(): number {
    return 0;
  }
}

/** Thinks that every hold was made a moment ago. */
class YoungDraft extends Draft {
  override holdOf(holdId: string): Hold | undefined {
    const found = super.holdOf(holdId);
    return found && { ...found, created_ms: found.until_ms };
  }
}

/** Does not know that a block is on its way. */
class OpenDraft extends Draft {
  override isClosing(): boolean {
    return false;
  }
}

const lying = (Kind: new (below: BoardState, at_ms: number) => Draft): Partial<Parts> => ({
  draft: (below, at_ms) => new Kind(below, at_ms),
});

describe('without the state of the seat', () => {
  const wish = (user: string) => hold(user, [seat(0)]);

  it('a board stops before a seat has two owners', () => {
    const stage = new Stage(aBoard(), lying(BlindDraft));
    stage.flush(wish('ann'));
    expect(() => stage.flush(wish('bob'))).toThrow(/only a free seat is held/);
    expect(stage.board.holdOfSeat(0)?.user_id).toBe('ann');
  });

  it('and without that stop as well, the double sale happens and is seen', () => {
    const { plan, content } = aContent();
    const stage = new Stage(new BlindBoard(plan, content), lying(BlindDraft));
    stage.flush(wish('ann'));
    stage.flush(wish('bob'));
    expect(stage.complaints).toContain('seat 0 has two owners');
    expect(stage.complaints).toContain('the digest is not kept');
  });

  it('a sold seat would be sold again, and is seen by its counter', () => {
    const { plan, content } = aContent({ sold: [0] });
    const stage = new Stage(new BlindBoard(plan, content), lying(BlindDraft));
    stage.flush(wish('ann'));
    expect(stage.complaints).toContain('zone 0 counts {"held":1,"sold":1,"blocked":0}');
  });
});

describe('without the time that is left', () => {
  it('a held seat is still not free', () => {
    const stage = new Stage(aBoard(), lying(HastyDraft));
    stage.flush(hold('ann', [seat(0)]));
    expect(stage.ask(hold('bob', [seat(0)]))).toMatchObject({ code: 'seat_not_available' });
  });

  it('nor is the repeat of its holder known, which the promise of the same hold shows', () => {
    const repeat = (parts: Partial<Parts>) => {
      const stage = new Stage(aBoard(), parts);
      stage.flush(hold('ann', [seat(0)]));
      return stage.ask(hold('ann', [seat(0)])).kind;
    };
    expect([repeat({}), repeat(lying(HastyDraft))]).toEqual(['held', 'refused']);
  });

  it('holds that nobody ends outlive their time, and are seen', () => {
    const stage = new Stage(aBoard(), { endDue: () => false });
    stage.flush(hold('ann', [seat(0)]));
    stage.now_ms += 10 * MINUTE_MS;
    expect(stage.ask(hold('bob', [seat(0)]))).toMatchObject({ code: 'seat_not_available' });
    expect(stage.complaints).toEqual([expect.stringContaining('has outlived its time')]);
  });
});

describe('without a guard', () => {
  it('of the room in a zone, it overflows', () => {
    const wishes = [hold('ann', [places(2, 6)]), hold('bob', [places(2, 6)])];
    const honest = new Stage(aBoard());
    honest.flush(...wishes);
    expect(honest.complaints).toEqual([]);
    const stage = new Stage(aBoard(), lying(RoomyDraft));
    stage.flush(...wishes);
    expect(stage.complaints).toContain('zone 2 is over its capacity');
  });

  it('of the limits, carts and users go over them', () => {
    const policy = { max_seats_per_booking: 2, max_holds_per_user: 2, max_holds_per_ip: 2 };
    const more = { cart_token: 'cart', ip: 'home' };
    const wishes = [0, 1, 2].map((ordinal) => hold('ann', [seat(ordinal)], more));
    const honest = new Stage(aBoard({ policy }));
    honest.flush(...wishes);
    expect(honest.complaints).toEqual([]);
    const stage = new Stage(aBoard({ policy }), lying(ForgetfulDraft));
    stage.flush(...wishes);
    expect(stage.board.holdsOfUser('ann')).toHaveLength(3);
    expect(stage.complaints).toEqual([
      'a booking is over its limit',
      'a user is over the limit',
      'an address is over the limit',
    ]);
  });

  it('of the cap, extensions go beyond it', () => {
    const extended = (parts: Partial<Parts>) => {
      const stage = new Stage(aBoard({ policy: { max_hold_total_minutes: 12 } }), parts);
      stage.flush(hold('ann', [seat(0)]));
      const hold_id = stage.board.holdOfSeat(0)?.hold_id ?? '';
      stage.flush({ kind: 'extend', user_id: 'ann', hold_id });
      return stage.complaints;
    };
    expect(extended({})).toEqual([]);
    expect(extended(lying(YoungDraft))).toContain('an extension goes beyond the cap');
  });

  it('of closing seats, a block that is under way is undermined', () => {
    const seats = Array<number>(600).fill(0);
    const sold = (parts: Partial<Parts>) => {
      const stage = new Stage(aBoard({ seats, zones: [aZone(0)] }), parts);
      stage.flush(block([...seats.keys()]), hold('ann', [seat(599)]));
      return stage.complaints;
    };
    expect([sold({}), sold(lying(OpenDraft))]).toEqual([[], ['a closing seat was sold']]);
  });

  it('of refusals, a wish that is refused leaves something behind', () => {
    const draft = (below: BoardState, at_ms: number) => {
      const careless = new Draft(below, at_ms);
      careless.record({ kind: 'blocked', ordinals: [11], reason: null });
      return careless;
    };
    const stage = new Stage(aBoard({ sold: [0] }), { draft });
    stage.flush(hold('ann', [seat(0)]));
    expect(stage.complaints).toEqual(['a refusal has changed something']);
  });

  it('of ends, a hold comes back', () => {
    const stage = new Stage(aBoard(), { facts: { newId: () => 'the same' } });
    stage.flush(hold('ann', [seat(0)]));
    stage.flush(release('all'));
    stage.flush(hold('bob', [seat(1)]));
    expect(stage.complaints).toEqual(['hold the same came back']);
  });
});

describe('a stop', () => {
  const wrong: readonly (readonly [Change, RegExp])[] = [
    [{ kind: 'ended', reason: 'ttl_expired', holds: ['gone'] }, /hold gone is alive/],
    [{ kind: 'extended', holds: [['gone', START_MS]] }, /hold gone is alive/],
    [{ kind: 'blocked', ordinals: [0], reason: null }, /released before a block/],
    [{ kind: 'blocked', ordinals: [2], reason: null }, /released before a block/],
    [{ kind: 'unblocked', ordinals: [1], reason: null }, /only a blocked seat/],
    [{ kind: 'task_worked', count: 1 }, /a task to work on/],
    [{ kind: 'planned', layout_id: null, version: 1 }, /loaded/],
  ];

  it('meets every row that does not fit its board', () => {
    for (const [change, message] of wrong) {
      const stage = new Stage(aBoard({ blocked: [2] }));
      stage.flush(hold('ann', [seat(0)]));
      const [row] = stage.rows;
      if (!row) throw new Error('a row was written');
      const next = { ...row, revision: 3, changes: [change] };
      expect(() => stage.board.advance(next)).toThrow(message);
      expect(() => new Draft(stage.board, START_MS).record(change)).toThrow(message);
      expect(stage.board.revision).toBe(2);
    }
  });

  it('meets a board that is not of its plan', () => {
    const { plan } = aContent();
    const { content } = aContent({ seats: [0] });
    expect(() => new Board(plan, content)).toThrow(/the seats of its plan/);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Command, type HoldItem, hasWork, publicStateOf, SEAT } from './board.ts';
import {
  aBoard,
  aContent,
  aZone,
  block,
  boardFrom,
  hold,
  MINUTE_MS,
  release,
  STAFF,
  seat,
} from './test-boards.ts';
import { Stage } from './test-stage.ts';

/** More seats than three pieces of a task. */
const MANY = 1_600;
const SOLD = [5, 700, 1_590];

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function aBigStage(): Stage {
  const seats = Array<number>(MANY).fill(0);
  return new Stage(aBoard({ seats, zones: [aZone(0, { capacity: MANY })], sold: SOLD }));
}

/** Somebody who may hold as much as they like, because staff do it for them. */
function holdMany(user: string, ordinals: readonly number[], hold_seconds = 600): Command {
  const items: HoldItem[] = ordinals.map(seat);
  return hold(user, items, { made_by: 'staff', hold_seconds });
}

function blockedSeats(stage: Stage): number[] {
  return range(0, MANY).filter((ordinal) => (stage.board.codeOf(ordinal) & 3) === SEAT.blocked);
}

describe('blocking more than one flush may change', () => {
  it('names every seat that is shown differently after a row', () => {
    const stage = aBigStage();
    const shown = () => range(0, MANY).map((ordinal) => publicStateOf(stage.board, ordinal));
    let before = shown();
    for (const command of [holdMany('ann', [0, 1_200]), block(range(0, MANY))]) {
      stage.flush(command);
      const after = shown();
      const changed = range(0, MANY).filter((ordinal) => after[ordinal] !== before[ordinal]);
      expect(changed.length).toBeGreaterThan(0);
      expect(stage.board.touched.seats).toEqual(expect.arrayContaining(changed));
      before = after;
    }
    while (hasWork(stage.board, stage.now_ms)) {
      stage.flush();
      const after = shown();
      const changed = range(0, MANY).filter((ordinal) => after[ordinal] !== before[ordinal]);
      expect(stage.board.touched.seats).toEqual(expect.arrayContaining(changed));
      before = after;
    }
  });

  it('closes all seats at once and takes them piece by piece', () => {
    const stage = aBigStage();
    stage.flush(holdMany('ann', [0, 600, 1_200]));
    expect(stage.ask(block(range(0, MANY)))).toMatchObject({ seats: MANY, unchanged: 0 });
    const taken = [blockedSeats(stage).length];
    const outcome = stage.flush(hold('bob', [seat(1_599)]))[0];
    expect(outcome).toMatchObject({
      code: 'seat_not_available',
      items: [{ current_status: 'blocked' }],
    });
    taken.push(blockedSeats(stage).length);
    expect(stage.board.holdOfSeat(1_200)?.user_id).toBe('ann');
    for (let flush = 0; flush < 2; flush++) {
      stage.flush();
      taken.push(blockedSeats(stage).length);
    }
    expect(taken).toEqual([500, 1_000, 1_500, 1_600]);
    expect(hasWork(stage.board, stage.now_ms)).toBe(false);
    expect(stage.board.holdCount).toBe(0);
    expect(stage.complaints).toEqual([]);
  });

  it('does not give a closed seat to anybody when its hold ends in between', () => {
    const stage = aBigStage();
    stage.flush(holdMany('ann', [1_550], 60));
    stage.flush(block(range(0, MANY)));
    stage.now_ms += MINUTE_MS;
    expect(stage.ask(hold('bob', [seat(1_550)]))).toMatchObject({ code: 'seat_not_available' });
    stage.settle();
    expect(blockedSeats(stage)).toHaveLength(MANY);
    expect(stage.complaints).toEqual([]);
  });

  it('gives tickets back when it is undone', () => {
    const stage = aBigStage();
    stage.flush(block(range(0, MANY)));
    stage.settle();
    expect(stage.board.countsOf(0)).toEqual({ held: 0, sold: 0, blocked: MANY });
    stage.flush(block(range(0, MANY), 'unblock'));
    expect(stage.settle()).toBe(3);
    expect(blockedSeats(stage)).toEqual([]);
    expect(stage.board.countsOf(0)).toEqual({ held: 0, sold: SOLD.length, blocked: 0 });
    expect(SOLD.map((ordinal) => stage.board.codeOf(ordinal))).toEqual([2, 2, 2]);
  });

  it('is not forgotten by an unblock that comes before its end, nor the other way round', () => {
    const stage = aBigStage();
    stage.flush(block(range(0, MANY)));
    expect(stage.ask(block([1_500], 'unblock'))).toMatchObject({ seats: 1, unchanged: 0 });
    stage.settle();
    expect(stage.board.codeOf(1_500)).toBe(SEAT.available);
    stage.flush(block(range(0, MANY), 'unblock'));
    expect(stage.ask(block([1_400]))).toMatchObject({ seats: 1, unchanged: 0 });
    expect(stage.ask(hold('bob', [seat(1_400)]))).toMatchObject({ code: 'seat_not_available' });
    stage.settle();
    expect(blockedSeats(stage)).toEqual([1_400]);
    expect(stage.complaints).toEqual([]);
  });

  const BOUND = fc.constantFrom(0, 1, 400, 501, 800, 1_001, 1_300, 1_599, 1_600);
  const WISH = fc.record({
    what: fc.constantFrom('block' as const, 'unblock' as const, 'hold' as const, 'wait' as const),
    bounds: fc.tuple(BOUND, BOUND),
  });

  it('ends as if it had been done in one go, whatever comes in between', () => {
    fc.assert(
      fc.property(fc.array(WISH, { maxLength: 8 }), (wishes) => {
        const stage = aBigStage();
        const blocked = new Set<number>();
        for (const { what, bounds } of wishes) {
          const seats = range(Math.min(...bounds), Math.max(...bounds));
          if (what === 'wait') stage.now_ms += 5 * MINUTE_MS;
          if (what === 'hold') stage.flush(hold('bob', seats.slice(0, 3).map(seat)));
          if (what === 'wait' || what === 'hold') continue;
          const outcome = stage.ask(block(seats, what));
          const before = blocked.size;
          for (const ordinal of seats) blocked[what === 'block' ? 'add' : 'delete'](ordinal);
          const changed = Math.abs(blocked.size - before);
          expect(outcome).toMatchObject({ seats: changed, unchanged: seats.length - changed });
        }
        stage.settle();
        expect(blockedSeats(stage)).toEqual([...blocked].sort((one, other) => one - other));
        expect(stage.complaints).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a task', () => {
  const task = { task_id: 'task', reason: null, actor: STAFF };

  it('that has nothing to do any more does no harm', () => {
    const { plan, content } = aContent({ blocked: [0] });
    const tasks = [
      { ...task, what: 'block' as const, ordinals: [0] },
      { ...task, what: 'unblock' as const, ordinals: [1] },
      {
        ...task,
        what: 'release' as const,
        end_reason: 'admin_override' as const,
        force: false,
        holds: ['gone'],
      },
    ];
    const stage = new Stage(boardFrom(plan, { ...content, tasks }));
    expect(stage.settle()).toBe(3);
    const kinds = stage.rows.flatMap(({ changes }) => changes.map(({ kind }) => kind));
    expect(kinds).toEqual(['task_worked', 'task_worked', 'task_worked']);
    expect(stage.complaints).toEqual([]);
  });

  it('is worked on in the order of the commands', () => {
    const { plan, content } = aContent();
    const tasks = ['block' as const, 'unblock' as const, 'block' as const].map((what) => {
      return { ...task, what, ordinals: [0] };
    });
    const stage = new Stage(boardFrom(plan, { ...content, tasks }));
    const seen = tasks.map(() => {
      stage.flush();
      return [stage.board.codeOf(0), stage.board.isClosing(0)];
    });
    expect(seen).toEqual([
      [SEAT.blocked, true],
      [SEAT.available, true],
      [SEAT.blocked, false],
    ]);
  });

  it('of seats in a closed zone is not begun: they stay closed', () => {
    const zones = [aZone(0, { disabled: true })];
    const stage = new Stage(aBoard({ seats: [0], zones, blocked: [0] }));
    expect(stage.ask(block([0], 'unblock'))).toMatchObject({
      code: 'seat_not_available',
      items: [{ label: 'A-1' }],
    });
  });
});

describe('releasing more than one flush may change', () => {
  it('goes on piece by piece and takes no hold that came later', () => {
    const stage = aBigStage();
    stage.flush(holdMany('ann', range(10, 690)), holdMany('bob', range(710, 1_500)));
    expect(stage.ask(release('all'))).toMatchObject({ kind: 'released', seats: 1_470 });
    expect(stage.board.holdCount).toBe(970);
    stage.flush(hold('eve', [seat(10)]), release({ user_id: 'bob' }));
    stage.settle();
    expect([...stage.board.holds()].map(({ user_id }) => user_id)).toEqual(['eve']);
    expect(stage.board.tasks).toEqual([]);
    expect(stage.complaints).toEqual([]);
  });

  it.each([true, false])('keeps for later what is left, and whether it is forced: %s', (force) => {
    const stage = aBigStage();
    stage.flush(holdMany('ann', range(10, 690)));
    stage.ask({ ...release('all'), force } as never);
    const [task] = stage.board.tasks;
    expect(task).toMatchObject({ what: 'release', force, end_reason: 'admin_override' });
    expect(task?.what === 'release' && task.holds).toHaveLength(680 - 500);
  });

  it('is not stopped by holds that end by themselves', () => {
    const stage = aBigStage();
    stage.flush(holdMany('ann', range(10, 690), 60), holdMany('bob', range(710, 1_500)));
    stage.flush(release('all', null, 'payment_failed'));
    stage.now_ms += MINUTE_MS;
    stage.settle();
    expect(stage.board.holdCount).toBe(0);
    const reasons = stage.rows.flatMap(({ changes }) =>
      changes.flatMap((change) => (change.kind === 'ended' ? [change.reason] : [])),
    );
    expect(reasons).toEqual(['payment_failed', 'ttl_expired', 'payment_failed', 'payment_failed']);
    expect(stage.complaints).toEqual([]);
  });
});

describe('what nobody asks for', () => {
  it('ends the holds of a cancelled event in portions, before anything else is decided', () => {
    const stage = aBigStage();
    stage.flush(holdMany('ann', range(10, 690)), holdMany('bob', range(710, 1_500)));
    const cancel = { kind: 'change_event_state', step: 'cancel', reason: 'rain' } as const;
    expect(stage.ask(cancel)).toMatchObject({ from: 'published', to: 'cancelled' });
    expect(hasWork(stage.board, stage.now_ms)).toBe(true);
    expect(stage.flush(hold('eve', [seat(0)]))).toEqual([undefined]);
    expect(stage.board.holdCount).toBe(470);
    expect(stage.flush(hold('eve', [seat(0)]))).toMatchObject([{ code: 'event_not_available' }]);
    expect(stage.board.holdCount).toBe(0);
    expect(hasWork(stage.board, stage.now_ms)).toBe(false);
    expect(stage.rows.at(-1)?.changes).toMatchObject([{ reason: 'event_cancelled' }]);
    expect(stage.complaints).toEqual([]);
  });

  it('ends what is due in portions, and decides nothing on a board with the rest', () => {
    const stage = aBigStage();
    stage.flush(holdMany('ann', range(10, 690)), holdMany('bob', range(710, 1_500)));
    expect(hasWork(stage.board, stage.now_ms)).toBe(false);
    stage.now_ms += 10 * MINUTE_MS;
    expect(hasWork(stage.board, stage.now_ms)).toBe(true);
    expect(stage.flush(hold('eve', [seat(10)]))).toEqual([undefined]);
    expect(stage.board.holdCount).toBe(470);
    expect(stage.flush(hold('eve', [seat(10)]))).toMatchObject([{ kind: 'held' }]);
    expect(stage.board.holdCount).toBe(1);
    expect(stage.complaints).toEqual([]);
  });
});

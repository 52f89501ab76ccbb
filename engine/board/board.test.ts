import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aBoard,
  boardFrom,
  changeConfig,
  hold,
  MINUTE_MS,
  release,
  START_MS,
  seat,
} from './test-boards.ts';
import { aWish, named, type Round, someRounds, userId } from './test-commands.ts';
import { stateComplaints } from './test-invariants.ts';
import { Stage } from './test-stage.ts';

const SIZE = { seats: 12, gaZone: 2, users: 4 };
const ROUNDS = someRounds(aWish(SIZE));

function aStage(): Stage {
  const policy = { max_seats_per_booking: 5, max_holds_per_user: 6, max_holds_per_ip: 9 };
  const counts = { 2: { sold: 1, blocked: 1 } };
  return new Stage(aBoard({ policy, sold: [3, 9], blocked: [7], counts, pairs: [[4, 5]] }));
}

function play(rounds: readonly Round[]): Stage {
  const stage = aStage();
  for (const { passed_ms, wishes } of rounds) {
    stage.now_ms += passed_ms;
    stage.flush(...wishes.map((wish) => named(wish, stage.holdIds)));
    expect(stage.complaints).toEqual([]);
  }
  return stage;
}

describe('a board', () => {
  it('keeps every promise after every row, whatever is wished', () => {
    fc.assert(
      fc.property(ROUNDS, (rounds) => void play(rounds)),
      { numRuns: 300 },
    );
  });

  it('says the same to the same user again, in any order of wishes', () => {
    fc.assert(
      fc.property(ROUNDS, fc.nat(SIZE.seats - 1), (rounds, ordinal) => {
        const { board, ...stage } = play(rounds);
        const owner = board.holdOfSeat(ordinal);
        if (!owner || stage.now_ms >= owner.until_ms) return;
        const again = new Stage(board);
        const wish = hold(owner.user_id, [seat(ordinal)], { cart_token: 'another cart' });
        const [outcome] = again.flush(wish);
        if (outcome?.kind === 'refused') return expect(outcome.code).toMatch(/^event_/);
        const same = { kind: 'held', holds: [owner], existing: true };
        expect(outcome).toMatchObject({ ...same, cart_token: owner.cart_token });
        expect(again.rows).toEqual([]);
      }),
    );
  });

  it('is left as it was by what it refuses', () => {
    fc.assert(
      fc.property(ROUNDS, aWish(SIZE), (rounds, wish) => {
        const { board, holdIds, now_ms } = play(rounds);
        const stage = new Stage(board);
        stage.now_ms = now_ms;
        stage.settle();
        const before = { digest: board.digest, content: board.content() };
        const [outcome] = stage.flush(named(wish, holdIds));
        if (outcome?.kind !== 'refused') return;
        expect({ digest: board.digest, content: board.content() }).toEqual(before);
      }),
    );
  });
});

describe('a replay', () => {
  it('of the rows after any earlier board is the board', () => {
    fc.assert(
      fc.property(ROUNDS, fc.nat(1_000), (rounds, nth) => {
        const { board, contents, rows } = play(rounds);
        const from = nth % contents.length;
        const earlier = contents[from];
        if (!earlier) throw new Error('there is always a first board');
        const replayed = boardFrom(board.plan, earlier);
        for (const row of rows.slice(from)) replayed.advance(structuredClone(row));
        expect(replayed.digest).toBe(board.digest);
        expect(replayed.content()).toEqual(board.content());
        const when = { now_ms: board.at_ms, more: false };
        expect(stateComplaints(replayed, contents[0], when)).toEqual([]);
      }),
    );
  });

  it('counts a version for every seat that a row touches, once', () => {
    const stage = new Stage(aBoard());
    stage.flush(hold('ann', [seat(0), seat(1)]));
    stage.flush(release('all'), hold('bob', [seat(0)]));
    expect([0, 1, 2].map((ordinal) => stage.board.versionOf(ordinal))).toEqual([2, 2, 0]);
  });

  it('knows when the last row was written, and time never runs backwards', () => {
    const stage = new Stage(aBoard());
    const written = [MINUTE_MS, -5 * MINUTE_MS, 0].map((passed_ms, ordinal) => {
      stage.now_ms += passed_ms;
      stage.flush(hold('ann', [seat(ordinal)]));
      return [stage.rows.at(-1)?.at_ms, stage.board.at_ms].map((at) => (at ?? 0) - START_MS);
    });
    const minute = [MINUTE_MS, MINUTE_MS];
    expect(written).toEqual([minute, minute, minute]);
  });

  it('takes rows in order and without gaps', () => {
    const stage = new Stage(aBoard());
    stage.flush(hold('ann', [seat(0)]));
    stage.flush(hold('bob', [seat(1)]));
    const [first, second] = stage.rows;
    if (!first || !second) throw new Error('two rows were written');
    expect(() => aBoard().advance(second)).toThrow(/row 3 after 1/);
    const twice = aBoard();
    twice.advance(first);
    expect(() => twice.advance(first)).toThrow(/row 2 after 2/);
  });

  it('remembers who used a key', () => {
    const stage = new Stage(aBoard({ keyed: ['ann'] }));
    stage.flush(hold('bob', [seat(0)]));
    const [row] = stage.rows;
    if (!row) throw new Error('a row was written');
    const board = aBoard({ keyed: ['ann'] });
    board.advance({ ...row, keyed: ['bob'] });
    expect(['ann', 'bob', 'eve'].map((user) => board.hasKey(user))).toEqual([true, true, false]);
    expect(board.content().keyed).toEqual(['ann', 'bob']);
  });
});

describe('a batch', () => {
  it('is decided in its order, each wish on what the others have left', () => {
    const stage = new Stage(aBoard());
    const wish = (user: string) => hold(user, [seat(0)]);
    const outcomes = stage.flush(
      wish('ann'),
      wish('bob'),
      release({ user_id: 'ann' }),
      wish('bob'),
    );
    expect(outcomes.map((outcome) => outcome?.kind)).toEqual([
      'held',
      'refused',
      'released',
      'held',
    ]);
    expect(stage.board.holdOfSeat(0)?.user_id).toBe('bob');
    expect(stage.complaints).toEqual([]);
  });

  it('hands a seat on in the moment its hold is over', () => {
    const stage = new Stage(aBoard());
    stage.flush(hold('ann', [seat(0)]));
    stage.now_ms += 10 * MINUTE_MS - 1;
    expect(stage.ask(hold('bob', [seat(0)]))).toMatchObject({ code: 'seat_held_by_another_user' });
    stage.now_ms += 1;
    expect(stage.ask(hold('bob', [seat(0)]))).toMatchObject({ kind: 'held', existing: false });
    expect(stage.rows.at(-1)?.changes.map(({ kind }) => kind)).toEqual(['ended', 'held']);
  });

  it('keeps to a limit that a change of the policy has just set', () => {
    const stage = new Stage(aBoard());
    const policy = { ...stage.board.config.policy, max_holds_per_user: 1 };
    const wishes = [0, 1].map((ordinal) => hold(userId(1), [seat(ordinal)]));
    const outcomes = stage.flush(changeConfig({ policy }), ...wishes);
    expect(outcomes.map((outcome) => outcome?.kind)).toEqual(['config_changed', 'held', 'refused']);
  });
});

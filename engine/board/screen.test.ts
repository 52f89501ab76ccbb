import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Board, Draft, decide, endDue, type HoldCommand, screen } from './board.ts';
import {
  aBoard,
  aZone,
  block,
  factsAt,
  hold,
  MINUTE_MS,
  places,
  release,
  seat,
} from './test-boards.ts';
import { aBest, aHold, aWish, BEST, named, someRounds } from './test-commands.ts';
import { Stage } from './test-stage.ts';

const SIZE = { seats: 12, gaZone: 2, users: 5 };

function decided(board: Board, command: HoldCommand, now_ms: number, active = true) {
  const draft = new Draft(board, now_ms);
  endDue(board, draft, now_ms);
  const facts = factsAt(now_ms, { organizationActive: active });
  return decide(draft, command, facts, () => board.holds());
}

function screened(stage: Stage, command: HoldCommand) {
  return screen(stage.board, command, { now_ms: stage.now_ms, organizationActive: true });
}

describe('the screen', () => {
  it('never refuses what a flush of the same moment would accept', () => {
    const rounds = someRounds(aWish({ ...SIZE, users: 4 }), 8);
    const later = fc.constantFrom(0, 1, 49, 50, 51, MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS - 20);
    let runs = 0;
    let refusals = 0;
    fc.assert(
      fc.property(
        rounds,
        fc.oneof(aHold(SIZE), aBest(SIZE)),
        later,
        fc.boolean(),
        (before, command, passed_ms, active) => {
          runs++;
          const stage = new Stage(aBoard({ sold: [3], counts: { 2: { sold: 3 } } }));
          for (const { passed_ms: passed, wishes } of before) {
            stage.now_ms += passed;
            stage.flush(...wishes.map((wish) => named(wish, stage.holdIds)));
          }
          const now_ms = stage.now_ms + passed_ms;
          const facts = { now_ms, organizationActive: active };
          const refusal = screen(stage.board, command, facts);
          const known = stage.board.holdsOfUser(command.user_id).length > 0;
          if (known) expect(refusal).toBeNull();
          if (!refusal) return;
          refusals++;
          const exact = decided(stage.board, command, now_ms, active);
          // Who asks for too much of nothing may be told either.
          if (command.best) expect(exact).toMatchObject({ kind: 'refused' });
          else expect(exact).toEqual(refusal);
        },
      ),
      { numRuns: 300 },
    );
    expect(refusals).toBeGreaterThan(runs / 15);
  });

  it('refuses what is held by another, sold, blocked, closing or full', () => {
    const stage = new Stage(aBoard({ sold: [1], blocked: [2] }));
    stage.flush(hold('ann', [seat(0), places(2, 7)]));
    const wishes = [[seat(0)], [seat(1)], [seat(2)], [places(2, 2)], [seat(4), seat(1)]];
    const codes = wishes.map((items) => screened(stage, hold('bob', items))?.code);
    const taken = 'seat_not_available';
    expect(codes).toEqual(['seat_held_by_another_user', taken, taken, 'block_at_capacity', taken]);
    expect(screened(stage, hold('bob', [seat(4), places(2, 1)]))).toBeNull();
  });

  it('refuses the best of nothing, unless something is about to be free', () => {
    const seats = Array<number>(4).fill(0);
    const stage = new Stage(aBoard({ seats, zones: [aZone(0, { capacity: 4 })] }));
    const wish = (quantity: number) => hold('bob', [], { best: { ...BEST, quantity } });
    expect(screened(stage, wish(4))).toBeNull();
    stage.flush(hold('ann', [seat(0), seat(1), seat(2)]));
    expect(screened(stage, wish(1))).toBeNull();
    expect(screened(stage, wish(2))).toMatchObject({ code: 'no_available_seats' });
    stage.now_ms += 10 * MINUTE_MS - 20;
    expect(screened(stage, wish(2))).toBeNull();
  });

  it('looks for the best in zones that are named, and in others of their price', () => {
    const zones = [1_000, 2_000, 1_000].map((price_cents, zone) =>
      aZone(zone, { capacity: 2, price_cents }),
    );
    const ask = (sold: number[], zone_ids: string[], wanted: object = {}) => {
      const stage = new Stage(aBoard({ seats: [0, 0, 1, 1, 2, 2], zones, sold }));
      const best = { ...BEST, quantity: 1, zone_ids, ...wanted };
      return screened(stage, hold('bob', [], { best }))?.code ?? null;
    };
    const [first = '', second = ''] = zones.map(({ zone_id }) => zone_id);
    const none = 'no_available_seats';
    expect([ask([0, 1], [first]), ask([0, 1, 4, 5], [first])]).toEqual([null, none]);
    expect([ask([2, 3], [second]), ask([2, 3], [second.toUpperCase()])]).toEqual([none, none]);
    expect([ask([2, 3], []), ask([0, 1, 2, 3, 4, 5], [])]).toEqual([null, none]);
    // A zone that is not there, and places without seats, are decided exactly.
    expect(ask([0, 1, 2, 3, 4, 5], ['nowhere'])).toBeNull();
    expect(ask([0, 1, 2, 3, 4, 5], [], { general_admission: true })).toBeNull();
    expect(ask([0, 1, 4], [first], { quantity: 2 })).toBe(none);
  });

  it('refuses seats that a block has closed and not yet reached', () => {
    const seats = Array<number>(600).fill(0);
    const stage = new Stage(aBoard({ seats, zones: [aZone(0)] }));
    stage.flush(block([...seats.keys()]));
    expect(screened(stage, hold('bob', [seat(599)]))).toMatchObject({ code: 'seat_not_available' });
  });

  it('lets holders and users of a key be decided exactly', () => {
    const stage = new Stage(aBoard({ keyed: ['kim'] }));
    stage.flush(hold('ann', [seat(0)]), hold('bob', [seat(1)]));
    const wish = [seat(0)];
    const users = ['ann', 'bob', 'kim'];
    expect(users.map((user) => screened(stage, hold(user, wish)))).toEqual([null, null, null]);
    expect(screened(stage, hold('eve', wish))).not.toBeNull();
    stage.flush(release({ user_id: 'bob' }));
    expect(screened(stage, hold('bob', wish))).not.toBeNull();
  });

  it('asks when what stands in the way is over, or in a moment', () => {
    const stage = new Stage(aBoard());
    stage.flush(hold('ann', [seat(0)]), hold('bob', [places(2, 8)]));
    const asks = () =>
      [[seat(0)], [places(2, 1)]].map((items) => screened(stage, hold('eve', items)) === null);
    stage.now_ms += 10 * MINUTE_MS - 51;
    expect(asks()).toEqual([false, false]);
    stage.now_ms += 1;
    expect(asks()).toEqual([true, true]);
    stage.now_ms += 5_000;
    expect(asks()).toEqual([true, true]);
  });

  it('is not stopped by a due hold elsewhere, unless there are very many', () => {
    const seats = Array<number>(300).fill(0);
    const due = (count: number) => {
      const stage = new Stage(aBoard({ seats, zones: [aZone(0)], sold: [299] }));
      const items = Array.from({ length: count }, (_, ordinal) => seat(ordinal));
      stage.flush(hold('ann', items, { made_by: 'staff' }));
      stage.now_ms += 10 * MINUTE_MS;
      return screened(stage, hold('eve', [seat(299)]))?.code;
    };
    expect([due(1), due(199), due(200)]).toEqual([
      'seat_not_available',
      'seat_not_available',
      undefined,
    ]);
  });

  it('refuses when nothing is sold, and does not stop staff outside the window', () => {
    const stage = new Stage(aBoard({ event: { sale_closes_ms: 0 } }));
    const wish = hold('eve', [seat(0)]);
    expect(screened(stage, wish)).toMatchObject({ code: 'event_sales_closed' });
    expect(screened(stage, { ...wish, made_by: 'staff' })).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import type { BestRequest, HoldCommand } from './commands.ts';
import { previewBest } from './decide-best.ts';
import { Draft } from './draft.ts';
import { aBoard, aZone, factsAt, hold, seat, zoneId } from './test-boards.ts';
import { ANN, as, BOB, start } from './test-checkouts.ts';
import { BEST } from './test-commands.ts';
import { Stage } from './test-stage.ts';

const STRICT = { orphan_avoidance_strict: true };

/** Two rows of ten in one zone, of which some seats are sold. */
function aHall(sold: readonly number[] = [], policy: object = STRICT) {
  const zones = [aZone(0, { capacity: 20 })];
  return new Stage(aBoard({ seats: Array(20).fill(0), zones, policy, sold }));
}

function preview(
  stage: Stage,
  best: Partial<BestRequest>,
  { most = 3, ...wanted }: Partial<HoldCommand> & { most?: number } = {},
) {
  const draft = new Draft(stage.board, stage.now_ms);
  const command = hold(ANN, [], { best: { ...BEST, ...best }, ...wanted });
  const outcome = previewBest(draft, command, factsAt(stage.now_ms), most);
  expect(draft.changes).toEqual([]);
  return outcome;
}

const seatsOf = (outcome: ReturnType<typeof preview>) => {
  if (outcome.kind !== 'offers') throw new Error(outcome.kind);
  return outcome.offers.map(({ seats }) => seats.map(({ label }) => label));
};

describe('a preview', () => {
  it('shows so many offers as were asked for, without a seat in common, and holds nothing', () => {
    const stage = aHall();
    const three = seatsOf(preview(stage, {}));
    expect(three.map(({ length }) => length)).toEqual([2, 2, 2]);
    expect(new Set(three.flat()).size).toBe(6);
    expect(seatsOf(preview(stage, {}, { most: 1 }))).toEqual(three.slice(0, 1));
    expect(stage.board.holdCount).toBe(0);
  });

  it('is of nothing when nothing is asked for, and refused as a hold would be', () => {
    const stage = aHall();
    const draft = new Draft(stage.board, stage.now_ms);
    const none = previewBest(draft, hold(ANN, []), factsAt(stage.now_ms), 3);
    expect(none).toEqual({ kind: 'offers', offers: [] });
    const facts = factsAt(stage.now_ms, { organizationActive: false });
    expect(previewBest(draft, hold(ANN, [], { best: BEST }), facts, 3)).toMatchObject({
      code: 'event_not_available',
    });
    expect(preview(stage, { quantity: 11 })).toMatchObject({ code: 'hold_limit_reached' });
    expect(preview(stage, { zone_ids: [zoneId(9)] })).toMatchObject({ code: 'zone_not_found' });
  });

  it('goes on beside the cart that is named, else the last one', () => {
    const stage = aHall();
    stage.ask(hold(ANN, [seat(0), seat(1)], { cart_token: 'one' }));
    stage.now_ms += 1;
    stage.ask(hold(ANN, [seat(10), seat(11)], { cart_token: 'two' }));
    const first = (cart_token: string | null) =>
      seatsOf(preview(stage, {}, { cart_token, most: 1 }));
    expect(first('one')).toEqual([['A-3', 'A-4']]);
    expect(first('two')).toEqual([['A-13', 'A-14']]);
    expect(first(null)).toEqual([['A-13', 'A-14']]);
    expect(seatsOf(preview(stage, {}, { user_id: BOB, most: 1 }))).toEqual([['A-3', 'A-4']]);
  });

  it('says what each offer is', () => {
    const outcome = preview(aHall(), { quantity: 3 }, { most: 1 });
    expect(outcome).toMatchObject({
      offers: [
        {
          ...{ zone_id: zoneId(0), zone_name: 'Zone 0', quantity: 3, adjacent: true, orphans: [] },
          rows: [{ section: null, row: 'A', seats: 3 }],
          message: '3 together in row A',
        },
      ],
    });
  });
});

describe('the best that there is', () => {
  const best = (quantity: number, wanted: object = {}) => ({
    best: { ...BEST, quantity, ...wanted },
  });
  /** All but the first three seats of the first row are sold. */
  const rest = Array.from({ length: 17 }, (_, nth) => nth + 3);

  it('says which seats it leaves alone, and why it may; nothing when there are none', () => {
    const few = as(aHall(rest).ask(hold(ANN, [], best(2))), 'held');
    expect(few.orphans).toEqual({ labels: few.offer?.orphans, reason: 'no_other_choice' });
    expect(few.offer?.orphans).toHaveLength(1);
    const whole = as(aHall(rest).ask(hold(ANN, [], best(3))), 'held');
    expect(whole).not.toHaveProperty('orphans');
  });

  it('is refused where it leaves a seat alone and another choice would not', () => {
    // Beside Ann's seat 6 one more leaves 4 alone, and the other row has room.
    const sold = [0, 1, 2, 3, 7, 8, 9, 14, 15, 16, 17, 18, 19];
    const stage = () => {
      const one = aHall(sold, { ...STRICT, group_adjacency_strict: true });
      as(one.ask(hold(ANN, [seat(6)], { orphans: 'tell' })), 'held');
      return one;
    };
    expect(stage().ask(hold(ANN, [], best(1)))).toMatchObject({
      code: 'orphan_rule',
      message: 'This choice would leave seat A-5 alone.',
      details: { orphans: ['A-5'] },
    });
    const insists = hold(ANN, [], { ...best(1), orphans: 'allow' });
    expect(as(stage().ask(insists), 'held').orphans?.labels).toEqual(['A-5']);
  });

  it('has so many wheelchair spaces as a booking may have, also when staff ask', () => {
    const zones = [aZone(0, { capacity: 10 })];
    const pairs = [
      [0, 1],
      [4, 5],
    ] as const;
    const stage = new Stage(aBoard({ seats: Array(10).fill(0), zones, pairs }));
    const wheels = hold(ANN, [], { ...best(2, { accessible: 2 }), made_by: 'staff' });
    expect(stage.ask(wheels)).toMatchObject({
      code: 'wheelchair_limit',
      message: 'A booking may have 1 wheelchair space.',
      details: { limit: 'max_wheelchair_seats_per_booking', most: 1 },
    });
    const none = stage.ask(hold(ANN, [], best(9)));
    expect(none).toMatchObject({ kind: 'refused', code: 'no_available_seats' });
    expect(none).not.toHaveProperty('details');
  });

  it('is judged at the checkout with what the buyer has chosen apart from it', () => {
    const policy = { ...STRICT, group_adjacency_strict: true };
    const stage = aHall([], policy);
    as(stage.ask(hold(ANN, [seat(15)], { cart_token: 'cart', orphans: 'tell' })), 'held');
    as(stage.ask(hold(ANN, [seat(2), seat(3)], { cart_token: 'cart', orphans: 'tell' })), 'held');
    expect(stage.ask(start())).toMatchObject({ code: 'no_adjacent_seats' });
  });
});

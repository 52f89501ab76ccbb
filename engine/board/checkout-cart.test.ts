import { describe, expect, it } from 'vitest';
import { SEAT } from './board-state.ts';
import type { HoldCommand } from './commands.ts';
import { aBoard, aZone, block, hold, places, release, seat } from './test-boards.ts';
import { ANN, as, BOB, code, start } from './test-checkouts.ts';
import { BEST } from './test-commands.ts';
import { Stage } from './test-stage.ts';

/** One row of ten, in which nobody may be left alone, and Ann with some of it. */
function aRow(wish: Partial<HoldCommand> & Pick<HoldCommand, 'items'>) {
  const zones = [aZone(0, { capacity: 10 })];
  const policy = { orphan_avoidance_strict: true };
  const stage = new Stage(aBoard({ seats: Array(10).fill(0), zones, policy }));
  const { holds } = as(stage.ask(hold(ANN, wish.items, wish)), 'held');
  const ids = holds.map(({ hold_id }) => hold_id);
  const seats = holds.map(({ ordinal }) => ordinal);
  const giveBack = (nth: number) =>
    as(stage.ask(release({ hold_ids: [ids[nth] ?? ''] }, ANN, 'user_cancelled')), 'released');
  return { stage, ids, seats, giveBack };
}

const best = (quantity: number) => ({ items: [], best: { ...BEST, quantity } });
const STRANDS_THE_FIRST = {
  code: 'orphan_rule',
  message: 'This choice would leave seat A-1 alone.',
  details: { orphans: ['A-1'] },
};

describe('what was chosen together', () => {
  it('is judged at the checkout without what was given back', () => {
    const { stage, giveBack } = aRow({ items: [seat(0), seat(1)] });
    giveBack(0);
    expect(stage.ask(start())).toMatchObject(STRANDS_THE_FIRST);
    expect(code(stage.ask(start(ANN, { allow_orphan: true })))).toBe('checkout');
  });

  it('is judged without what is left out of the checkout', () => {
    const { stage, ids } = aRow({ items: [seat(0), seat(1)] });
    expect(code(stage.ask(start(ANN, { hold_ids: ids.slice(1) })))).toBe('orphan_rule');
    as(stage.ask(start()), 'checkout');
    expect(code(stage.ask(start(ANN, { hold_ids: ids.slice(1) })))).toBe('orphan_rule');
  });

  it('is judged as the row is now, when the buyer chose it', () => {
    const { stage } = aRow({ items: [seat(0), seat(1)] });
    stage.ask(hold(BOB, [seat(3)], { orphans: 'tell' }));
    expect(stage.ask(start())).toMatchObject({ details: { orphans: ['A-3'] } });
  });
});

describe('what the engine chose', () => {
  it('stays legal as long as all of it is there', () => {
    const { stage, seats } = aRow(best(2));
    expect(seats).toEqual([0, 1]);
    as(stage.ask(hold(ANN, [], best(1))), 'held');
    expect(stage.board.codeOf(2)).toBe(SEAT.held);
    stage.ask(hold(BOB, [seat(4)], { orphans: 'tell' }));
    as(stage.ask(start()), 'checkout');
    expect(stage.complaints).toEqual([]);
  });

  it('is judged when something of it was given back, or is left out', () => {
    const { stage, ids, giveBack } = aRow(best(3));
    expect(code(stage.ask(start(ANN, { hold_ids: ids.slice(1) })))).toBe('orphan_rule');
    giveBack(0);
    expect(stage.ask(start())).toMatchObject(STRANDS_THE_FIRST);
  });

  it('stays legal when two carts of it are checked out together', () => {
    const { stage } = aRow(best(2));
    as(stage.ask(hold(ANN, [], { ...best(2), cart_token: 'other' })), 'held');
    stage.ask(block([5]));
    as(stage.ask(start()), 'checkout');
  });

  it('stays legal beside places without seats', () => {
    const zones = [aZone(0, { capacity: 10 }), aZone(1, { has_seats: false, capacity: 5 })];
    const policy = { orphan_avoidance_strict: true };
    const stage = new Stage(aBoard({ seats: Array(10).fill(0), zones, policy }));
    as(stage.ask(hold(ANN, [], best(2))), 'held');
    as(stage.ask(hold(ANN, [places(1, 2)])), 'held');
    as(stage.ask(hold(BOB, [seat(3)], { orphans: 'tell' })), 'held');
    expect(as(stage.ask(start()), 'checkout').checkout.items).toHaveLength(3);
  });

  it('is judged together with what the buyer adds, in this cart or another', () => {
    const { stage } = aRow(best(2));
    const other = { orphans: 'tell', cart_token: 'other' } as const;
    stage.ask(hold(ANN, [seat(3)], other));
    expect(stage.ask(start())).toMatchObject({ details: { orphans: ['A-3'] } });
  });

  it.each<[string, Partial<HoldCommand>]>([
    ['the buyer', { items: [seat(3)], orphans: 'tell' }],
    ['the engine for another cart', { ...best(1), cart_token: 'other' }],
  ])('is not made whole again by what %s has added', (_, wish) => {
    const { stage, giveBack } = aRow(best(3));
    as(stage.ask(hold(ANN, wish.items ?? [], wish)), 'held');
    giveBack(0);
    expect(stage.ask(start())).toMatchObject(STRANDS_THE_FIRST);
  });

  it('is judged again after something was given back, also when the engine fills the gap', () => {
    const { stage, giveBack } = aRow(best(3));
    giveBack(0);
    stage.ask(hold(ANN, [], best(1)));
    stage.ask(hold(BOB, [seat(4)], { orphans: 'tell' }));
    expect(stage.ask(start())).toMatchObject({ details: { orphans: ['A-4'] } });
  });
});

it('what the buyer insisted on is not asked again, until something of it is given back', () => {
  const wish = { items: [seat(1), seat(2), seat(3)], orphans: 'allow' } as const;
  const { stage, ids } = aRow(wish);
  expect(code(stage.ask(start(ANN, { hold_ids: ids.slice(0, 2) })))).toBe('orphan_rule');
  as(stage.ask(start()), 'checkout');
});

it('what staff hold for a caller is theirs to judge', () => {
  const { stage } = aRow({ items: [seat(1)], made_by: 'staff' });
  as(stage.ask(start()), 'checkout');
});

it('what a caller adds to it is judged with it', () => {
  const { stage } = aRow({ items: [seat(1)], made_by: 'staff', cart_token: 'phone' });
  as(stage.ask(hold(ANN, [seat(3)], { orphans: 'tell', cart_token: 'phone' })), 'held');
  expect(code(stage.ask(start()))).toBe('orphan_rule');
});

it('a seat that is about to be closed is not checked out', () => {
  const seats = Array<number>(1_200).fill(0);
  const zones = [aZone(0, { capacity: 1_200 })];
  const stage = new Stage(aBoard({ seats, zones }));
  as(stage.ask(hold(ANN, [seat(1_100)])), 'held');
  as(stage.ask(block(seats.map((_, ordinal) => ordinal))), 'blocked');
  expect(stage.board.isClosing(1_100)).toBe(true);
  expect(stage.board.holdOfSeat(1_100)).toBeDefined();
  expect(stage.ask(start())).toMatchObject({
    code: 'seat_not_available',
    items: [{ label: 'A-1101', current_status: 'blocked' }],
  });
});

import { describe, expect, it } from 'vitest';
import type { SeatingPolicy } from '#policies';
import { aBoard, aZone, hold, places, release, seat, seatId } from './test-boards.ts';
import { ANN, as, BOB, code, start } from './test-checkouts.ts';
import { BEST } from './test-commands.ts';
import { Stage } from './test-stage.ts';

/** Seats 0 to 7 are one zone and one row, 8 to 11 another; 0 is a wheelchair space. */
const stageWith = (policy: Partial<SeatingPolicy>) =>
  new Stage(aBoard({ policy, pairs: [[0, 1]] }));

describe('group_adjacency_strict', () => {
  const strict = () => stageWith({ group_adjacency_strict: true });

  it('refuses chosen seats that are not side by side, with those in the cart', () => {
    const stage = strict();
    const apart = {
      code: 'no_adjacent_seats',
      message: 'Seats of one booking are side by side in this event: A-3, A-5 are not.',
      details: { rule: 'group_adjacency_strict' },
    };
    expect(stage.ask(hold(ANN, [seat(2), seat(4)]))).toMatchObject(apart);
    as(stage.ask(hold(ANN, [seat(3), seat(2)])), 'held');
    expect(code(stage.ask(hold(ANN, [seat(5)])))).toBe('no_adjacent_seats');
    as(stage.ask(hold(ANN, [seat(4), places(2, 2)])), 'held');
    as(stage.ask(start()), 'checkout');
    expect(code(stageWith({}).ask(hold(ANN, [seat(2), seat(4)])))).toBe('held');
  });

  it('judges what was taken seat by seat at the checkout, and leaves staff alone', () => {
    const stage = strict();
    for (const ordinal of [2, 4]) stage.ask(hold(ANN, [seat(ordinal)], { orphans: 'tell' }));
    expect(stage.ask(start())).toMatchObject({ details: { rule: 'group_adjacency_strict' } });
    expect(code(stage.ask(start(ANN, { allow_orphan: true })))).toBe('no_adjacent_seats');
    as(stage.ask(hold(BOB, [seat(6), seat(9)], { made_by: 'staff' })), 'held');
    as(stage.ask(start(BOB)), 'checkout');
  });
});

it('group_adjacency_strict binds a cart that is opened again and filled by the engine', () => {
  const stage = stageWith({ group_adjacency_strict: true });
  const wish = (quantity: number) => ({ best: { ...BEST, quantity } });
  const { holds } = as(stage.ask(hold(ANN, [], wish(3))), 'held');
  const [, middle] = holds;
  const given = { hold_ids: [middle?.hold_id ?? ''] };
  as(stage.ask(release(given, ANN, 'user_cancelled')), 'released');
  as(stage.ask(hold(BOB, [seat(middle?.ordinal ?? -1)], { made_by: 'staff' })), 'held');
  expect(code(stage.ask(hold(ANN, [], wish(1))))).toBe('no_adjacent_seats');
  expect(code(stage.ask(start()))).toBe('no_adjacent_seats');
});

describe('a companion seat that is not beside its wheelchair space', () => {
  /** Two pieces of ten: the companion seat of 3 is 16, its neighbours are 15 and 17. */
  const policy = { group_adjacency_strict: true };
  const zones = [aZone(0, { capacity: 20 })];
  const behind = () =>
    new Stage(aBoard({ seats: Array(20).fill(0), zones, policy, pairs: [[3, 16]] }));
  const wheels = (quantity: number) => ({ best: { ...BEST, quantity, accessible: 1 } });
  const ordinals = (stage: Stage, quantity: number) =>
    as(stage.ask(hold(ANN, [], wheels(quantity))), 'held').holds.map(({ ordinal }) => ordinal);

  it('may be chosen with it, and friends beside the space', () => {
    const stage = behind();
    as(stage.ask(hold(ANN, [seat(3), seat(16)])), 'held');
    as(stage.ask(hold(ANN, [seat(4)])), 'held');
    expect(code(stage.ask(hold(ANN, [seat(17)])))).toBe('no_adjacent_seats');
    as(stage.ask(start()), 'checkout');
  });

  it('is what the engine gives with it', () => {
    expect(ordinals(behind(), 2)).toEqual([3, 16]);
    const stage = behind();
    expect(ordinals(stage, 4)).toEqual([2, 3, 4, 16]);
    as(stage.ask(start()), 'checkout');
  });

  it('is with the buyer who has its wheelchair space in another cart, and with no other', () => {
    const stage = behind();
    as(stage.ask(hold(ANN, [seat(3)], { cart_token: 'one' })), 'held');
    as(stage.ask(hold(ANN, [seat(16), seat(8)], { cart_token: 'two' })), 'held');
    const sold = [...Array(20).keys()].filter((one) => ![3, 5, 8, 16].includes(one));
    const seats = Array(20).fill(0);
    const full = new Stage(aBoard({ seats, zones, policy, pairs: [[3, 16]], sold }));
    as(full.ask(hold(ANN, [seat(5)])), 'held');
    expect(full.board.isReleased(0)).toBe(true);
    expect(full.ask(hold(BOB, [seat(16), seat(8)]))).toMatchObject({
      code: 'no_adjacent_seats',
      items: [],
    });
  });

  it('does not make a group of seats that are apart', () => {
    expect(code(behind().ask(hold(ANN, [3, 16, 17].map(seat))))).toBe('no_adjacent_seats');
    expect(code(behind().ask(hold(ANN, [3, 16, 8].map(seat))))).toBe('no_adjacent_seats');
  });
});

describe('prefer_clustering_over_selection', () => {
  const clustering = () => stageWith({ prefer_clustering_over_selection: true });

  it('makes best available the only way to a seat', () => {
    const stage = clustering();
    for (const orphans of [undefined, 'tell', 'allow'] as const) {
      const wish = hold(ANN, [places(2, 1), seat(3)], orphans ? { orphans } : {});
      expect(stage.ask(wish)).toMatchObject({
        code: 'forbidden',
        message: 'The engine chooses the seats of this event: please ask for the best available.',
        details: { rule: 'prefer_clustering_over_selection' },
        items: [{ seat_id: seatId(3), label: 'A-4', code: 'forbidden' }],
      });
    }
    const { holds } = as(stage.ask(hold(ANN, [], { best: BEST })), 'held');
    // What one has may be asked for again.
    const again = hold(
      ANN,
      holds.map(({ ordinal }) => seat(ordinal)),
    );
    expect(as(stage.ask(again), 'held').existing).toBe(true);
    as(stage.ask(hold(ANN, [places(2, 1)])), 'held');
    as(stage.ask(start()), 'checkout');
  });

  it('leaves companion seats and staff alone', () => {
    const stage = clustering();
    const best = { ...BEST, quantity: 1, accessible: 1 };
    as(stage.ask(hold(ANN, [], { best })), 'held');
    as(stage.ask(hold(ANN, [seat(1)])), 'held');
    as(stage.ask(hold(BOB, [seat(5)], { made_by: 'staff' })), 'held');
  });
});

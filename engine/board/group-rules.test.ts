import { describe, expect, it } from 'vitest';
import type { Outcome } from './commands.ts';
import { aBoard, aZone, hold, release, seat, zoneId } from './test-boards.ts';
import { ANN, as, BOB, code, start } from './test-checkouts.ts';
import { BEST } from './test-commands.ts';
import { Stage } from './test-stage.ts';

/** Zone 0 is a row of eight: a table, a family block, two seats; zone 1 a row of four. */
const GROUPS = [
  { kind: 'vip_table', seats: [0, 1, 2] },
  { kind: 'family_block', seats: [3, 4, 5] },
] as const;
const aHall = () => new Stage(aBoard({ groups: GROUPS }));
const seats = (...ordinals: readonly number[]) => ordinals.map(seat);
const best = (quantity: number) => ({ best: { ...BEST, quantity, zone_ids: [zoneId(0)] } });
const singly = { orphans: 'tell' } as const;
const wheels = (quantity: number, accessible = 1) => ({
  best: { ...BEST, quantity, accessible, zone_ids: [zoneId(0)] },
});
const ordinalsOf = (outcome: Outcome) => {
  if (outcome.kind !== 'held') return [outcome.kind === 'refused' ? outcome.code : outcome.kind];
  return outcome.holds.map(({ ordinal }) => ordinal);
};

describe('a table', () => {
  it('is sold as a whole: what is missing is named', () => {
    const stage = aHall();
    expect(stage.ask(hold(ANN, seats(0, 1)))).toMatchObject({
      code: 'forbidden',
      message: 'This table is sold as a whole: please add A-3.',
      details: { rule: 'vip_table', missing: ['A-3'], needed: 1 },
    });
    as(stage.ask(hold(ANN, seats(0, 1, 2, 7))), 'held');
    as(stage.ask(start()), 'checkout');
    expect(stage.complaints).toEqual([]);
  });

  it('is put together seat by seat, and judged at the checkout', () => {
    const stage = aHall();
    for (const ordinal of [0, 1]) stage.ask(hold(ANN, seats(ordinal), singly));
    expect(stage.ask(start())).toMatchObject({ details: { missing: ['A-3'] } });
    const { holds } = as(stage.ask(hold(ANN, seats(2), singly)), 'held');
    const hold_ids = stage.board.holdsOfUser(ANN).map(({ hold_id }) => hold_id);
    expect(code(stage.ask(start(ANN, { hold_ids: hold_ids.slice(1) })))).toBe('forbidden');
    as(stage.ask(start()), 'checkout');
    expect(holds).toHaveLength(1);
  });

  it('of which others have a part is sold as what is left', () => {
    const stage = aHall();
    as(stage.ask(hold(BOB, seats(0), { made_by: 'staff' })), 'held');
    expect(code(stage.ask(hold(ANN, seats(1))))).toBe('forbidden');
    as(stage.ask(hold(ANN, seats(1, 2))), 'held');
    as(stage.ask(start(BOB)), 'checkout');
  });

  it('is not taken apart by giving one seat back and asking for another one elsewhere', () => {
    const zones = [0, 1].map((zone) =>
      aZone(zone, { capacity: 8 - 4 * zone, price_cents: 1_000 * (zone + 1) }),
    );
    const groups = [{ kind: 'vip_table', seats: [0, 1, 2, 3] }] as const;
    const stage = new Stage(aBoard({ zones, groups, sold: [4, 5, 6, 7] }));
    const { holds } = as(stage.ask(hold(ANN, [], best(4))), 'held');
    const which = { hold_ids: [holds[0]?.hold_id ?? ''] };
    as(stage.ask(release(which, ANN, 'user_cancelled')), 'released');
    const elsewhere = { best: { ...BEST, quantity: 1, zone_ids: [zoneId(1)] } };
    as(stage.ask(hold(ANN, [], elsewhere)), 'held');
    expect(stage.ask(start())).toMatchObject({
      details: { rule: 'vip_table', missing: ['A-1'] },
    });
  });

  it('is chosen by the engine for exactly as many, and for nobody else', () => {
    const ordinals = (quantity: number) => {
      const { holds } = as(aHall().ask(hold(ANN, [], best(quantity))), 'held');
      return holds.map(({ ordinal }) => ordinal);
    };
    expect(ordinals(3)).toEqual([0, 1, 2]);
    expect(ordinals(1).some((ordinal) => ordinal < 6)).toBe(false);
    expect(ordinals(2).some((ordinal) => ordinal < 3)).toBe(false);
    expect(code(aHall().ask(hold(ANN, [], best(7))))).toMatch(/^no_/);
  });
});

describe('a party for which there are no seats', () => {
  it('reads for whom there are tables and family blocks', () => {
    const stage = aHall();
    expect(stage.ask(hold(ANN, [], best(7)))).toMatchObject({
      message:
        'There are no seats for a party of 7. Tables are sold as a whole: there are some for 3.',
      details: { tables: [3], families: false },
    });
    stage.flush(hold('others', seats(6, 7, 8, 9, 10, 11), singly));
    expect(stage.ask(hold(ANN, [], best(1)))).toMatchObject({
      message:
        'There are no seats for a party of 1. Tables are sold as a whole: there are some for 3. ' +
        'Seats of family blocks are sold to two or more.',
      details: { tables: [3], families: true },
    });
    stage.flush(hold('more', seats(0, 1, 2, 3, 4, 5), singly));
    const none = stage.ask(hold(ANN, [], best(1)));
    expect(none).toMatchObject({ message: 'No seats available.' });
    expect(none).not.toHaveProperty('details');
  });
});

describe('a family block', () => {
  it('is for two or more in one booking, until one seat of it is left', () => {
    const stage = aHall();
    expect(stage.ask(hold(ANN, seats(3)))).toMatchObject({
      code: 'forbidden',
      message:
        'These seats are for families, at least 2 of them in one booking: ' +
        'please add 1 of A-5, A-6.',
      details: { rule: 'family_block', missing: ['A-5', 'A-6'] },
    });
    as(stage.ask(hold(ANN, seats(3, 4))), 'held');
    as(stage.ask(hold(BOB, seats(5))), 'held');
    as(stage.ask(start(BOB)), 'checkout');
    const [first] = stage.board.holdsOfUser(ANN);
    const which = { hold_ids: [first?.hold_id ?? ''] };
    as(stage.ask(release(which, ANN, 'user_cancelled')), 'released');
    expect(code(stage.ask(start()))).toBe('forbidden');
  });

  it('is chosen by the engine for two, not for one', () => {
    const stage = aHall();
    as(stage.ask(hold(BOB, seats(6, 7, 8, 9, 10, 11))), 'held');
    expect(code(stage.ask(hold(ANN, [], best(1))))).toMatch(/^no_/);
    const { holds } = as(stage.ask(hold(ANN, [], best(2))), 'held');
    expect(holds.every(({ ordinal }) => ordinal >= 3 && ordinal <= 5)).toBe(true);
    expect(stage.complaints).toEqual([]);
  });
});

describe('a wheelchair space in a group', () => {
  const table = { kind: 'vip_table', seats: [0, 1, 2, 3] } as const;
  const family = { kind: 'family_block', seats: [0, 1, 2, 3] } as const;

  it.each([table, family])('is not offered to one wheelchair user alone: $kind', (group) => {
    const stage = new Stage(aBoard({ groups: [group], pairs: [[0, 1], [6]] }));
    expect(ordinalsOf(stage.ask(hold(ANN, [], wheels(1))))).toEqual([6]);
    expect(ordinalsOf(stage.ask(hold(BOB, [], wheels(1))))).toEqual(['no_available_seats']);
    expect(stage.complaints).toEqual([]);
  });

  it('is offered with everything that belongs to the table', () => {
    const stage = new Stage(aBoard({ groups: [table], pairs: [[0, 1]] }));
    expect(ordinalsOf(stage.ask(hold(BOB, [], wheels(3))))).toEqual(['no_available_seats']);
    expect(ordinalsOf(stage.ask(hold(ANN, [], wheels(4))))).toEqual([0, 1, 2, 3]);
    as(stage.ask(start()), 'checkout');
  });

  it('is offered to two of a family, with the companion seat', () => {
    const stage = new Stage(aBoard({ groups: [family], pairs: [[0, 1]] }));
    expect(ordinalsOf(stage.ask(hold(ANN, [], wheels(2))))).toEqual([0, 1]);
    as(stage.ask(start()), 'checkout');
  });

  it('does not give its companion seat away from the table', () => {
    const stage = new Stage(aBoard({ groups: [table], pairs: [[0, 1]] }));
    as(stage.ask(hold(ANN, seats(0), singly)), 'held');
    const [added = -1] = ordinalsOf(stage.ask(hold(ANN, [], best(1))));
    expect(added).toBeGreaterThan(3);
  });
});

describe('a companion seat in a group', () => {
  it('of a family block is given to others no more than any companion seat', () => {
    const family = { kind: 'family_block', seats: [0, 1, 2, 3] } as const;
    const sold = [4, 5, 6, 7, 8, 9, 10, 11];
    const stage = new Stage(aBoard({ groups: [family], pairs: [[0, 1]], sold }));
    expect(ordinalsOf(stage.ask(hold(BOB, [], best(3))))).toEqual(['no_available_seats']);
    expect(ordinalsOf(stage.ask(hold(BOB, [], best(2))))).toEqual([2, 3]);
    as(stage.ask(start(BOB)), 'checkout');
  });

  it('is not missing from the table of others, and is their own who have its space', () => {
    const table = { kind: 'vip_table', seats: [0, 1, 2, 3] } as const;
    const aTable = () => new Stage(aBoard({ groups: [table], pairs: [[6, 3]] }));
    const stage = aTable();
    expect(ordinalsOf(stage.ask(hold(ANN, [], best(3))))).toEqual([0, 1, 2]);
    as(stage.ask(start()), 'checkout');
    const byHand = aTable();
    as(byHand.ask(hold(BOB, seats(0, 1, 2))), 'held');
    const wheelchair = aTable();
    as(wheelchair.ask(hold(ANN, seats(6))), 'held');
    expect(wheelchair.ask(hold(ANN, seats(0, 1, 2)))).toMatchObject({
      details: { missing: ['A-4'] },
    });
    as(wheelchair.ask(hold(ANN, seats(0, 1, 2, 3))), 'held');
    as(wheelchair.ask(start()), 'checkout');
  });
});

it('groups of zones that nobody asked for take no place among those that are opened', () => {
  const zones = Array.from({ length: 602 }, (_, ordinal) => (ordinal < 600 ? 0 : 1));
  const groups = Array.from({ length: 301 }, (_, nth) => {
    return { kind: 'vip_table', seats: [2 * nth, 2 * nth + 1] } as const;
  });
  const stage = new Stage(
    aBoard({
      seats: zones,
      groups,
      zones: [aZone(0, { capacity: 600 }), aZone(1, { capacity: 2, price_cents: 2_000 })],
    }),
  );
  const inOne = { best: { ...BEST, zone_ids: [zoneId(1)] } };
  expect(ordinalsOf(stage.ask(hold(ANN, [], inOne)))).toEqual([600, 601]);
});

describe('a table that is more than one booking may take', () => {
  const table = { kind: 'vip_table', seats: [0, 1, 2, 3, 4, 5] } as const;

  it('is sold as far as the booking goes, and the rest as a whole', () => {
    const policy = { max_seats_per_booking: 4 };
    const aTable = () => new Stage(aBoard({ groups: [table], policy, sold: [6, 7] }));
    const stage = aTable();
    expect(stage.ask(hold(ANN, seats(0, 1, 2)))).toMatchObject({
      message: 'One booking cannot have all of this table: please add 1 of A-4, A-5, A-6.',
      details: { rule: 'vip_table', missing: ['A-4', 'A-5', 'A-6'] },
    });
    as(stage.ask(hold(ANN, seats(0, 1, 2, 3))), 'held');
    as(stage.ask(start()), 'checkout');
    expect(code(stage.ask(hold(BOB, seats(4))))).toBe('forbidden');
    expect(ordinalsOf(stage.ask(hold(BOB, [], best(2))))).toEqual([4, 5]);
    as(stage.ask(start(BOB)), 'checkout');
    expect(ordinalsOf(aTable().ask(hold(ANN, [], best(4))))).toEqual([0, 1, 2, 3]);
  });

  it('with more wheelchair spaces than a booking may have is sold without the others', () => {
    const pairs = [
      [0, 1],
      [5, 4],
    ] as const;
    const aTable = () => new Stage(aBoard({ groups: [table], pairs, sold: [6, 7] }));
    const stage = aTable();
    expect(stage.ask(hold(ANN, seats(0, 1, 2)))).toMatchObject({ details: { missing: ['A-4'] } });
    expect(stage.ask(hold(ANN, seats(2, 3)))).toMatchObject({
      message: 'One booking cannot have all of this table: please add 1 of A-1, A-6.',
    });
    as(stage.ask(hold(ANN, seats(0, 1, 2, 3))), 'held');
    as(stage.ask(start()), 'checkout');
    expect(ordinalsOf(stage.ask(hold(BOB, [], wheels(2))))).toEqual([4, 5]);
    as(stage.ask(start(BOB)), 'checkout');
    expect(ordinalsOf(aTable().ask(hold(ANN, [], wheels(4)))).sort()).toEqual([0, 1, 2, 3]);
  });
});

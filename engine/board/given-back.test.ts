import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from './commands.ts';
import {
  aBoard,
  aZone,
  type BoardWish,
  hold,
  type Pairs,
  places,
  release,
  seat,
} from './test-boards.ts';
import { ANN, as, BOB, code, pay, said, start } from './test-checkouts.ts';
import { BEST } from './test-commands.ts';
import { Stage } from './test-stage.ts';

const PIT = 1;

/** One row of ten, in which nobody may be left alone, and a pit beside it. */
function aRow(wanted: BoardWish = {}): Stage {
  const zones = [aZone(0, { capacity: 10 }), aZone(PIT, { has_seats: false, capacity: 10 })];
  const policy = { orphan_avoidance_strict: true, max_seats_per_booking: 10, ...wanted.policy };
  return new Stage(aBoard({ seats: Array(10).fill(0), zones, ...wanted, policy }));
}

const take = (stage: Stage, ordinals: readonly number[], user = ANN) =>
  as(stage.ask(hold(user, ordinals.map(seat), { orphans: 'tell' })), 'held');

function giveBack(stage: Stage, ordinal: number): void {
  const { hold_id = '' } = stage.board.holdOfSeat(ordinal) ?? {};
  as(stage.ask(release({ hold_ids: [hold_id] }, ANN, 'user_cancelled')), 'released');
}

const begin = (stage: Stage) => as(stage.ask(start()), 'checkout').checkout.checkout_id;

const STRANDS_THE_FIRST = { code: 'orphan_rule', details: { orphans: ['A-1'] } };

describe('what is left of an open checkout when something of it was given back', () => {
  it('is judged before it is paid for, and may be insisted on by starting again', () => {
    const stage = aRow();
    take(stage, [0, 1]);
    const id = begin(stage);
    giveBack(stage, 0);
    expect(stage.ask(pay(id))).toMatchObject(STRANDS_THE_FIRST);
    expect(stage.ask(start())).toMatchObject(STRANDS_THE_FIRST);
    const insisted = as(stage.ask(start(ANN, { allow_orphan: true })), 'checkout');
    expect(insisted).toMatchObject({ existing: true, checkout: { checkout_id: id } });
    as(stage.ask(pay(id)), 'payment_begun');
    expect(stage.complaints).toEqual([]);
  });

  it('may be paid for when more is given back, or something else is taken', () => {
    const stage = aRow();
    take(stage, [0, 1, 2]);
    const id = begin(stage);
    giveBack(stage, 0);
    expect(code(stage.ask(pay(id)))).toBe('orphan_rule');
    giveBack(stage, 1);
    as(stage.ask(pay(id)), 'payment_begun');
    const other = aRow();
    take(other, [0, 1]);
    const second = begin(other);
    giveBack(other, 0);
    take(other, [2]);
    expect(code(other.ask(pay(second)))).toBe('orphan_rule');
    take(other, [0]);
    expect(begin(other)).toBe(second);
    as(other.ask(pay(second)), 'payment_begun');
  });

  it('is judged by the other rules of a cart, too', () => {
    const lonely = aRow({ pairs: [[3, 4]] });
    take(lonely, [3, 4]);
    const id = begin(lonely);
    giveBack(lonely, 3);
    expect(lonely.ask(pay(id))).toMatchObject({ code: 'companion_reserved' });
    const seats = [0, 1, 2];
    const table = aRow({ groups: [{ kind: 'vip_table', seats }] });
    take(table, seats);
    const whole = begin(table);
    giveBack(table, 1);
    expect(table.ask(pay(whole))).toMatchObject({
      code: 'forbidden',
      details: { missing: ['A-2'] },
    });
    const strict = aRow({ policy: { group_adjacency_strict: true } });
    take(strict, seats);
    const apart = begin(strict);
    giveBack(strict, 1);
    expect(code(strict.ask(pay(apart)))).toBe('no_adjacent_seats');
  });

  it('is judged once: a second card pays for what the first one was to pay for', () => {
    const stage = aRow();
    take(stage, [0, 1, 2, 3]);
    const id = begin(stage);
    giveBack(stage, 3);
    const begun = as(stage.ask(pay(id)), 'payment_begun');
    stage.ask(said('payment.failed', begun));
    take(stage, [4], BOB);
    as(stage.ask(pay(id)), 'payment_begun');
  });

  it('is judged where nothing is to be paid, too', () => {
    const zones = [aZone(0, { capacity: 10, price_cents: 0 })];
    const stage = aRow({ zones });
    take(stage, [0, 1]);
    const id = begin(stage);
    giveBack(stage, 0);
    expect(code(stage.ask(pay(id)))).toBe('orphan_rule');
  });
});

describe('an open checkout that is started again', () => {
  const dearer = ({ board }: Stage) => {
    const zones = board.config.zones.map((zone) => ({ ...zone, price_cents: 1_500 }));
    board.setConfig({ ...board.config, zones, currency: 'EUR' });
  };
  const pricesOf = (outcome: Outcome) =>
    as(outcome, 'checkout').checkout.items.map(({ price_cents }) => price_cents);

  it('keeps its prices when something of it was given back', () => {
    const stage = aRow();
    take(stage, [0, 1, 2]);
    const id = begin(stage);
    giveBack(stage, 2);
    dearer(stage);
    expect(pricesOf(stage.ask(start()))).toEqual([1_000, 1_000]);
    const begun = as(stage.ask(pay(id)), 'payment_begun');
    expect(begun).toMatchObject({ amount_cents: 2_000, currency: 'ZAR' });
  });

  it('keeps the prices of what stays in it, and asks those of now for what is new', () => {
    const stage = aRow();
    take(stage, [0, 1]);
    const id = begin(stage);
    dearer(stage);
    take(stage, [2]);
    expect(pricesOf(stage.ask(start()))).toEqual([1_000, 1_000, 1_500]);
    const [first = '', ...rest] = stage.board.holdsOfUser(ANN).map(({ hold_id }) => hold_id);
    const less = stage.ask(start(ANN, { hold_ids: rest, allow_orphan: true }));
    expect(pricesOf(less)).toEqual([1_000, 1_500]);
    // What was left out and is put in again is new.
    const all = stage.ask(start(ANN, { hold_ids: [first, ...rest] }));
    expect(pricesOf(all)).toEqual([1_500, 1_000, 1_500]);
    expect(as(stage.ask(pay(id)), 'payment_begun').amount_cents).toBe(4_000);
  });

  it('is judged by its choice alone, as by paying, when something of it was given back', () => {
    const stage = aRow();
    take(stage, [0, 1, 2]);
    const id = begin(stage);
    giveBack(stage, 0);
    const { board } = stage;
    const event = { ...board.config.event, sale_closes_ms: stage.now_ms - 1 };
    const closed = { access_mode: 'whitelist', whitelist: [] } as const;
    const zones = board.config.zones.map((zone) => ({ ...zone, ...closed }));
    const policy = { ...board.config.policy, max_seats_per_booking: 1 };
    board.setConfig({ ...board.config, event, zones, policy });
    expect(stage.ask(start())).toMatchObject(STRANDS_THE_FIRST);
    expect(stage.ask(pay(id))).toMatchObject(STRANDS_THE_FIRST);
    expect(code(stage.ask(start(ANN, { allow_orphan: true })))).toBe('checkout');
    as(stage.ask(pay(id)), 'payment_begun');
  });

  it('is returned while it is being paid for, whatever an older node has left in it', () => {
    const stage = aRow();
    take(stage, [0, 1]);
    const id = begin(stage);
    as(stage.ask(pay(id)), 'payment_begun');
    const checkout = stage.board.checkoutOf(id);
    if (checkout) stage.board.setCheckout({ ...checkout, given_back: true });
    expect(stage.ask(start())).toMatchObject({ existing: true, checkout: { status: 'paying' } });
  });
});

describe('an open checkout is paid for as it was judged', () => {
  it('when others have taken seats beside it, or staff some of its own', () => {
    const stage = aRow();
    take(stage, [0, 1]);
    const id = begin(stage);
    take(stage, [3], BOB);
    as(stage.ask(pay(id)), 'payment_begun');
    const other = aRow();
    take(other, [0, 1]);
    const second = begin(other);
    const { hold_id = '' } = other.board.holdOfSeat(0) ?? {};
    as(other.ask(release({ hold_ids: [hold_id] })), 'released');
    as(other.ask(pay(second)), 'payment_begun');
  });

  it('when places without seats were given back, one by one or all', () => {
    const stage = aRow();
    take(stage, [0, 1]);
    const { holds } = as(stage.ask(hold(ANN, [places(PIT, 3)])), 'held');
    const [pit] = holds;
    const hold_id = pit?.hold_id ?? '';
    const id = begin(stage);
    take(stage, [3], BOB);
    as(stage.ask({ kind: 'reduce', user_id: ANN, hold_id, quantity: 1 }), 'reduced');
    as(stage.ask(release({ hold_ids: [hold_id] }, ANN, 'user_cancelled')), 'released');
    as(stage.ask(pay(id)), 'payment_begun');
  });

  it('and places that are given back do not hide a seat that was', () => {
    const stage = aRow();
    take(stage, [0, 1]);
    const { holds } = as(stage.ask(hold(ANN, [places(PIT, 3)])), 'held');
    const id = begin(stage);
    giveBack(stage, 0);
    const hold_id = holds[0]?.hold_id ?? '';
    as(stage.ask({ kind: 'reduce', user_id: ANN, hold_id, quantity: 1 }), 'reduced');
    expect(code(stage.ask(pay(id)))).toBe('orphan_rule');
  });
});

type Choices = readonly { seats: readonly { seat_id: string }[] }[];
const ofRefusal = (outcome: Outcome) =>
  outcome.kind === 'refused' ? (outcome.details?.alternatives as Choices | undefined) : undefined;

/** Ann's cart, how it came about, what of it she gives back, and what others take meanwhile. */
const sale = fc.record({
  before: fc.uniqueArray(fc.nat({ max: 9 }), { maxLength: 4 }),
  picks: fc.uniqueArray(fc.nat({ max: 4 }), { minLength: 2, maxLength: 5 }),
  best: fc.boolean(),
  gives: fc.array(fc.nat(), { maxLength: 2 }),
  meanwhile: fc.uniqueArray(fc.nat({ max: 9 }), { maxLength: 2 }),
  pairs: fc.constantFrom<Pairs>([], [[3, 4]], [[1, 2]]),
});

it('paying refuses exactly what a start would, and there is a way on from every refusal', () => {
  const seen = new Map<string, number>();
  let runs = 0;
  fc.assert(
    fc.property(sale, ({ before, picks, best, gives, meanwhile, pairs }) => {
      runs++;
      // The second stage has no open checkout: its start judges the cart from the beginning.
      const [stage, twin] = [aRow({ pairs }), aRow({ pairs })];
      const both = (work: (one: Stage) => void) => [stage, twin].forEach(work);
      const wish = best
        ? hold(ANN, [], { best: { ...BEST, quantity: picks.length } })
        : hold(ANN, picks.map(seat), { orphans: 'tell' });
      both((one) => void one.ask(hold(BOB, before.map(seat), { made_by: 'staff' })));
      both((one) => void one.ask(wish));
      const begun = stage.ask(start(ANN, { allow_orphan: true }));
      if (begun.kind !== 'checkout') return;
      const own = stage.board.holdsOfUser(ANN).map(({ ordinal }) => ordinal);
      const given = [...new Set(gives.map((give) => own[give % own.length] ?? 0))];
      if (given.length === own.length) return;
      both((one) => {
        for (const ordinal of given) giveBack(one, ordinal);
      });
      both((one) => void one.ask(hold(BOB, meanwhile.map(seat), { made_by: 'staff' })));
      const { checkout_id } = begun.checkout;
      const paid = stage.ask(pay(checkout_id));
      const judged = code(twin.ask(start()));
      const expected = given.length === 0 || judged === 'checkout' ? 'payment_begun' : judged;
      expect(code(paid)).toBe(expected);
      seen.set(expected, (seen.get(expected) ?? 0) + 1);
      for (const { seats } of ofRefusal(paid)?.slice(0, 1) ?? []) {
        expect(code(stage.ask(pay(takeInstead(stage, seats))))).toBe('payment_begun');
      }
      expect(stage.complaints).toEqual([]);
    }),
    { numRuns: 300 },
  );
  const many = ['payment_begun', 'orphan_rule', 'companion_reserved'].map((one) => seen.get(one));
  expect(
    many.every((count = 0) => count >= Math.floor(runs / 300)),
    JSON.stringify([...seen]),
  ).toBe(true);
});

/** As a shop does it: takes what is missing, gives back what is too much, starts again. */
function takeInstead(stage: Stage, wanted: readonly { seat_id: string }[]): string {
  const ids = new Set(wanted.map(({ seat_id }) => seat_id));
  const own = stage.board.holdsOfUser(ANN);
  const has = new Set(own.map(({ ordinal }) => stage.board.plan.seatIdOf(ordinal)));
  const missing = [...ids].filter((seat_id) => !has.has(seat_id)).map((seat_id) => ({ seat_id }));
  if (missing.length > 0) as(stage.ask(hold(ANN, missing, { orphans: 'tell' })), 'held');
  for (const { ordinal } of own) {
    if (!ids.has(stage.board.plan.seatIdOf(ordinal))) giveBack(stage, ordinal);
  }
  return begin(stage);
}

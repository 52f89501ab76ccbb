import { expect, it } from 'vitest';
import type { Membership } from '#accounts';
import { NO_SALES } from './commands.ts';
import { decide } from './decide.ts';
import { Draft } from './draft.ts';
import {
  aBoard,
  aZone,
  factsAt,
  hold,
  places,
  STAFF,
  START_MS,
  seat,
  zoneId,
} from './test-boards.ts';
import { ANN, as, code, pay, said, start } from './test-checkouts.ts';
import { BEST } from './test-commands.ts';
import { Stage } from './test-stage.ts';

const BEA = 'bea';
const CAT = 'cat';
const GOLD: Membership = { role: 'customer', tier: 'gold', active: true };
const ZONES = [
  aZone(0, { access_mode: 'membership_tier', membership_tier: 'gold' }),
  aZone(1),
  aZone(2, { has_seats: false, access_mode: 'whitelist', whitelist: [ANN, BEA, CAT] }),
];

/** Seats 0 to 7 are for members, places of zone 2 for named people; the others are for all. */
function aClub() {
  const memberships = new Map<string, Membership | null>([ANN, BEA, CAT].map((one) => [one, GOLD]));
  const stage = new Stage(aBoard({ zones: ZONES }), { facts: { memberships } });
  const buys = () => {
    const { checkout } = as(stage.ask(start()), 'checkout');
    const begun = as(stage.ask(pay(checkout.checkout_id)), 'payment_begun');
    const { amount_cents } = begun;
    as(stage.ask(said('payment.succeeded', begun, { amount_cents })), 'payment_message');
  };
  return { stage, memberships, buys };
}

const forPerson = (ordinal: number, person: string) => ({ ...seat(ordinal), people: [person] });
const NOT_FOR_NOBODY = { code: 'zone_access_denied', details: { unnamed: 1, owned: 1 } };

it('counts what a member has bought: one after the other is not any number', () => {
  const { stage, buys } = aClub();
  stage.ask(hold(ANN, [seat(0)]));
  buys();
  expect(stage.ask(hold(ANN, [seat(1)]))).toMatchObject({
    ...NOT_FOR_NOBODY,
    message:
      'Each place in this zone is for somebody who may enter it: please say for whom. ' +
      'You have a ticket of your own already.',
  });
  const best = { ...BEST, quantity: 1, zone_ids: [zoneId(0)] };
  expect(stage.ask(hold(ANN, [], { best }))).toMatchObject(NOT_FOR_NOBODY);
  as(stage.ask(hold(ANN, [seat(8)])), 'held');
  as(stage.ask(hold(ANN, [forPerson(1, BEA)])), 'held');
  buys();
  expect(code(stage.ask(hold(ANN, [forPerson(2, BEA)])))).toBe('zone_access_denied');
  as(stage.ask(hold(ANN, [], { best: { ...best, people: [CAT] } })), 'held');
  expect(stage.complaints).toEqual([]);
});

it('judges every zone of a wish, whichever comes first', () => {
  const { stage } = aClub();
  const denied = { code: 'zone_access_denied', items: [{ zone_id: zoneId(2) }] };
  for (const items of [
    [seat(8), places(2, 1)],
    [places(2, 1), seat(8)],
  ]) {
    expect(stage.ask(hold('dan', items))).toMatchObject(denied);
  }
});

it('leaves to staff whom they hold for, and what they hold is nobody’s to repeat', () => {
  const { stage } = aClub();
  as(stage.ask(hold(ANN, [seat(0), seat(1)], { made_by: 'staff' })), 'held');
  as(stage.ask(hold(ANN, [seat(0), seat(8)])), 'held');
  as(stage.ask(start()), 'checkout');
  expect(stage.ask(hold(ANN, [seat(2)]))).toMatchObject({
    message: 'Each place in this zone is for somebody who may enter it: please say for whom.',
    details: { unnamed: 2, owned: 0 },
  });
});

it('keeps whom a place is for, where the zone asks, and nobody twice', () => {
  const { stage, buys } = aClub();
  stage.ask(hold(ANN, [{ ...places(2, 2), people: [BEA] }]));
  buys();
  as(stage.ask(hold(ANN, [forPerson(0, BEA), forPerson(8, CAT)])), 'held');
  expect([0, 8].map((one) => stage.board.holdOfSeat(one)?.people)).toEqual([[BEA], undefined]);
  as(stage.ask(hold(ANN, [forPerson(1, ANN)])), 'held');
  expect(stage.board.holdOfSeat(1)?.people).toBeUndefined();
});

it('gives no place back that somebody was named for', () => {
  const { stage } = aClub();
  const { holds } = as(stage.ask(hold(ANN, [{ ...places(2, 3), people: [BEA, CAT] }])), 'held');
  const hold_id = holds[0]?.hold_id ?? '';
  const reduce = (quantity: number) =>
    stage.ask({ kind: 'reduce', user_id: ANN, hold_id, quantity });
  expect(reduce(1)).toMatchObject({ code: 'zone_access_denied', details: { people: [BEA, CAT] } });
  expect(code(reduce(2))).toBe('reduced');
});

it('lets a buyer with several tickets without a name buy one more for a friend by name', () => {
  const memberships = new Map([ANN, BEA].map((one) => [one, GOLD]));
  const owned = new Map([[ANN, [{ zone_id: zoneId(0), person: null, places: 2 }]]]);
  const draft = new Draft(aBoard({ zones: ZONES }), START_MS);
  const facts = factsAt(START_MS, { memberships, owned });
  const ask = (items: Parameters<typeof hold>[1]) =>
    decide(draft, hold(ANN, items), facts, () => []);
  const unnamed = { code: 'zone_access_denied', details: { unnamed: 2, owned: 2 } };
  expect(ask([seat(0)])).toMatchObject(unnamed);
  expect(ask([forPerson(0, BEA), seat(1)])).toMatchObject(unnamed);
  expect(code(ask([forPerson(0, BEA)]))).toBe('held');
  expect(code(decide(draft, start(), facts, () => []))).toBe('checkout');
});

it('takes a ticket that is for nobody by name for the buyer’s own', () => {
  const memberships = new Map([[ANN, GOLD]]);
  const draft = () => new Draft(aBoard({ zones: ZONES }), START_MS);
  const ask = (zone_id: string, person: string | null) => {
    const owned = new Map([[ANN, [{ zone_id, person, places: 1 }]]]);
    return code(
      decide(draft(), hold(ANN, [seat(0)]), factsAt(START_MS, { memberships, owned }), () => []),
    );
  };
  const denied = 'zone_access_denied';
  expect([ask(zoneId(0), null), ask(zoneId(0), ANN)]).toEqual([denied, denied]);
  expect([ask(zoneId(0), BEA), ask(zoneId(1), null)]).toEqual(['held', 'held']);
});

it('counts places without seats, each zone by itself', () => {
  const { stage, buys } = aClub();
  stage.ask(hold(ANN, [{ ...places(2, 2), people: [BEA] }]));
  buys();
  expect(stage.ask(hold(ANN, [places(2, 1)]))).toMatchObject(NOT_FOR_NOBODY);
  expect(code(stage.ask(hold(ANN, [{ ...places(2, 1), people: [BEA] }])))).toBe(
    'zone_access_denied',
  );
  as(stage.ask(hold(ANN, [seat(0)])), 'held');
});

it('names who has a ticket already for nobody new, so the place is the buyer’s own', () => {
  const { stage, buys } = aClub();
  stage.ask(hold(ANN, [forPerson(0, BEA)]));
  buys();
  as(stage.ask(hold(ANN, [forPerson(1, BEA)])), 'held');
  expect(stage.board.holdOfSeat(1)?.people).toBeUndefined();
  expect(code(stage.ask(hold(ANN, [seat(2)])))).toBe('zone_access_denied');
});

it('gives the place back with its ticket', () => {
  const { stage } = aClub();
  const { holds } = as(stage.ask(hold(ANN, [seat(0)])), 'held');
  const hold_ids = holds.map(({ hold_id }) => hold_id);
  const sell = {
    kind: 'sell',
    hold_ids,
    method: 'cash',
    sold_by: STAFF.id,
    for_holder: true,
  } as const;
  const [ticket] = as(stage.ask(sell), 'sold').tickets;
  expect(code(stage.ask(hold(ANN, [seat(1)])))).toBe('zone_access_denied');
  const ticket_id = ticket?.ticket_id ?? '';
  const ended = { kind: 'end_ticket', ticket_id, status: 'voided', block: false } as const;
  const known = { checkout_id: '', attempt_id: null, user_id: ANN, currency: 'ZAR' };
  const money = { price_cents: 0, owed: false, paid_back: false };
  const record = { ticket_id, seat_id: null, zone_id: zoneId(0), status: 'active' } as const;
  const facts = { tickets: new Map([[ticket_id, { ...record, ...known, ...money }]]) };
  const memberships = new Map([[ANN, GOLD]]);
  const draft = new Draft(stage.board, stage.now_ms);
  const voided = decide(draft, { ...ended, reason: 'test' }, factsAt(START_MS, facts), () => []);
  expect(code(voided)).toBe('ticket_ended');
  const owned = new Map([[ANN, []]]);
  const outcome = decide(
    draft,
    hold(ANN, [seat(1)]),
    factsAt(START_MS, { memberships, owned }),
    () => [],
  );
  expect(code(outcome)).toBe('held');
});

it('is decided again when the same flush has sold to the member', () => {
  const { stage } = aClub();
  stage.ask(hold(ANN, [seat(0)]));
  const { checkout } = as(stage.ask(start()), 'checkout');
  const begun = as(stage.ask(pay(checkout.checkout_id)), 'payment_begun');
  const { amount_cents } = begun;
  const more = hold(ANN, [seat(1)]);
  const paid = said('payment.succeeded', begun, { amount_cents });
  const [heard, held] = stage.flush(paid, more);
  expect([code(heard), code(held)]).toEqual(['payment_message', 'again']);
  expect(stage.ask(more)).toMatchObject(NOT_FOR_NOBODY);
});

it('asks what somebody owns before it lets them in by name', () => {
  const draft = new Draft(aBoard({ zones: ZONES }), START_MS);
  const facts = factsAt(START_MS, { ...NO_SALES, owned: new Map() });
  const ask = (command: ReturnType<typeof hold>) => decide(draft, command, facts, () => []);
  expect(ask(hold(ANN, [places(2, 1)]))).toEqual({ kind: 'needs_membership', user_id: ANN });
});

it('asks what somebody owns before a checkout of places that are for persons', () => {
  const { stage, memberships } = aClub();
  stage.ask(hold(ANN, [seat(0), seat(8)]));
  const facts = factsAt(START_MS, { memberships, owned: new Map() });
  const ask = (hold_ids: string[]) => {
    const draft = new Draft(stage.board, START_MS);
    return decide(draft, start(ANN, { hold_ids }), facts, () => []);
  };
  const [members = '', open = ''] = stage.board.holdsOfUser(ANN).map(({ hold_id }) => hold_id);
  expect(ask([members])).toEqual({ kind: 'needs_membership', user_id: ANN });
  expect(code(ask([open]))).toBe('checkout');
});

it('is judged again at the checkout: what was bought meanwhile counts', () => {
  const { stage } = aClub();
  stage.ask(hold(ANN, [seat(0)]));
  const { checkout } = as(stage.ask(start()), 'checkout');
  const begun = as(stage.ask(pay(checkout.checkout_id)), 'payment_begun');
  // Its time is over, another seat is held, and then the money comes after all.
  stage.now_ms += 60 * 60_000;
  stage.flush();
  as(stage.ask(hold(ANN, [seat(1)])), 'held');
  const { amount_cents } = begun;
  const late = as(stage.ask(said('payment.succeeded', begun, { amount_cents })), 'payment_message');
  expect(late.outcome).toBe('completed');
  expect(stage.ask(start())).toMatchObject(NOT_FOR_NOBODY);
});

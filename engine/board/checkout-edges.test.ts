import { describe, expect, it } from 'vitest';
import type { Membership } from '#accounts';
import type { BoardZone } from './board-config.ts';
import { Draft } from './draft.ts';
import {
  aBoard,
  block,
  boardFrom,
  changeConfig,
  hold,
  MINUTE_MS,
  places,
  release,
  seat,
} from './test-boards.ts';
import { ANN, aCheckout, as, BOB, cancel, code, pay, start } from './test-checkouts.ts';
import { Stage } from './test-stage.ts';

const PIT = 2;

/** Zones of a board, with some of them changed. */
function zonesWith(stage: Stage, zone: number, wanted: Partial<BoardZone>) {
  const zones = stage.board.config.zones.map((one, number) =>
    number === zone ? { ...one, ...wanted } : one,
  );
  return changeConfig({ zones });
}

describe('what a checkout is of', () => {
  it('is named in any case, each hold once, in the order given', () => {
    const stage = new Stage(aBoard());
    const { holds } = as(stage.ask(hold(ANN, [seat(0), seat(1)])), 'held');
    const [first = '', second = ''] = holds.map(({ hold_id }) => hold_id);
    const hold_ids = [second.toUpperCase(), first, second];
    const { checkout } = as(stage.ask(start(ANN, { hold_ids })), 'checkout');
    expect(checkout.items.map(({ hold_id }) => hold_id)).toEqual([second, first]);
    const none = start(ANN, { hold_ids: [first, 'none'] });
    expect(stage.ask(none)).toMatchObject({
      code: 'hold_not_found',
      details: { hold_id: 'none' },
    });
  });

  it('is one cart when it is named, else every cart, the oldest hold first', () => {
    const stage = new Stage(aBoard());
    stage.ask(hold(ANN, [seat(5)], { cart_token: 'late' }));
    stage.now_ms += 1;
    stage.ask(hold(ANN, [seat(1), seat(0)], { cart_token: 'later' }));
    const whole = as(stage.ask(start()), 'checkout').checkout;
    expect(whole.items[0]?.seat_id).toBe(stage.board.plan.seatIdOf(5));
    const ids = whole.items.slice(1).map(({ hold_id }) => hold_id);
    expect(ids).toEqual([...ids].sort());
    const cart = as(stage.ask(start(ANN, { cart_token: 'later' })), 'checkout').checkout;
    expect(cart.items).toHaveLength(2);
    expect(stage.complaints).toEqual([]);
  });

  it('is in that order on every node, whatever order a board keeps its holds in', () => {
    const first = new Stage(aBoard());
    first.ask(hold(ANN, [seat(5)]));
    first.now_ms += 1;
    first.ask(hold(ANN, [seat(1), seat(0), seat(2)]));
    const { plan } = first.board;
    const content = first.board.content();
    const orders = [content.holds, [...content.holds].reverse()].map((holds) => {
      const stage = new Stage(boardFrom(plan, { ...content, holds }));
      return as(stage.ask(start()), 'checkout').checkout.items.map(({ hold_id }) => hold_id);
    });
    expect(orders[0]).toEqual(orders[1]);
    expect(orders[0]?.[0]).toBe(first.board.holdOfSeat(5)?.hold_id);
    const later = orders[0]?.slice(1) ?? [];
    expect(later).toEqual([...later].sort());
  });

  it('is asked for again without a change, also while it is being paid for', () => {
    const { stage, checkout_id } = aCheckout();
    const { revision } = stage.board;
    expect(stage.ask(start())).toMatchObject({ existing: true, checkout: { checkout_id } });
    expect(stage.board.revision).toBe(revision);
    as(stage.ask(pay(checkout_id)), 'payment_begun');
    expect(stage.ask(start())).toMatchObject({ existing: true, checkout: { status: 'paying' } });
  });

  it('is the same checkout with other holds, as many as before or more', () => {
    const stage = new Stage(aBoard());
    const { holds } = as(stage.ask(hold(ANN, [seat(0), seat(1)])), 'held');
    const [first = '', second = ''] = holds.map(({ hold_id }) => hold_id);
    const ask = (...hold_ids: string[]) => as(stage.ask(start(ANN, { hold_ids })), 'checkout');
    const { checkout_id } = ask(second).checkout;
    const named = ({ checkout }: ReturnType<typeof ask>) => {
      const ids = checkout.items.map(({ hold_id }) => hold_id);
      return [checkout.checkout_id, ...ids];
    };
    expect(named(ask(first))).toEqual([checkout_id, first]);
    expect(named(ask(second))).toEqual([checkout_id, second]);
    expect(named(ask(first, second))).toEqual([checkout_id, first, second]);
    expect(stage.board.holdOf(first)?.checkout_id).toBe(checkout_id);
    expect(stage.complaints).toEqual([]);
  });

  it('is new the first time', () => {
    const stage = new Stage(aBoard());
    stage.ask(hold(ANN, [seat(0)]));
    expect(as(stage.ask(start()), 'checkout').existing).toBe(false);
  });

  it('has a price for everything', () => {
    const stage = new Stage(aBoard());
    stage.ask(hold(ANN, [seat(0), places(PIT, 1)]));
    stage.ask(zonesWith(stage, PIT, { price_cents: null }));
    expect(stage.ask(start())).toMatchObject({
      code: 'event_not_available',
      details: { status: 'published', missing: 'price' },
    });
  });

  it('is of an event that sells, and of an organization that is not suspended', () => {
    const facts = { organizationActive: true };
    const stage = new Stage(aBoard(), { facts });
    stage.ask(hold(ANN, [seat(0)]));
    facts.organizationActive = false;
    expect(stage.ask(start())).toMatchObject({
      code: 'event_not_available',
      details: { status: 'published' },
    });
    facts.organizationActive = true;
    stage.ask({ kind: 'change_event_state', step: 'postpone', reason: null });
    expect(stage.ask(start())).toMatchObject({ details: { status: 'postponed' } });
  });

  it('is not sold after the sale when only some of it is held by staff', () => {
    const stage = new Stage(aBoard());
    stage.ask(hold(ANN, [seat(0)]));
    stage.ask(hold(ANN, [seat(1)], { made_by: 'staff' }));
    const { event } = stage.board.config;
    stage.ask(changeConfig({ event: { ...event, sale_closes_ms: stage.now_ms - 1 } }));
    expect(code(stage.ask(start()))).toBe('event_sales_closed');
    const hold_ids = [stage.board.holdOfSeat(1)?.hold_id ?? ''];
    expect(code(stage.ask(start(ANN, { hold_ids })))).toBe('checkout');
  });

  it('is judged by the zones as they are now, except what staff hold for a caller', () => {
    const memberships = new Map<string, Membership | null>();
    const stage = new Stage(aBoard(), { facts: { memberships } });
    stage.ask(hold(ANN, [seat(0)]));
    stage.ask(hold(BOB, [seat(1)], { made_by: 'staff' }));
    const zone = { access_mode: 'membership_tier', membership_tier: 'gold' } as const;
    stage.ask(zonesWith(stage, 0, zone));
    expect(stage.ask(start())).toEqual({ kind: 'needs_membership', user_id: ANN });
    memberships.set(ANN, null);
    expect(stage.ask(start())).toMatchObject({
      code: 'zone_access_denied',
      items: [{ zone_id: stage.board.config.zones[0]?.zone_id, code: 'zone_access_denied' }],
    });
    memberships.set(ANN, { role: 'customer', tier: 'gold', active: true });
    expect(code(stage.ask(start()))).toBe('checkout');
    expect(code(stage.ask(start(BOB)))).toBe('checkout');
  });
});

describe('the time of a checkout', () => {
  it('is what its first hold has left, and ends at the cap', () => {
    const stage = new Stage(aBoard({ policy: { max_hold_total_minutes: 12 } }));
    stage.ask(hold(ANN, [seat(0)]));
    stage.now_ms += MINUTE_MS;
    stage.ask(hold(ANN, [seat(1)]));
    const { until_ms } = as(stage.ask(start()), 'checkout');
    expect(until_ms).toBe(stage.now_ms + 11 * MINUTE_MS);
    const until = [0, 1].map((ordinal) => stage.board.holdOfSeat(ordinal)?.until_ms);
    expect(until).toEqual([until_ms, until_ms + MINUTE_MS]);
  });

  it('is not made longer where a hold is at the cap already', () => {
    const stage = new Stage(aBoard());
    stage.ask(hold(ANN, [seat(0)], { made_by: 'staff', hold_seconds: 3_600 }));
    const before = stage.board.holdOfSeat(0)?.until_ms;
    expect(as(stage.ask(start()), 'checkout').until_ms).toBe(before);
    expect(stage.rows.at(-1)?.changes.map(({ kind }) => kind)).toEqual(['checkout_started']);
  });

  it('is what it was where a hold may be no longer', () => {
    const stage = new Stage(aBoard({ policy: { max_hold_total_minutes: 10 } }));
    stage.ask(hold(ANN, [seat(0), places(PIT, 2)]));
    const { until_ms, places: where } = as(stage.ask(start()), 'checkout');
    expect(until_ms).toBe(stage.now_ms + 10 * MINUTE_MS);
    expect(stage.rows.at(-1)?.changes.map(({ kind }) => kind)).toEqual(['checkout_started']);
    expect(new Set(where.map(({ seat }) => seat?.label))).toEqual(new Set(['A-1', undefined]));
  });

  it('is short in a demo', () => {
    const stage = new Stage(aBoard(), { facts: { demoHoldSeconds: 7 } });
    stage.ask(hold(ANN, [seat(0)]));
    expect(as(stage.ask(start()), 'checkout').until_ms).toBe(stage.now_ms + 14_000);
  });
});

describe('a checkout that is cancelled', () => {
  it('says what becomes free, seats and places, with the note of the buyer', () => {
    const stage = new Stage(aBoard());
    stage.ask(hold(ANN, [seat(0), places(PIT, 3)]));
    const { checkout } = as(stage.ask(start()), 'checkout');
    const command = { ...cancel(checkout.checkout_id), note: 'ill' };
    const { released } = as(stage.ask(command as never), 'checkout_cancelled');
    const said = released.map(({ place, quantity }) => [place.seat?.label, quantity]);
    expect(new Set(said.map(String))).toEqual(new Set(['A-1,1', ',3']));
    expect(stage.rows.at(-1)?.changes.at(-1)).toMatchObject({
      ...{ kind: 'ended', reason: 'user_cancelled', note: 'ill' },
    });
  });

  it('is not, when its time was over before', () => {
    const { stage, checkout_id } = aCheckout();
    stage.now_ms += 15 * MINUTE_MS;
    expect(code(stage.flush(cancel(checkout_id))[0])).toBe('again');
    expect(stage.ask(cancel(checkout_id))).toMatchObject({
      code: 'checkout_closed',
      details: { status: 'abandoned' },
    });
  });
});

describe('holds that leave a checkout', () => {
  it('take the others out of it when their time is over', () => {
    const stage = new Stage(aBoard());
    stage.ask(hold(ANN, [seat(0)]));
    stage.now_ms += MINUTE_MS;
    stage.ask(hold(ANN, [seat(1)]));
    const { checkout } = as(stage.ask(start()), 'checkout');
    stage.now_ms += 14 * MINUTE_MS;
    stage.flush();
    expect(stage.board.checkoutOf(checkout.checkout_id)).toBeUndefined();
    const closed = stage.rows.at(-1)?.changes.find(({ kind }) => kind === 'checkout_closed');
    expect(closed).toMatchObject({ status: 'abandoned', reason: 'ttl_expired' });
    expect(stage.board.holdOfSeat(1)?.checkout_id).toBeNull();
  });

  it('leave it open with the others, at their prices, when staff release them', () => {
    const { stage, checkout_id, hold_ids } = aCheckout();
    const zones = stage.board.config.zones.map((zone) => ({ ...zone, price_cents: 5_000 }));
    stage.ask(changeConfig({ zones }));
    stage.ask(release({ hold_ids: hold_ids.slice(0, 1) }, null, 'admin_override'));
    expect(stage.board.checkoutOf(checkout_id)?.items).toMatchObject([{ price_cents: 1_000 }]);
    stage.ask(release({ hold_ids: hold_ids.slice(1) }, null, 'admin_override'));
    expect(stage.checkouts.get(checkout_id)?.status).toBe('cancelled');
  });
});

it('a rule about single seats that fails costs no checkout, and says so', () => {
  const troubles: string[] = [];
  class Broken extends Draft {
    override get free(): never {
      throw new Error('the index is upside down');
    }
  }
  const parts = { isBroken: false };
  const policy = { orphan_avoidance_strict: true };
  const stage = new Stage(aBoard({ policy }), {
    draft: (below, at_ms) => new (parts.isBroken ? Broken : Draft)(below, at_ms),
    facts: { trouble: (rule, error) => troubles.push(`${rule}: ${error}`) },
  });
  as(stage.ask(hold(ANN, [seat(1), seat(2)], { orphans: 'tell' })), 'held');
  expect(code(stage.ask(start()))).toBe('orphan_rule');
  parts.isBroken = true;
  expect(code(stage.ask(start()))).toBe('checkout');
  expect(troubles).toEqual(['orphans: Error: the index is upside down']);
});

it('a seat that is being paid for is not blocked; to put it back changes nothing', () => {
  const { stage, checkout_id } = aCheckout();
  as(stage.ask(pay(checkout_id)), 'payment_begun');
  expect(stage.ask(block([0]))).toMatchObject({
    code: 'payment_in_progress',
    items: [{ label: 'A-1', code: 'payment_in_progress' }],
  });
  expect(stage.ask(block([0], 'unblock'))).toEqual({ kind: 'unblocked', seats: 0, unchanged: 1 });
});

import { type Clock, systemClock } from '@voelgoed/engine/kit';
import type { Happening } from '@voelgoed/engine/telemetry';
import { recordingTelemetry } from '@voelgoed/engine/telemetry';
import {
  type Caller,
  cancelCheckout,
  extendHold,
  holdSeats,
  payCheckout,
  receivePayment,
  releaseOwnHolds,
  sellAtDoor,
  startCheckout,
} from '@voelgoed/engine/workflows';
import {
  aCaller,
  anEngine,
  anOrganization,
  aPublishedEvent,
  aUser,
  newId,
} from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { SAMPLES } from '@voelgoed/testkit/happenings';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { alsoLogged, createMetrics } from './metrics.ts';

const database = useDatabase();

/** A buyer before an event, and what their holds say of themselves. */
async function aBuyer(settings: { demoHoldSeconds?: number } = {}) {
  const recorded = recordingTelemetry();
  const engine = anEngine(database.postgres, recorded, settings);
  const scope = await anOrganization(database.postgres);
  const { eventId } = await aPublishedEvent(engine, scope);
  const id = await aUser(database.postgres, scope);
  const actor = { kind: 'user', id, role: 'customer' } as const;
  const caller: Caller = aCaller({ scope, actor, role: 'customer' });
  const board = await engine.registry.board({ scope, eventId });
  const seats = [0, 1, 2].map((ordinal) => board?.plan.seatIdOf(ordinal) ?? '');
  const hold = async (...wanted: readonly string[]) => {
    const items = wanted.map((seat_id) => ({ seat_id }));
    const held = await holdSeats(engine, caller, eventId, {
      items,
      cart_token: null,
      source: 'web',
    });
    if (held.kind !== 'held') throw new Error(`not held: ${held.kind}`);
    return held.holds.map((one) => one.hold.hold_id);
  };
  const said = <Kind extends Happening['kind']>(kind: Kind) => {
    const found = recorded.happenings.filter((one) => one.kind === kind);
    return found as Extract<Happening, { kind: Kind }>[];
  };
  const names = { organization_id: scope.organizationId, event_id: eventId };
  return { engine, scope, eventId, caller, user_id: id, seats, hold, said, names };
}

describe('a line about a hold', () => {
  it('has the seats that were wanted, and those that were got', async () => {
    const { engine, hold, seats, said, names, user_id } = await aBuyer();
    const hold_ids = await hold(...seats);
    const [attempt] = said('hold.attempt');
    expect(attempt?.ids()).toMatchObject({ ...names, user_id, seat_ids: seats });
    const [success] = said('hold.success');
    expect(success?.ids()).toMatchObject({ ...names, user_id, seat_ids: seats, hold_ids });
    // Without Redis, by Postgres alone.
    expect([attempt?.method, success?.method]).toEqual(['postgres', 'postgres']);
    await engine.registry.stop();
  });

  it('says how much longer it lives, and who gets which ticket for it', async () => {
    const { engine, eventId, caller, hold, seats, said, names, user_id } = await aBuyer();
    const hold_ids = await hold(...seats);
    await extendHold(engine, caller, hold_ids[0] ?? '');
    const [extended] = said('hold.extended');
    expect(extended?.new_expiry_minutes).toBeGreaterThan(10);
    const one = { user_ids: [user_id], hold_ids: hold_ids.slice(0, 1) };
    expect(extended?.ids()).toMatchObject({ ...names, ...one, seat_ids: seats.slice(0, 1) });
    const sale = { holdIds: hold_ids, method: 'cash', forHolder: true } as const;
    const sold = await sellAtDoor(engine, aCaller({ scope: caller.scope }), eventId, sale);
    if (sold.kind !== 'done') throw new Error(`not sold: ${sold.kind}`);
    const [converted] = said('hold.converted_to_ticket');
    const ticket_ids = sold.answer.tickets.map((ticket) => ticket.ticket_id);
    expect(converted?.ids()).toMatchObject({ ...names, hold_ids, seat_ids: seats, ticket_ids });
    await engine.registry.stop();
  });
});

describe('how long holds lasted', () => {
  it('is counted for each of them, also when one commit ends them', async () => {
    const { engine, scope, eventId, hold, seats, said } = await aBuyer({ demoHoldSeconds: 1 });
    await hold(...seats);
    await eventually(async () => {
      await engine.registry.sweep({ scope, eventId }, systemClock.monotonic() + 2_000);
      return said('hold.expired').length > 0;
    });
    const [expired] = said('hold.expired');
    expect([expired?.held_ms.length, expired?.late_ms.length]).toEqual([3, 3]);
    for (const one of expired?.held_ms ?? []) expect(one).toBeGreaterThanOrEqual(1_000);
    const metrics = createMetrics();
    if (expired) metrics.telemetry.emit(expired);
    const text = await metrics.text();
    expect(text).toContain('voelgoed_hold_lasted_seconds_count{reason="ttl_expired"} 3');
    expect(text).toContain('voelgoed_hold_expiry_lag_seconds_count 3');
    await engine.registry.stop();
  });
});

describe('a checkout that comes too late', () => {
  it('is counted, whether it names holds, a cart or the event alone', async () => {
    const { engine, scope, eventId, caller, hold, seats, said } = await aBuyer({
      demoHoldSeconds: 1,
    });
    const start = (holdIds: string[] | null, cartToken: string | null) =>
      startCheckout(engine, caller, { eventId, holdIds, cartToken, allowOrphan: true });
    expect(await start(null, null)).toMatchObject({ refusal: { code: 'no_active_holds' } });
    const hold_ids = await hold(...seats);
    const [mine] =
      (await engine.registry.board({ scope, eventId }))?.holdsOfUser(user(caller)) ?? [];
    await eventually(async () => {
      await engine.registry.sweep({ scope, eventId }, systemClock.monotonic() + 2_000);
      return said('hold.expired').length > 0;
    });
    expect(said('hold.expired_before_checkout')).toHaveLength(0);
    for (const [holds, cart] of [
      [hold_ids, null],
      [null, mine?.cart_token ?? ''],
      [null, null],
    ] as const) {
      expect(await start(holds && [...holds], cart)).toEqual({ kind: 'hold_expired' });
    }
    expect(said('hold.expired_before_checkout')).toHaveLength(3);
    // A buyer who has chosen again and given it back holds nothing, and knows why.
    const items = [{ seat_id: seats[0] ?? '' }];
    const cart_token = mine?.cart_token ?? '';
    await holdSeats(engine, caller, eventId, { items, cart_token, source: 'web' });
    await releaseOwnHolds(engine, caller, eventId);
    expect(await start(null, null)).toMatchObject({ refusal: { code: 'no_active_holds' } });
    await engine.registry.stop();
  });
});

const user = ({ actor }: Caller) => actor.id ?? '';

describe('a release that did not come about', () => {
  it('is counted by scenario: cancelled checkouts and failed payments, too', async () => {
    const { engine, eventId, caller, hold, seats, said, names } = await aBuyer();
    await hold(...seats);
    const wish = { eventId, holdIds: null, cartToken: null, allowOrphan: true };
    const started = await startCheckout(engine, caller, wish);
    if (started.kind !== 'checkout') throw new Error(`not started: ${started.kind}`);
    const { checkout_id } = started.view.checkout;
    const begun = await payCheckout(engine, caller, checkout_id, 'test');
    if (begun.kind !== 'payment_begun') throw new Error(`not begun: ${begun.kind}`);
    const { attempt_id, amount_cents } = begun.payment;
    const late_ms = systemClock.monotonic() - 1;
    const late = { ...caller, deadline_ms: late_ms };
    await expect(cancelCheckout(engine, late, checkout_id, null)).rejects.toThrow();
    const gone = { ...late, signal: AbortSignal.abort() };
    await expect(cancelCheckout(engine, gone, checkout_id, null)).rejects.toThrow();
    const about = { attempt_id, amount_cents, provider: 'test', message_id: newId() };
    const message = { ...about, currency: 'ZAR' };
    const told = (type: 'payment.failed' | 'payment.succeeded') =>
      receivePayment(engine, { ...message, type }, late_ms);
    await expect(told('payment.succeeded')).rejects.toThrow();
    await expect(told('payment.failed')).rejects.toThrow();
    const failed = said('release.failed');
    expect(failed.map(({ reason, code }) => [reason, code])).toEqual([
      ['user_cancelled', 'event_busy'],
      ['payment_failed', 'event_busy'],
    ]);
    for (const { ids } of failed) expect(ids).toMatchObject({ ...names, checkout_id });
    await engine.registry.stop();
  });
});

describe('an extension that did not come about', () => {
  it('is no failure when the buyer has left', async () => {
    const { engine, eventId, caller, hold, seats, said } = await aBuyer();
    const [first = ''] = await hold(...seats);
    const gone = { ...caller, signal: AbortSignal.abort() };
    const wish = { eventId, holdIds: null, cartToken: null, allowOrphan: true };
    await expect(extendHold(engine, gone, first)).rejects.toMatchObject({ code: 'event_busy' });
    await expect(startCheckout(engine, gone, wish)).rejects.toMatchObject({ code: 'event_busy' });
    expect(said('hold.extension_failed')).toEqual([]);
    // The control: without a reason of their own, they are.
    const late = { ...caller, deadline_ms: systemClock.monotonic() - 1 };
    await expect(extendHold(engine, late, first)).rejects.toMatchObject({ code: 'event_busy' });
    await expect(startCheckout(engine, late, wish)).rejects.toMatchObject({ code: 'event_busy' });
    expect(said('hold.extension_failed')).toHaveLength(2);
    // Who has nothing, or a checkout already, was not to be given more time.
    const other = { ...wish, cartToken: 'another cart' };
    await expect(startCheckout(engine, late, other)).rejects.toMatchObject({ code: 'event_busy' });
    expect(said('hold.extension_failed')).toHaveLength(2);
    await engine.registry.stop();
  });
});

it('an extension of many holds is one command, as a failed one is', async () => {
  const metrics = createMetrics();
  const { 'hold.extended': extended, 'hold.extension_failed': failed } = SAMPLES;
  metrics.telemetry.emit({ ...extended, holds: 6 } as Happening);
  metrics.telemetry.emit(failed);
  const text = await metrics.text();
  expect(text).toContain('voelgoed_hold_extension_total 1\n');
  expect(text).toContain('voelgoed_hold_extension_failed_total 1\n');
  expect(text).toContain('voelgoed_hold_extended_total 6\n');
});

describe('lines that come with every hold', () => {
  const fallback = (seat: string): Happening => ({
    kind: 'hold.redis_fallback',
    fallback: 'postgres',
    ids: () => ({ organization_id: 'o', event_id: 'e', seat_ids: [seat] }),
  });

  function aLog() {
    const lines: Record<string, unknown>[] = [];
    let now_ms = 0;
    const clock: Clock = { ...systemClock, monotonic: () => now_ms };
    const logger = pino(
      { level: 'warn' },
      { write: (line: string) => lines.push(JSON.parse(line)) },
    );
    const metrics = createMetrics({ redis: true });
    const { emit } = alsoLogged(metrics.telemetry, logger, clock);
    return { lines, metrics, emit, pass: (ms: number) => (now_ms += ms) };
  }

  it('are a few a second, and the next one says how many are not there', async () => {
    const { lines, metrics, emit, pass } = aLog();
    for (let times = 0; times < 100; times++) emit(fallback(`seat ${times}`));
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatchObject({ level: 40, ids: { event_id: 'e', seat_ids: ['seat 0'] } });
    pass(1_000);
    emit(fallback('the next'));
    expect(lines[5]).toMatchObject({ left_out: 95, ids: { seat_ids: ['the next'] } });
    expect(await metrics.text()).toContain('voelgoed_hold_redis_fallback_total 101');
  });
});

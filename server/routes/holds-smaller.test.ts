import type { ErrorCode } from '@voelgoed/client/wire';
import { userIdOf } from '@voelgoed/engine/accounts';
import { replayBoard } from '@voelgoed/engine/registry';
import { anEngine, newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import {
  aHybridHall,
  documentedCodes,
  PAYMENT_SECRET,
  REDUCE,
  tell,
  useCodes,
  useShows,
  whileCommitsAreSlow,
  whileLocked,
} from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, node, scope, show } = useShows({
  PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET,
});
const { provoke: provokeOn, provoked } = useCodes(ask);

type Buyer = ReturnType<typeof buyer>;
const pathOf = (hold: string) => REDUCE.replace('{hold_id}', hold);
const reduce = (ann: Buyer, hold: string, quantity: number, headers = {}) =>
  ann.ask(pathOf(hold), { body: { quantity }, headers });
const provoke = (code: ErrorCode, ann: Buyer, hold: string, body: object = { quantity: 3 }) =>
  provokeOn(code, REDUCE, pathOf(hold), { token: ann.token, body });
const rows = (sql: string, values: unknown[]) => database.asSuperuser(sql, values);

/** Ann with four places of the pit, which has room for five. */
async function fourPlaces(ann = buyer()) {
  const { eventId, seats, zones } = await show({ config: aHybridHall() });
  const [, pit = ''] = zones;
  const held = await ann.hold(eventId, [{ zone_id: pit, quantity: 4 }]);
  expect(held.status, JSON.stringify(held.body)).toBe(201);
  const [{ hold_id: hold = '' } = {}] = held.data.holds as { hold_id: string }[];
  return { ann, eventId, seats, pit, hold, held };
}

async function aCheckout() {
  const one = await fourPlaces();
  const started = await one.ann.ask('POST /api/checkouts', { body: { event_id: one.eventId } });
  return { ...one, started, id: String(started.data.checkout_id) };
}

describe('a hold of four places that becomes one of three', () => {
  it('keeps its id and its time, and every table and the map say the same', async () => {
    const { ann, eventId, pit, hold, held } = await fourPlaces();
    expect(held.data.message).toMatch(/^4 places are held for you/);
    const reply = await reduce(ann, hold, 3);
    expect(reply.data).toMatchObject({
      hold_id: hold,
      quantity: 3,
      released_count: 1,
      status: 'held',
      held_until: held.data.held_until,
      message: expect.stringMatching(/^3 places are held for you/),
    });
    const [row] = await rows('select quantity, status from seat_holds where hold_id = $1', [hold]);
    expect(row).toEqual({ quantity: 3, status: 'active' });
    const [zone] = await rows('select held from event_zones where zone_id = $1', [pit]);
    expect(zone).toEqual({ held: 3 });
    const { data } = await ask(`GET /api/events/${eventId}/availability`);
    expect(data.zones).toContainEqual(expect.objectContaining({ zone_id: pit, available: 2 }));
    const two = await buyer().hold(eventId, [{ zone_id: pit, quantity: 2 }]);
    expect(two.status).toBe(201);
  });

  it('is the same on a board that is loaded, and in a replay of the log', async () => {
    const { ann, eventId, hold } = await fourPlaces();
    await reduce(ann, hold, 2);
    const event = { scope: scope(), eventId };
    const loaded = await anEngine(database.postgres).registry.board(event);
    if (!loaded) throw new Error('a published event has a board');
    expect(loaded.holdOf(hold)?.quantity).toBe(2);
    const [head] = await rows('select revision from event_boards where event_id = $1', [eventId]);
    const replayed = await database.postgres.transaction(event.scope, { name: 'test' }, (one) =>
      replayBoard(one, event, Number(head?.revision), async () => loaded.plan),
    );
    if (replayed.kind !== 'board') throw new Error('every revision is kept');
    expect(replayed.board.holdOf(hold)?.quantity).toBe(2);
    expect(replayed.board.digest).toBe(loaded.digest);
  });

  it('is in the trail and the log, and Redis has it', async () => {
    const { ann, eventId, pit, hold } = await fourPlaces();
    await reduce(ann, hold, 3);
    const { list } = await ask(`GET /api/admin/audit?event_id=${eventId}`);
    expect(list[0]).toMatchObject({
      action: 'seat_hold_reduced',
      entity_id: hold,
      changes: { zone_id: pit, previous_quantity: 4, quantity: 3 },
    });
    expect((await ask(`GET /api/admin/audit/verify?event_id=${eventId}`)).data.ok).toBe(true);
    const log = await ask(`GET /api/admin/events/${eventId}/changes?after=1`);
    expect(log.list.flatMap(({ changes }) => changes).at(-1)).toMatchObject({
      kind: 'hold_reduced',
      places: [{ hold_id: hold, zone_id: pit, quantity: 1 }],
    });
    const status = await eventually(async () => {
      const reply = await ask(`GET /api/admin/registry?event_id=${eventId}`);
      return reply.data.consistent ? reply : null;
    });
    expect(status.data).toMatchObject({ consistent: true });
  });

  it('does it once with a key, and refuses the key for another number', async () => {
    const { ann, hold } = await fourPlaces();
    const key = { 'idempotency-key': newId() };
    const first = await reduce(ann, hold, 2, key);
    const again = await reduce(ann, hold, 2, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.data).toEqual(first.data);
    const headers = { ...key };
    await provokeOn('idempotency_key_reused', REDUCE, pathOf(hold), {
      ...{ token: ann.token, headers, body: { quantity: 1 } },
    });
    // Asked for what there is, nothing happens.
    expect((await reduce(ann, hold, 2)).data).toMatchObject({ released_count: 0 });
  });

  it('takes the places off an open checkout, whose price follows', async () => {
    const { ann, hold, id, started } = await aCheckout();
    await reduce(ann, hold, 3);
    const { data } = await ann.ask(`GET /api/checkouts/${id}`);
    expect(data).toMatchObject({ status: 'started', items: [{ hold_id: hold, quantity: 3 }] });
    expect(Number(data.total_cents) * 4).toBe(Number(started.data.total_cents) * 3);
    const [row] = await rows('select items, total_cents from checkouts where checkout_id = $1', [
      id,
    ]);
    expect(row).toMatchObject({ items: [{ quantity: 3 }], total_cents: `${data.total_cents}` });
    const { data: begun } = await ann.ask(`POST /api/checkouts/${id}/pay`);
    expect(begun.amount_cents).toBe(data.total_cents);
    const { attempt_id, amount_cents } = begun;
    await tell(node().address, { type: 'payment.succeeded', attempt_id, amount_cents });
    const tickets = await rows('select from tickets where checkout_id = $1', [id]);
    expect(tickets).toHaveLength(3);
  });
});

describe('a hold does not become smaller', () => {
  it('for a body, an id or a credential that is none', async () => {
    const { ann, hold } = await fourPlaces();
    const refused = await provoke('invalid_request', ann, hold, { quantity: 0 });
    expect(refused.body.details).toEqual({
      problems: [{ path: 'body/quantity', message: 'must be >= 1' }],
    });
    await provoke('unauthorized', { ...ann, token: 'x' }, hold);
    const body = { name: 'reader', scopes: ['events:read'] };
    const made = await ask('POST /api/admin/api-keys', { body });
    await provoke('forbidden', { ...ann, token: String(made.data.key) }, hold);
    await provoke('body_too_large', ann, hold, { much: 'x'.repeat(1_100_000) });
  });

  it('for somebody else, upwards, or when it is over', async () => {
    const { ann, hold } = await fourPlaces();
    await provoke('hold_not_found', ann, newId());
    await provoke('hold_not_found', buyer(), hold);
    const refused = await provoke('hold_cannot_grow', ann, hold, { quantity: 5 });
    expect(refused.body.details).toEqual({ quantity: 4 });
    await ann.ask(`DELETE /api/holds/${hold}`);
    await provoke('hold_not_found', ann, hold);
    const late = await fourPlaces();
    await rows(
      `update seat_holds set created_at = created_at - interval '1 hour',
         held_until = clock_timestamp() - interval '1 s' where hold_id = $1`,
      [late.hold],
    );
    await anEngine(database.postgres).registry.submit(
      { scope: scope(), eventId: late.eventId },
      {
        ...{ command: { kind: 'sweep' }, context: null, key: null },
        actor: { kind: 'system', id: null, role: null },
        deadline_ms: Number.POSITIVE_INFINITY,
      },
    );
    await provoke('hold_expired', late.ann, late.hold);
  });

  it('while somebody pays for it, nor when it is paid', async () => {
    const { ann, hold, id } = await aCheckout();
    const { data } = await ann.ask(`POST /api/checkouts/${id}/pay`);
    await provoke('payment_in_progress', ann, hold);
    const { attempt_id, amount_cents } = data;
    await tell(node().address, { type: 'payment.succeeded', attempt_id, amount_cents });
    await provoke('ticket_already_paid', ann, hold);
  });

  it('below the people that were named', async () => {
    const pit = { access_mode: 'membership_tier', membership_tier: 'gold' };
    const { eventId, zones } = await show({ config: aHybridHall({ pit }) });
    for (const subject of ['ann', 'bob', 'eve']) {
      const body = { subject, role: 'customer', tier: 'gold' };
      await ask('POST /api/admin/members', { body });
    }
    const ann = buyer('ann');
    const for_user_ids = ['bob', 'eve'].map((one) => userIdOf(scope().organizationId, one));
    const held = await ann.hold(eventId, [{ zone_id: zones[1], quantity: 3, for_user_ids }]);
    const [{ hold_id: hold = '' } = {}] = held.data.holds as { hold_id: string }[];
    await provoke('zone_access_denied', ann, hold, { quantity: 1 });
    expect((await reduce(ann, hold, 2)).data).toMatchObject({ quantity: 2 });
  });

  it('while the event is busy; and what nobody could learn is there with its key', async () => {
    const { ann, eventId, hold } = await fourPlaces();
    await whileLocked(database, eventId, () => provoke('event_busy', ann, hold));
    const asked = {
      ...{ token: ann.token, headers: { 'idempotency-key': 'lost' }, body: { quantity: 3 } },
    };
    await whileCommitsAreSlow(database, () =>
      provokeOn('outcome_unknown', REDUCE, pathOf(hold), asked),
    );
    const reply = await eventually(async () => {
      const tried = await ann.ask(pathOf(hold), asked);
      return tried.status === 200 ? tried : null;
    });
    expect(reply.headers.get('idempotent-replayed')).toBe('true');
    expect(reply.data).toMatchObject({ quantity: 3, released_count: 1 });
  });
});

describe('the documented codes of this route', () => {
  it('were all provoked, and no other', async () => {
    expect([...provoked].sort()).toEqual(await documentedCodes(node().address, [REDUCE]));
  });
});

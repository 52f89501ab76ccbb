import { anOrganization } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { goodSignatures, useReceivers } from '@voelgoed/testkit/receivers';
import { call, tokenFor } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const shows = useShows({ ALLOW_INTERNAL_ADDRESSES: '1' });
const receivers = useReceivers();
const { ask, buyer, database, node, scope } = shows;
const WEBHOOKS = '/api/admin/webhooks';

async function anEndpoint(wanted: object = {}) {
  const receiver = await receivers();
  const { eventId, seats } = await shows.show();
  const body = { url: receiver.url, ...wanted };
  const made = await ask(`POST ${WEBHOOKS}`, { body });
  expect(made.status).toBe(201);
  const id = String(made.data.webhook_id);
  const one = `${WEBHOOKS}/${id}`;
  const log = async (query = '') => (await ask(`GET ${one}/deliveries${query}`)).list;
  const look = async () => (await ask(`GET ${one}`)).data;
  const reserve = (seat: number) => buyer().reserve(eventId, seats[seat] ?? '');
  return { receiver, eventId, made, id, one, log, look, reserve, secret: String(made.data.secret) };
}

/** Makes everything that waits due now, as if the pause were over. */
const hurry = () =>
  database.asSuperuser(
    `with d as (update webhook_deliveries set next_at = null where status = 'pending')
     update webhooks set next_at = now() where status = 'active' and next_at is not null`,
  );

describe('an endpoint', () => {
  it('shows its secret once', async () => {
    const { made, one, id, secret } = await anEndpoint({ description: 'Mail', kinds: ['test'] });
    expect(made.data).toMatchObject({ description: 'Mail', kinds: ['test'], status: 'active' });
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
    const list = await ask(`GET ${WEBHOOKS}`);
    expect(list.list.map(({ webhook_id }) => webhook_id)).toEqual([id]);
    for (const reply of [list, await ask(`GET ${one}`)]) {
      expect(JSON.stringify(reply.body)).not.toMatch(/whsec|secret_salt|previous_salt/);
    }
    const body = { url: 'http://127.0.0.1:9/' };
    const headers = { 'idempotency-key': 'once' };
    const first = await ask(`POST ${WEBHOOKS}`, { body, headers });
    const again = await ask(`POST ${WEBHOOKS}`, { body, headers });
    expect([again.data.webhook_id, again.data.secret]).toEqual([first.data.webhook_id, null]);
    // A dump of the database has nothing that signs.
    const rows = await database.asSuperuser('select w::text as row from webhooks w');
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
  });

  it('is changed and removed, and the trail says by whom', async () => {
    const { one, id } = await anEndpoint();
    const changed = await ask(`PATCH ${one}`, { body: { kinds: ['seat_sold'] } });
    expect(changed.data).toMatchObject({ kinds: ['seat_sold'], event_ids: [] });
    expect((await ask(`PATCH ${one}`, { body: { kinds: ['nonsense'] } })).status).toBe(400);
    expect((await ask(`DELETE ${one}`)).status).toBe(200);
    expect((await ask(`GET ${one}`)).status).toBe(404);
    const trail = await ask(`GET /api/admin/audit?entity_id=${id}`);
    expect(trail.list.map(({ action }) => action)).toEqual([
      'webhook_removed',
      'webhook_changed',
      'webhook_created',
    ]);
  });

  it('is one of twenty at most', async () => {
    const body = { url: 'http://127.0.0.1:9/' };
    const made = await Promise.all(
      Array.from({ length: 22 }, () => ask(`POST ${WEBHOOKS}`, { body })),
    );
    const refused = made.filter(({ status }) => status !== 201);
    expect(refused.map((reply) => [reply.status, reply.body.error])).toEqual(
      Array(2).fill([409, 'webhook_limit_reached']),
    );
  });

  it('is signed with both secrets while a rotated one lives on', async () => {
    const { one, receiver, secret, reserve } = await anEndpoint();
    const rotated = await ask(`POST ${one}/rotate`, { body: { overlap_hours: 1 } });
    const fresh = String(rotated.data.secret);
    expect(fresh).not.toBe(secret);
    await reserve(0);
    const both = await receiver.one('seat_held');
    expect([goodSignatures(secret, both), goodSignatures(fresh, both)]).toEqual([1, 1]);
    await ask(`POST ${one}/rotate`, { body: { overlap_hours: 0 } });
    const tested = await ask(`POST ${one}/test`);
    expect(tested.data).toMatchObject({ kind: 'test', status: 'delivered' });
    const test = await receiver.one('test');
    expect([goodSignatures(secret, test), goodSignatures(fresh, test)]).toEqual([0, 0]);
  });

  it('that is disabled hears nothing, and everything when it is enabled', async () => {
    const { one, receiver, reserve, look } = await anEndpoint();
    expect((await ask(`POST ${one}/disable`)).data).toMatchObject({ disabled_reason: 'by_hand' });
    await reserve(0);
    await reserve(2);
    expect((await ask(`POST ${one}/test`)).data).toMatchObject({ status: 'delivered' });
    expect(receiver.kinds()).toEqual(['test']);
    expect(await look()).toMatchObject({ status: 'disabled', pending: 0 });
    expect((await ask(`POST ${one}/enable`)).data).toMatchObject({ status: 'active' });
    await eventually(() => receiver.received.length === 3, { within_ms: 8_000 });
    expect(receiver.kinds()).toEqual(['test', 'seat_held', 'seat_held']);
  });
});

describe('the test button', () => {
  it('says what came of it, at once, also when nobody answers', async () => {
    const { one, receiver, log } = await anEndpoint();
    receiver.answer((_, reply) => {
      reply.writeHead(418).end('I am a teapot');
      return undefined;
    });
    expect((await ask(`POST ${one}/test`)).data).toMatchObject({
      status: 'dead',
      response_status: 418,
      response_body: 'I am a teapot',
      error: 'answered 418',
      attempts: 1,
    });
    await ask(`PATCH ${one}`, { body: { url: 'http://127.0.0.1:9/' } });
    const nobody = await ask(`POST ${one}/test`);
    expect(nobody.data).toMatchObject({ status: 'dead', response_status: null });
    expect(String(nobody.data.error)).toMatch(/ECONNREFUSED/);
    expect(await log()).toHaveLength(2);
  });
});

describe('the delivery log', () => {
  it('has every delivery with what came of it, page by page', async () => {
    const { one, receiver, log, reserve } = await anEndpoint();
    for (const seat of [0, 2, 4]) await reserve(seat);
    await eventually(async () => (await log('?status=delivered')).length === 3, {
      within_ms: 8_000,
    });
    const [youngest] = await log('?limit=1');
    expect(youngest).toMatchObject({
      kind: 'seat_held',
      attempts: 1,
      response_status: 204,
      duration_ms: expect.any(Number),
      error: null,
    });
    expect(await log(`?limit=5&before=${youngest?.sequence}`)).toHaveLength(2);
    expect(await log('?status=dead')).toEqual([]);
    const detail = await ask(`GET ${one}/deliveries/${youngest?.delivery_id}`);
    const told = receiver.received.find(({ id }) => id === youngest?.delivery_id);
    // Who it is about is looked up when it is sent, so that what was erased is not kept here.
    const { people: _, ...message } = told?.message ?? { people: [] };
    expect(detail.data.payload).toEqual(message);
  });

  it('replays one with the same id, and all since a time or a revision', async () => {
    const { one, eventId, receiver, log, reserve } = await anEndpoint();
    for (const seat of [0, 2]) await reserve(seat);
    await eventually(async () => (await log('?status=delivered')).length === 2, {
      within_ms: 8_000,
    });
    const [first, second] = receiver.ids();
    const replay = await ask(`POST ${one}/deliveries/${first}/replay`);
    expect(replay.data).toMatchObject({ delivery_id: first, status: 'pending' });
    await eventually(() => receiver.received.length === 3, { within_ms: 8_000 });
    const revision = Number(receiver.received[1]?.message.revision);
    const after = { event_id: eventId, after_revision: revision - 1 };
    expect((await ask(`POST ${one}/replay`, { body: after })).data).toMatchObject({ events: 1 });
    await eventually(() => receiver.received.length === 4, { within_ms: 8_000 });
    const since = { from: '2020-01-01T00:00:00Z' };
    expect((await ask(`POST ${one}/replay`, { body: since })).data).toMatchObject({ events: 1 });
    await eventually(() => receiver.received.length === 6, { within_ms: 8_000 });
    expect(receiver.ids()).toEqual([first, second, first, second, first, second]);
    expect(await log()).toHaveLength(2);
  });

  it('shows a failure, holds back what comes after it, and lets it be skipped', async () => {
    const { one, receiver, log, look, reserve } = await anEndpoint();
    receiver.answer(() => 500);
    await reserve(0);
    await receiver.one('seat_held');
    await reserve(2);
    const failed = await eventually(
      async () => (await log('?status=pending')).find(({ attempts }) => Number(attempts) > 0),
      { within_ms: 8_000 },
    );
    expect(failed).toMatchObject({ error: 'answered 500', next_at: expect.any(String) });
    expect(await look()).toMatchObject({
      status: 'active',
      failing_since: expect.any(String),
      last_error: 'answered 500',
    });
    const [stuck] = receiver.ids();
    expect(new Set(receiver.ids())).toEqual(new Set([stuck]));
    receiver.answer(() => 204);
    await ask(`POST ${one}/deliveries/${stuck}/skip`);
    await eventually(() => receiver.ids().some((id) => id !== stuck), { within_ms: 8_000 });
    expect((await log('?status=dead')).map(({ delivery_id }) => delivery_id)).toEqual([stuck]);
    const healthy = await eventually(
      async () => ((await look()).failing_since === null ? look() : undefined),
      { within_ms: 8_000 },
    );
    expect(healthy.last_error).toBeNull();
  });

  it('tries again, and it is the same delivery', async () => {
    const { receiver, log, reserve } = await anEndpoint();
    receiver.answer(({ attempt }) => (attempt < 3 ? 503 : 200));
    await reserve(0);
    await eventually(
      async () => {
        await hurry();
        return (await log('?status=delivered')).length === 1;
      },
      { within_ms: 15_000, every_ms: 200 },
    );
    expect(receiver.received.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(receiver.ids()).size).toBe(1);
  });
});

describe('another organization', () => {
  it('is told nothing', async () => {
    const other = await anOrganization(database.postgres);
    const token = tokenFor(other.organizationId);
    const foreign = await receivers();
    const body = { url: foreign.url };
    await call(node().address, `POST ${WEBHOOKS}`, { token, body });
    const { receiver, eventId, id, reserve } = await anEndpoint();
    await call(node().address, `POST ${WEBHOOKS}`, {
      token,
      body: { ...body, event_ids: [eventId] },
    });
    await reserve(0);
    await receiver.one('seat_held');
    const cursors = await database.asSuperuser(
      'select distinct organization_id from webhook_cursors where event_id = $1',
      [eventId],
    );
    expect(cursors).toEqual([{ organization_id: scope().organizationId }]);
    expect(foreign.received).toEqual([]);
    const seen = await call(node().address, `GET ${WEBHOOKS}/${id}`, { token });
    expect(seen.status).toBe(404);
  });
});

describe('metrics', () => {
  it('count deliveries by outcome and show the lag', async () => {
    const { receiver, reserve } = await anEndpoint();
    await reserve(0);
    await receiver.one('seat_held');
    const text = await eventually(
      async () => {
        const reply = await fetch(`${node().address}/metrics`);
        const page = await reply.text();
        return /webhook_deliveries_total\{outcome="delivered"\} [1-9]/.test(page)
          ? page
          : undefined;
      },
      { within_ms: 8_000 },
    );
    expect(text).toMatch(/^voelgoed_webhook_lag_seconds [\d.]+$/m);
  });
});

import { scopesOf, userIdOf } from '@voelgoed/engine/accounts';
import { OperatingError } from '@voelgoed/engine/kit';
import { withClient } from '@voelgoed/engine/postgres';
import { aboutCheckout, aboutSeats, aboutUsers, searchAudit } from '@voelgoed/engine/workflows';
import { anEngine, newId } from '@voelgoed/testkit/builders';
import { planOf } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, type Reply, tokenFor } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

/** Holds live for five seconds: long enough to sell them, short enough to wait for. */
const { ask, buyer, database, node, scope, sellTo, show } = useShows({
  DEMO: '1',
  DEMO_HOLD_TTL_SECONDS: '5',
});

const AUDIT = 'GET /api/admin/audit';
const idOf = (subject: string) => userIdOf(scope().organizationId, subject);

const search = async (eventId: string, query: Record<string, unknown>) => {
  const text = new URLSearchParams({ event_id: eventId, ...query }).toString();
  return (await ask(`${AUDIT}?${text}`)).list;
};
const deeds = (list: Reply['list']) => list.map(({ action }) => action).reverse();

/** Ann's time runs out on A-1; Bob buys it with A-2 and is moved; staff block it for a while. */
async function aLifeOfASeat() {
  const { eventId, seats } = await show();
  const ann = buyer('ann');
  const lost = await ann.reserve(eventId, seats[0] ?? '');
  await eventually(async () => (await search(eventId, { action: 'seat_hold_expired' }))[0]);
  const items = [{ seat_id: seats[0] }, { seat_id: seats[1] }];
  const [ticket, other] = await sellTo(buyer('bob'), eventId, items);
  const staff = async (path: string, body: object) => {
    const reply = await ask(`POST /api/admin/${path}`, { body: { reason: 'rain', ...body } });
    expect(reply.status).toBe(200);
  };
  await staff(`tickets/${ticket?.ticket_id}/reseat`, { seat_id: seats[4] });
  await staff(`events/${eventId}/seats/block`, { seat_ids: [seats[0], seats[5]] });
  await staff(`events/${eventId}/seats/unblock`, { seat_ids: [seats[0]] });
  await staff(`tickets/${other?.ticket_id}/void`, {});
  return { eventId, seats, ann, lost, checkout: String(ticket?.checkout_id) };
}

describe('the audit log', () => {
  it('is searched by seat: who had A-1 at what time', async () => {
    const { eventId, seats } = await aLifeOfASeat();
    const all = await search(eventId, { seat: 'A-1' });
    expect(deeds(all)).toEqual([
      'seat_reserved',
      'seat_hold_expired',
      'seat_reserved',
      'checkout_completed',
      'ticket_reseated',
      'seats_blocked',
      'seats_unblocked',
    ]);
    expect(all.every(({ seat_labels }) => (seat_labels as string[]).includes('A-1'))).toBe(true);
    expect(await search(eventId, { seat: seats[0] })).toEqual(all);
    const sold = all.find(({ action }) => action === 'checkout_completed');
    const [, expired] = [...all].reverse();
    const before = await search(eventId, { seat: 'A-1', to: String(expired?.at), limit: 1 });
    expect(before).toMatchObject([{ action: 'seat_reserved', user_id: idOf('ann') }]);
    expect(expired).toMatchObject({ actor_id: null, user_id: idOf('ann'), seat_labels: ['A-1'] });
    expect(sold?.changes).toMatchObject({ previous_status: 'active', new_status: 'converted' });
    // Where the ticket went it comes with its sale; other seats have nothing of this one.
    const to = ['checkout_completed', 'ticket_reseated'];
    expect(deeds(await search(eventId, { seat: 'A-5' }))).toEqual(to);
    const beside = ['seat_reserved', 'checkout_completed', 'ticket_voided'];
    expect(deeds(await search(eventId, { seat: 'A-2' }))).toEqual(beside);
    expect(await search(eventId, { seat: 'A-9' })).toEqual([]);
  });

  it('is searched by user: what happened to them, whoever did it', async () => {
    const { eventId } = await aLifeOfASeat();
    const hers = await search(eventId, { user: idOf('ann') });
    expect(deeds(hers)).toEqual(['seat_reserved', 'seat_hold_expired']);
    const his = [
      'seat_reserved',
      'seat_reserved',
      'checkout_completed',
      'ticket_reseated',
      'ticket_voided',
    ];
    expect(deeds(await search(eventId, { user: idOf('bob') }))).toEqual(his);
    const staff = deeds(await search(eventId, { user: idOf('tester') }));
    expect(staff).toEqual([
      'checkout_completed',
      'ticket_reseated',
      'seats_blocked',
      'seats_unblocked',
      'ticket_voided',
    ]);
  });

  it('is searched by checkout, by all of these together, and page by page', async () => {
    const { eventId, checkout } = await aLifeOfASeat();
    const { list } = await ask(`${AUDIT}?checkout_id=${checkout}`);
    const whole = [
      'seat_reserved',
      'seat_reserved',
      'checkout_completed',
      'ticket_reseated',
      'ticket_voided',
    ];
    expect(deeds(list)).toEqual(whole);
    expect(await search(eventId, { checkout_id: checkout })).toEqual(list);
    const both = await search(eventId, { seat: 'A-1', user: idOf('bob') });
    expect(deeds(both)).toEqual(['seat_reserved', 'checkout_completed', 'ticket_reseated']);
    expect(await search(eventId, { seat: 'A-1', checkout_id: checkout })).toEqual(both);
    expect(await search(eventId, { seat: 'A-2', user: idOf('ann') })).toEqual([]);
    const reserved = { seat: 'A-1', action: 'seat_reserved' };
    const [second, first] = await search(eventId, reserved);
    const page = await search(eventId, { ...reserved, limit: 1 });
    expect(page).toEqual([second]);
    const next = { ...reserved, limit: 1, before: String(second?.sequence) };
    expect(await search(eventId, next)).toEqual([first]);
    const none = await search(eventId, {
      ...reserved,
      from: String(page[0]?.at),
      actor_id: newId(),
    });
    expect(none).toEqual([]);
  });

  it('finds people by their address, and names them to those who may read tickets', async () => {
    const { eventId, seats } = await show();
    const token = tokenFor(scope().organizationId, { role: 'staff', subject: 'counter' });
    const body = { items: [{ seat_id: seats[0] }], for: 'Thandi Nkosi' };
    await ask(`POST /api/admin/events/${eventId}/holds`, { token, body });
    const [entry] = await search(eventId, { seat: 'A-1' });
    expect(entry).toMatchObject({ user_name: 'Thandi Nkosi' });
    await database.asSuperuser(`update users set email = 'Thandi@x.test' where user_id = $1`, [
      entry?.user_id,
    ]);
    expect(await search(eventId, { user: 'thandi@X.test' })).toMatchObject([
      { sequence: entry?.sequence },
    ]);
    const key = await aKey('audit:read');
    const read = await call(node().address, `${AUDIT}?event_id=${eventId}&seat=A-1`, key);
    expect(read.list).toMatchObject([{ user_name: null, user_id: entry?.user_id }]);
    for (const email of ['thandi@x.test', 'who@x.test']) {
      for (const route of [AUDIT, 'GET /api/admin/refusals']) {
        const reply = await call(node().address, `${route}?user=${email}`, key);
        expect([reply.status, reply.body.error]).toEqual([403, 'forbidden']);
        expect(reply.body.message).toContain('`tickets:read`');
      }
    }
    const both = await aKey('audit:read', 'tickets:read');
    const known = `${AUDIT}?event_id=${eventId}&user=thandi@x.test`;
    expect((await call(node().address, known, both)).list).toHaveLength(1);
  });

  it('is read without labels while the board cannot be loaded; of a seat it is not', async () => {
    const { eventId, seats } = await show();
    await buyer('ann').reserve(eventId, seats[0] ?? '');
    const engine = anEngine(database.postgres);
    const failing = (error: Error) => {
      engine.registry.board = () => Promise.reject(error);
    };
    const find = async (query: object) => {
      const caller = { scope: scope(), scopes: scopesOf('owner') };
      const found = await searchAudit(engine, caller, { eventId, limit: 10, ...query });
      return found.kind === 'found' ? found.entries : found.kind;
    };
    const [reserved] = await find({ action: 'seat_reserved' });
    expect(reserved).toMatchObject({ seat_labels: ['A-1'] });
    failing(new OperatingError('unavailable', 'not now', { retryable: true }));
    expect(await find({ action: 'seat_reserved' })).toEqual([
      { ...(reserved as object), seat_labels: [] },
    ]);
    await expect(find({ seat: 'A-1' })).rejects.toThrow('not now');
    failing(new Error('a bug'));
    await expect(find({})).rejects.toThrow('a bug');
  });

  it('is found by keys of indexes, however long it is', async () => {
    const { eventId } = await show();
    const { organizationId } = scope();
    for (const many of [MANY_ENTRIES, MANY_HOLDS]) {
      await database.asSuperuser(many, [organizationId, eventId]);
    }
    await database.asSuperuser('analyze audit_log, seat_holds');
    for (const made of [aboutSeats, aboutUsers, aboutCheckout]) {
      const plan = await planOf(database.postgres, organizationId, made, 'reads');
      expect(plan).toMatch(
        /audit_log_entity on audit_log\S*( \S+)?\n\s+Index Cond: .*entity_id = ANY/,
      );
      expect(plan, plan).not.toMatch(/Scan using (audit_log_pkey|seat_holds_pkey)/);
    }
    const [lookup] = await database.asSuperuser(
      `select pg_get_function_sqlbody('lookup_begun'::regproc) as body`,
    );
    const inside = String(lookup?.body)
      .replace(/^BEGIN ATOMIC|;\s*END$/g, '')
      .replace('lookup_begun.chain', `'${eventId}'`)
      .replace('lookup_begun.seats', `array['${newId()}']::uuid[]`);
    const plan = await withClient(database.superuserUrl, async (client) => {
      await client.query('set role voelgoed_lookup');
      const { rows } = await client.query(`explain (costs off) ${inside}`);
      return rows.map((row) => Object.values(row as object).join()).join('\n');
    });
    expect(plan).toMatch(/audit_log_begun_on.*\n\s+Index Cond: .*chain_id = /);
  });
});

/** A sale that is not looked for. */
const MANY_HOLDS = `insert into seat_holds (organization_id, event_id, hold_id, seat_id, quantity,
    user_id, cart_token, status, source, created_at, held_until, ended_at, end_reason)
  select $1::uuid, $2::uuid, gen_random_uuid(), gen_random_uuid(), 1, gen_random_uuid(), n::text,
    'expired', 'web', now(), now() + interval '1 minute', now(), 'ttl_expired'
  from generate_series(1, 20000) n`;
const MANY_ENTRIES = `insert into audit_log (organization_id, chain_id, sequence, at, actor_kind,
    actor_role, actor_id, action, entity_type, entity_id, changes, hash)
  select $1::uuid, $2::uuid, 1000 + n, now(), 'user', 'customer', gen_random_uuid(),
    'seat_reserved', 'seat_hold', gen_random_uuid(),
    jsonb_build_object('seat_id', gen_random_uuid(), 'user_id', gen_random_uuid()), sha256('x')
  from generate_series(1, 20000) n`;

const aKey = async (...scopes: string[]) => {
  const made = await ask('POST /api/admin/api-keys', { body: { name: newId(), scopes } });
  return { token: String(made.data.key) };
};

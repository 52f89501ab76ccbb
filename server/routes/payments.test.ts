import { systemClock } from '@voelgoed/engine/kit';
import { newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { aHybridHall, PAYMENT_SECRET, tell, useShows } from '@voelgoed/testkit/shows';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signPayment } from './payment-signature.ts';

const shows = useShows({
  PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET,
  PAYMENT_PROVIDERS: 'bank,till',
});
const { ask, buyer, database, node } = shows;

async function paying(begun: { provider?: string } = {}) {
  const { eventId, seats } = await shows.show({ config: aHybridHall() });
  const ann = buyer();
  await ann.hold(eventId, [{ seat_id: seats[0] }, { seat_id: seats[1] }]);
  const started = await ann.ask('POST /api/checkouts', { body: { event_id: eventId } });
  const id = String(started.data.checkout_id);
  const pay = async () => (await ann.ask(`POST /api/checkouts/${id}/pay`, { body: begun })).data;
  const { attempt_id, amount_cents } = await pay();
  const say = (message: object, wrong: Parameters<typeof tell>[2] = {}) =>
    tell(node().address, { attempt_id, amount_cents, ...message }, wrong);
  return { ann, eventId, id, pay, say, attempt_id, amount_cents };
}

describe('a payment', () => {
  it('is begun with the first provider of the operator’s list, or one that is named', async () => {
    const { ann, id, eventId } = await paying();
    const pay = (body: object) => ann.ask(`POST /api/checkouts/${id}/pay`, { body });
    const attempts = async () => {
      const rows = await database.asSuperuser(
        'select provider from payment_attempts where event_id = $1',
        [eventId],
      );
      return rows.map(({ provider }) => provider);
    };
    expect(await attempts()).toEqual(['bank']);
    const unknown = await pay({ provider: 'stripe' });
    expect(unknown).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(JSON.stringify(unknown.body)).toContain('is not one of: bank, till');
    expect(await attempts()).toEqual(['bank']);
  });
});

const SUCCESS = { type: 'payment.succeeded' } as const;
const FAILURE = { type: 'payment.failed' } as const;
const now = () => Math.floor(systemClock.now() / 1_000);

describe('a node whose clock is wrong', () => {
  afterEach(() => void vi.restoreAllMocks());

  it.each([3_600_000, -3_600_000, 24 * 3_600_000])(
    'by %i ms hears a message that was signed in time, and refuses no token',
    async (wrong_ms) => {
      const { say, ann, id } = await paying();
      const unix = now();
      const real_ms = systemClock.now();
      vi.spyOn(systemClock, 'now').mockImplementation(() => real_ms + wrong_ms);
      expect(await say(SUCCESS, { unix })).toMatchObject({
        status: 200,
        body: { data: { outcome: 'completed' } },
      });
      const seen = await ann.ask(`GET /api/checkouts/${id}`);
      expect([seen.status, seen.data.status]).toEqual([200, 'completed']);
    },
  );
});

describe('a message that is not believed', () => {
  it.each<[string, Parameters<typeof tell>[2]]>([
    ['has no signature', { header: null }],
    ['has an empty signature', { header: '' }],
    ['is signed with another secret', { secret: 'x'.repeat(40) }],
    ['has no time', { header: `v1=${'0'.repeat(64)}` }],
    ['has a signature that is no number', { header: `t=${now()},v1=zz` }],
    ['was altered on the way', { text: '{"id":"1","type":"payment.succeeded"}' }],
  ])('%s', async (_, wrong) => {
    const { say, id, ann } = await paying();
    const reply = await say(SUCCESS, wrong);
    expect(reply).toMatchObject({ status: 401, body: { error: 'signature_invalid' } });
    expect((await ann.ask(`GET /api/checkouts/${id}`)).data.status).toBe('paying');
  });

  it.each([
    ['is too old', { unix: now() - 310 }],
    ['is from the future', { unix: now() + 400 }],
  ])('%s: it is not heard, and may come again', async (_, wrong) => {
    const { say, id, ann } = await paying();
    const reply = await say(SUCCESS, wrong);
    expect(reply).toMatchObject({ status: 503, body: { error: 'unavailable' } });
    expect((await ann.ask(`GET /api/checkouts/${id}`)).data.status).toBe('paying');
    expect(await say(SUCCESS, {})).toMatchObject({ status: 200 });
  });

  it.each([
    ['is no JSON', 'nonsense'],
    ['lacks its attempt', '{"id":"1","type":"payment.succeeded"}'],
    ['has a type that nobody knows', '{"id":"1","type":"payment.stolen"}'],
  ])('%s', async (_, text) => {
    const header = signPayment(PAYMENT_SECRET, text, now());
    const reply = await tell(node().address, {}, { text, header });
    expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('comes from another provider than the payment was begun with', async () => {
    const { say, id, ann } = await paying({ provider: 'till' });
    const reply = await say(SUCCESS, { provider: 'bank' });
    expect(reply).toMatchObject({ status: 422, body: { error: 'provider_mismatch' } });
    expect((await ann.ask(`GET /api/checkouts/${id}`)).data.status).toBe('paying');
    const messages = 'select from payment_messages m join payment_attempts a using (attempt_id)';
    const heard = () => database.asSuperuser(`${messages} where a.checkout_id = $1`, [id]);
    expect(await heard()).toEqual([]);
    expect(await say(SUCCESS, { provider: 'till' })).toMatchObject({
      status: 200,
      body: { data: { outcome: 'completed' } },
    });
    expect(await heard()).toHaveLength(1);
  });

  it('comes from any, about a payment that was begun before providers had names', async () => {
    const { say, attempt_id } = await paying();
    await database.asSuperuser(
      `update payment_attempts set provider = 'platform' where attempt_id = $1`,
      [attempt_id],
    );
    expect(await say(SUCCESS, { provider: 'till' })).toMatchObject({ status: 200 });
  });

  it('comes from any, until a day after an upgrade from a release without names', async () => {
    const moved = (column: string, by: string) =>
      database.asSuperuser(`update schema_migrations set run_on = run_on + interval '${by}'
        where ${column}`);
    const upgraded = `name = '0017_payment_providers'`;
    await moved(upgraded, '1 minute');
    const before = await paying({ provider: 'till' });
    expect(await before.say(SUCCESS, { provider: 'bank' })).toMatchObject({ status: 200 });
    await moved('true', '-2 days');
    const after = await paying({ provider: 'till' });
    expect(await after.say(SUCCESS, { provider: 'bank' })).toMatchObject({ status: 422 });
    await moved(upgraded, '-1 minute');
  });

  it('comes from a provider whose name is none', async () => {
    const { say } = await paying();
    expect(await say(SUCCESS, { provider: 'The%20Bank' })).toMatchObject({
      status: 400,
      body: { details: { problems: [{ path: 'params/provider' }] } },
    });
  });

  it('is about no attempt of ours', async () => {
    const { say } = await paying();
    expect(await say({ ...SUCCESS, attempt_id: newId() })).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    });
  });
});

describe('messages', () => {
  it('are believed by one good signature of two, while a secret changes', async () => {
    const { say, attempt_id, amount_cents } = await paying();
    const body = { id: newId(), ...SUCCESS, attempt_id, amount_cents, currency: 'ZAR' };
    const text = JSON.stringify(body);
    const good = signPayment(PAYMENT_SECRET, text, now());
    const header = good.replace('v1=', `v1=${'0'.repeat(64)},v1=`);
    expect(await say(SUCCESS, { text, header })).toMatchObject({ status: 200 });
  });

  it('are heard once, however often and wherever they come', async () => {
    const { say, id } = await paying();
    const message = { ...SUCCESS, id: newId() };
    const replies = await Promise.all(Array.from({ length: 10 }, () => say(message)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const said = replies.map(({ body }) => (body.data as { repeated: boolean }).repeated);
    expect(said.filter((repeated) => !repeated)).toHaveLength(1);
    const tickets = await database.asSuperuser('select 1 from tickets where checkout_id = $1', [
      id,
    ]);
    expect(tickets).toHaveLength(2);
  });

  it('name their attempt in capitals, too', async () => {
    const { say, attempt_id } = await paying();
    const reply = await say({ ...SUCCESS, attempt_id: String(attempt_id).toUpperCase() });
    expect(reply).toMatchObject({ status: 200, body: { data: { outcome: 'completed' } } });
  });

  it('under the name of another are not taken for a repeat', async () => {
    const [one, other] = [await paying(), await paying()];
    const id = newId();
    expect(await one.say({ ...SUCCESS, id })).toMatchObject({ status: 200 });
    const refused = { status: 422, body: { error: 'idempotency_key_reused' } };
    expect(await one.say({ type: 'payment.refunded', id })).toMatchObject(refused);
    expect(await other.say({ ...SUCCESS, id })).toMatchObject(refused);
    expect(await other.say(SUCCESS)).toMatchObject({ status: 200 });
  });

  it('complete by the first of two payments; the second is owed, once', async () => {
    const { say, pay, attempt_id } = await paying();
    const second = await pay();
    const other = { attempt_id: second.attempt_id };
    const replies = await Promise.all([say(SUCCESS), say({ ...SUCCESS, ...other })]);
    const outcomes = replies.map(({ body }) => (body.data as { outcome: string }).outcome).sort();
    expect(outcomes).toEqual(['completed', 'refund_due']);
    await say({ ...SUCCESS, ...other });
    await say(SUCCESS);
    const owed = await database.asSuperuser(
      'select reason, amount_cents, currency from refunds_due where attempt_id = any ($1)',
      [[attempt_id, second.attempt_id]],
    );
    expect(owed).toMatchObject([{ reason: 'paid_twice', currency: 'ZAR' }]);
  });

  it('with another amount or currency are refused, and the money is owed', async () => {
    for (const wrong of [{ amount_cents: 1 }, { currency: 'EUR' }]) {
      const { say, ann, id, attempt_id } = await paying();
      const message = { ...SUCCESS, id: newId(), ...wrong };
      const reply = { status: 422, body: { error: 'amount_mismatch' } };
      expect(await say(message)).toMatchObject(reply);
      expect(await say(message)).toMatchObject(reply);
      const owed = await database.asSuperuser('select * from refunds_due where attempt_id = $1', [
        attempt_id,
      ]);
      expect(owed).toMatchObject([{ reason: 'amount_mismatch', status: 'due' }]);
      expect((await ann.ask(`GET /api/checkouts/${id}`)).data).toMatchObject({ status: 'started' });
    }
  });

  it('that decline leave time for another card', async () => {
    const { say, ann, id, pay } = await paying();
    expect(await say(FAILURE)).toMatchObject({
      status: 200,
      body: { data: { outcome: 'declined', checkout_status: 'started' } },
    });
    const after = await ann.ask(`GET /api/checkouts/${id}`);
    expect(after.data).toMatchObject({ status: 'started', declined: true });
    const { attempt_id } = await pay();
    expect((await say({ ...SUCCESS, attempt_id })).body).toMatchObject({
      data: { outcome: 'completed' },
    });
  });

  it('that money went back settle what is owed', async () => {
    const { say, pay } = await paying();
    const second = await pay();
    await say(SUCCESS);
    const other = { attempt_id: second.attempt_id };
    await say({ ...SUCCESS, ...other });
    expect((await say({ type: 'payment.refunded', ...other })).body).toMatchObject({
      data: { outcome: 'refunded', checkout_status: 'completed' },
    });
    const owed = await database.asSuperuser(
      'select status from refunds_due where attempt_id = $1',
      [second.attempt_id],
    );
    expect(owed).toEqual([{ status: 'refunded' }]);
  });
});

describe('money that goes back', () => {
  async function sold() {
    const one = await paying();
    await one.say(SUCCESS);
    const tickets = await one.ann.ask(`GET /api/tickets?checkout_id=${one.id}`);
    const ids = tickets.list.map(({ ticket_id }) => String(ticket_id));
    const refund = (id: string | undefined) =>
      ask(`POST /api/admin/tickets/${id}/refund`, { body: { reason: 'ill' } });
    const owed = () =>
      database.asSuperuser(
        'select ticket_id, status from refunds_due where attempt_id = $1 order by refund_id',
        [one.attempt_id],
      );
    return { ...one, ids, refund, owed };
  }

  it('settles the ticket it is for, in whatever order', async () => {
    const { ids, say, refund, owed } = await sold();
    await database.asSuperuser('update tickets set price_cents = 7 where ticket_id = $1', [ids[0]]);
    await database.asSuperuser('update tickets set price_cents = 9 where ticket_id = $1', [ids[1]]);
    for (const id of ids) await refund(id);
    await say({ type: 'payment.refunded', amount_cents: 9 });
    expect(await owed()).toMatchObject([{ status: 'due' }, { status: 'refunded' }]);
    await say({ type: 'payment.refunded', amount_cents: 7 });
    expect(await owed()).toMatchObject([{ status: 'refunded' }, { status: 'refunded' }]);
  });

  it('of another amount settles the oldest as far as it goes, and nothing beyond', async () => {
    const { ids, say, refund, owed } = await sold();
    for (const id of ids) await refund(id);
    await say({ type: 'payment.refunded', amount_cents: 9_999 });
    expect(await owed()).toMatchObject([{ status: 'due' }, { status: 'due' }]);
    await say({ type: 'payment.refunded', amount_cents: 10_001 });
    expect(await owed()).toMatchObject([{ status: 'refunded' }, { status: 'due' }]);
  });

  it('is not owed again when all of it went back before', async () => {
    const { eventId, ids, say, refund, owed } = await sold();
    expect(await say({ type: 'payment.refunded' })).toMatchObject({ status: 200 });
    expect((await refund(ids[0])).data).toMatchObject({ status: 'refunded' });
    await ask(`POST /api/admin/events/${eventId}/cancel`, { body: { reason: 'rain' } });
    const left = await database.asSuperuser(
      'select 1 from lookup_unrefunded(500) where event_id = $1',
      [eventId],
    );
    expect([left, await owed()]).toEqual([[], []]);
  });

  it('is owed for a cancelled event that was put away at once', async () => {
    const { eventId, attempt_id, owed } = await sold();
    await ask(`POST /api/admin/events/${eventId}/cancel`, { body: { reason: 'rain' } });
    await ask(`POST /api/admin/events/${eventId}/archive`);
    // As if the job that writes it down had not come yet.
    await database.asSuperuser('delete from refunds_due where attempt_id = $1', [attempt_id]);
    const found = await eventually(async () => ((await owed()).length === 2 ? 'both' : undefined), {
      within_ms: 15_000,
    });
    expect(found).toBe('both');
  });
});

import { type Role, userIdOf } from '@voelgoed/engine/accounts';
import { systemClock } from '@voelgoed/engine/kit';
import type { Postgres } from '@voelgoed/engine/postgres';
import { keepOccupancy } from '@voelgoed/engine/workflows';
import { loadDemo, SHOWS } from '@voelgoed/server/demo';
import { aHall, anEngine, aPublishedEvent, aShow } from '#builders';
import { eventually } from '#eventually';
import type { FixtureFacts } from '#fixtures';
import type { CallOptions, Reply } from '#servers';
import { aHybridHall, anAccessibleHall, tell } from '#shows';
import { anOrganizationWithAll, type Organization } from '#worlds';

export type StorySetting = Readonly<{
  address: string;
  postgres: Postgres;
  authSecret: string;
  /** Where webhooks go. */
  hook: string;
}>;

/** Far enough away that a node can sell them whenever a test runs. */
const DEMO_DAYS = 25_000;

/**
 * What people do with a node of this version, so that every kind of row is in its database: the
 * demo, two organizations with one of everything, and events with histories of their own.
 */
export async function playStory(setting: StorySetting): Promise<FixtureFacts> {
  const engine = anEngine(setting.postgres);
  // Without the arena: its 20,000 seats alone would be ten times the rest.
  const small = SHOWS.filter(({ slug }) => slug !== 'arena');
  await loadDemo(
    engine,
    small.map((show) => ({ ...show, inDays: DEMO_DAYS })),
  );
  const organization = await anOrganizationWithAll(setting, 'fixture-one');
  await anOrganizationWithAll(setting, 'fixture-two');
  const people = aCast(setting, organization);
  const { scope, key } = organization;
  const on_sale = await aSale(people, await aShowOf(setting, organization, aHall({ rows: 4 })));
  await aNightWithOpenDoors(people, await aShowOf(setting, organization, anAccessibleHall()));
  await aLayoutChange(people, await aShowOf(setting, organization, aHall()));
  const cancelled = await aShowOf(setting, organization, aHall());
  await aCancellation(people, cancelled);
  const named = aHybridHall({ stalls: { access_mode: 'whitelist' } });
  await aZoneForNamedPeople(people, organization, await aShowOf(setting, organization, named));
  const { description: _, ...draft } = aShow({ name: 'Draft' });
  await people.must('POST /api/admin/events', { body: draft });
  await people.must('GET /health/ready');
  await engine.registry.board({ scope, eventId: on_sale.event_id });
  await keepOccupancy(engine);
  return {
    organization_id: scope.organizationId,
    api_key: key,
    on_sale,
    cancelled_event_id: cancelled.eventId,
  };
}

type PlannedShow = Readonly<{
  eventId: string;
  layoutId: string;
  zoneId: string;
  seats: readonly string[];
}>;

async function aShowOf(
  { postgres }: StorySetting,
  { scope }: Organization,
  config: object,
): Promise<PlannedShow> {
  const engine = anEngine(postgres);
  const { eventId, layout } = await aPublishedEvent(engine, scope, { config });
  const board = await engine.registry.board({ scope, eventId });
  const [zone] = board?.config.zones ?? [];
  if (!board || !zone) throw new Error('a published event has a board with zones');
  const { plan } = board;
  const seats = Array.from({ length: plan.seatCount }, (_, at) => plan.seatIdOf(at));
  return { eventId, layoutId: layout.layout_id, zoneId: zone.zone_id, seats };
}

type Ticket = { ticket_id: string; code: string; qr: string };

/** Those who act: the owner, and buyers by their names. Whatever they ask for must succeed. */
function aCast(setting: StorySetting, { token, ask }: Organization) {
  const must = async (route: string, options: CallOptions = {}): Promise<Reply> => {
    const reply = await ask(route, options);
    if (reply.status >= 300) throw new Error(`${route}: ${JSON.stringify(reply.body)}`);
    return reply;
  };
  const as = (name: string, role: Role = 'customer') => ({ token: token(role, name) });
  const hold = async (name: string, { eventId }: PlannedShow, seats: readonly unknown[]) => {
    const items = seats.map((seat_id) => ({ seat_id }));
    const headers = { 'idempotency-key': `${name} holds ${items.length}` };
    const body = { items, allow_orphan: true };
    const held = await must(`POST /api/events/${eventId}/holds`, { body, headers, ...as(name) });
    return (held.data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);
  };
  const checkOut = async (name: string, { eventId }: PlannedShow) => {
    const body = { event_id: eventId };
    const started = await must('POST /api/checkouts', { body, ...as(name) });
    return String(started.data.checkout_id);
  };
  const pay = async (name: string, checkoutId: string) => {
    const body = { provider: 'bank' };
    const { data } = await must(`POST /api/checkouts/${checkoutId}/pay`, { body, ...as(name) });
    return { attempt_id: data.attempt_id, amount_cents: data.amount_cents };
  };
  const say = async (type: string, attempt: object) => {
    const said = await tell(setting.address, { type, ...attempt });
    if (said.status !== 200) throw new Error(JSON.stringify(said));
  };
  const buy = async (name: string, show: PlannedShow, seats: readonly unknown[]) => {
    await hold(name, show, seats);
    const checkoutId = await checkOut(name, show);
    await say('payment.succeeded', await pay(name, checkoutId));
    const { list } = await must(`GET /api/tickets?checkout_id=${checkoutId}`, as(name));
    return list as Ticket[];
  };
  return { must, ask, as, hold, checkOut, pay, say, buy };
}

type Cast = ReturnType<typeof aCast>;

/** Rows A to D of ten: what is bought, held, paid for, blocked and given back. */
async function aSale(cast: Cast, show: PlannedShow): Promise<FixtureFacts['on_sale']> {
  const { must, ask, as, hold, checkOut, pay, say, buy } = cast;
  const { eventId, zoneId, seats } = show;
  const admin = `/api/admin/events/${eventId}`;
  const [ticket, refunded] = await buy('ann', show, seats.slice(0, 2));
  if (!ticket || !refunded) throw new Error('two seats are two tickets');
  const reason = { reason: 'ill' };
  await must(`POST /api/admin/tickets/${refunded.ticket_id}/refund`, { body: reason });
  const [first] = await hold('bob', show, seats.slice(3, 5));
  await must(`POST /api/holds/${first}/extend`, as('bob'));
  await ask(`POST /api/events/${eventId}/seats/${seats[3]}/reserve`, as('late'));
  await hold('cat', show, [seats[6]]);
  await checkOut('cat', show);
  await hold('dan', show, seats.slice(8, 10));
  await pay('dan', await checkOut('dan', show));
  await hold('eve', show, [seats[10]]);
  const declined = await pay('eve', await checkOut('eve', show));
  await say('payment.failed', declined);
  const [over] = await hold('fay', show, [seats[12]]);
  await must(`DELETE /api/holds/${over}`, as('fay'));
  await paidTwice(cast, show, seats.slice(14, 16));
  const best = { body: { quantity: 2 }, ...as('guy') };
  await must(`POST /api/events/${eventId}/holds/best-available`, best);
  const blocked = { seat_ids: seats.slice(30, 33), reason: 'camera' };
  await must(`POST ${admin}/seats/block`, { body: blocked });
  const freed = { seat_ids: [seats[32]], reason: 'moved' };
  await must(`POST ${admin}/seats/unblock`, { body: freed });
  await atTheBoxOffice(cast, show);
  return {
    event_id: eventId,
    zone_id: zoneId,
    free_seat_ids: seats.slice(36),
    held_seat_id: seats[3] ?? '',
    blocked_seat_id: seats[30] ?? '',
    ticket: { ticket_id: ticket.ticket_id, code: ticket.code, qr: ticket.qr },
    refunded_code: refunded.code,
  };
}

async function paidTwice(cast: Cast, show: PlannedShow, seats: readonly string[]): Promise<void> {
  const { hold, checkOut, pay, say } = cast;
  await hold('hal', show, seats);
  const checkoutId = await checkOut('hal', show);
  const attempts = [await pay('hal', checkoutId), await pay('hal', checkoutId)];
  for (const attempt of attempts) await say('payment.succeeded', attempt);
}

async function atTheBoxOffice({ must }: Cast, { eventId, seats }: PlannedShow): Promise<void> {
  const admin = `/api/admin/events/${eventId}`;
  const items = seats.slice(20, 23).map((seat_id) => ({ seat_id }));
  const held = await must(`POST ${admin}/holds`, { body: { items, for: 'Ida', notes: 'calls' } });
  const holds = held.data.holds as { hold_id: string }[];
  const hold_ids = holds.map(({ hold_id }) => hold_id);
  const sold = await must(`POST ${admin}/sell`, { body: { hold_ids, method: 'cash' } });
  const [one, two] = sold.data.tickets as Ticket[];
  const reason = 'better view';
  const seat_id = seats[25];
  await must(`POST /api/admin/tickets/${one?.ticket_id}/reseat`, { body: { seat_id, reason } });
  await must(`POST /api/admin/tickets/${two?.ticket_id}/void`, { body: { reason: 'lost' } });
}

/** Wheelchair spaces with companions, and people inside. */
async function aNightWithOpenDoors({ must, as, buy }: Cast, show: PlannedShow): Promise<void> {
  const { eventId, seats } = show;
  const [wheelchair] = await buy('joy', show, seats.slice(0, 2));
  const [guest] = await buy('kim', show, seats.slice(4, 6));
  const today = new Date(systemClock.now()).toISOString().slice(0, 10);
  const plan = { starts_at: `${today}T00:00:00Z`, days: [today, '2099-06-01'] };
  await must(`PATCH /api/admin/events/${eventId}`, { body: plan });
  await must(`POST /api/admin/events/${eventId}/open`);
  const scan = (ticket: Ticket | undefined, direction: string) =>
    must(`POST /api/tickets/${encodeURIComponent(ticket?.qr ?? '')}/entries`, {
      body: { direction, day: today },
      ...as('gate', 'scanner'),
    });
  await scan(wheelchair, 'in');
  await scan(wheelchair, 'in');
  await scan(guest, 'in');
  await scan(guest, 'out');
}

/** Those who sit there are moved while it is on sale: the log has a barrier, and goes on. */
async function aLayoutChange({ must, as, hold, buy }: Cast, show: PlannedShow): Promise<void> {
  const { eventId, layoutId, seats } = show;
  await buy('leo', show, seats.slice(0, 1));
  await hold('mia', show, seats.slice(2, 4));
  const [from = '', , , , , to = ''] = seats;
  const body = { layout_id: layoutId, mapping: { [from]: to } };
  await must(`POST /api/admin/events/${eventId}/layout/migrate`, { body });
  const best = { body: { quantity: 2 }, ...as('pia') };
  await must(`POST /api/events/${eventId}/holds/best-available`, best);
}

/** One person of two is named by the other; both are on the list. */
async function aZoneForNamedPeople(
  { must, as }: Cast,
  { scope }: Organization,
  { eventId, zoneId, seats }: PlannedShow,
): Promise<void> {
  const [quinn, rob] = ['quinn', 'rob'].map((name) => userIdOf(scope.organizationId, name));
  const holds = `/api/events/${eventId}/holds`;
  for (const name of ['quinn', 'rob']) await must(`GET ${holds}`, as(name));
  const list = `/api/admin/events/${eventId}/zones/${zoneId}/whitelist`;
  await must(`PUT ${list}`, { body: { user_ids: [quinn, rob] } });
  const items = [{ seat_id: seats[0] }, { seat_id: seats[1], for_user_id: rob }];
  await must(`POST ${holds}`, { body: { items }, ...as('quinn') });
}

/** What was held ends, and what was paid is owed; a job writes that down. */
async function aCancellation({ must, buy, hold }: Cast, show: PlannedShow): Promise<void> {
  const { eventId, seats } = show;
  await buy('ned', show, seats.slice(0, 2));
  await hold('oma', show, seats.slice(4, 6));
  await must(`POST /api/admin/events/${eventId}/cancel`, { body: { reason: 'storm' } });
  await eventually(async () => {
    const { list } = await must(`GET /api/admin/refunds?event_id=${eventId}`);
    return list.length === 2;
  });
}

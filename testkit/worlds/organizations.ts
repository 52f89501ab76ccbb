import type { Role } from '@voelgoed/engine/accounts';
import { systemClock } from '@voelgoed/engine/kit';
import type { Postgres } from '@voelgoed/engine/postgres';
import type { Scope } from '@voelgoed/engine/scope';
import { signToken } from '@voelgoed/server/tokens';
import { anEngine, anOrganization, aPublishedEvent, aShow, aSoldSeat, newId } from '#builders';
import { type CallOptions, call, type Reply } from '#servers';
import { aHybridHall } from '#shows';

export type Ids = Record<string, string[]>;

export type Organization = Readonly<{
  scope: Scope;
  /** A word that is in every name in it, and nowhere else. */
  mark: string;
  ids: Ids;
  /** An API key that may buy and read, and its id. */
  key: string;
  token(role: Role, subject?: string): string;
  ask(route: string, options?: CallOptions): Promise<Reply>;
}>;

export type WorldOptions = Readonly<{
  address: string;
  postgres: Postgres;
  authSecret: string;
  /** Where its webhooks and issuers point. */
  hook: string;
}>;

const TOKEN_SECONDS = 7_200;

export async function anOrganizationWithAll(
  options: WorldOptions,
  mark = `mark${newId().slice(-10)}`,
): Promise<Organization> {
  const { address, postgres, authSecret } = options;
  const scope = await anOrganization(postgres, { name: `Org ${mark}` });
  const { organizationId } = scope;
  const expires = Math.floor(systemClock.now() / 1_000) + TOKEN_SECONDS;
  const token = (role: Role, subject: string = role) =>
    signToken(authSecret, { subject, organizationId, role, expires });
  const ask = (route: string, asked: CallOptions = {}) =>
    call(address, route, { token: token('owner'), ...asked });
  const ids: Ids = { organization_id: [organizationId] };
  const key = await people({ ask, ids, mark, hook: options.hook });
  const organization = { scope, mark, ids, key, token, ask };
  await anEventWithAll(options, organization);
  return organization;
}

type Making = Readonly<{ ask: Organization['ask']; ids: Ids; mark: string; hook: string }>;

/** Those who work there, and what they have set up. Answers the text of the key. */
async function people({ ask, ids, mark, hook }: Making): Promise<string> {
  const make = async (route: string, body: object) => {
    const reply = await ask(route, { body });
    if (reply.status >= 300) throw new Error(`${route}: ${JSON.stringify(reply.body)}`);
    return reply.data;
  };
  const member = await make('POST /api/admin/members', { subject: `${mark}-m`, role: 'viewer' });
  const key = await make('POST /api/admin/api-keys', { name: mark, scopes: ['buy'] });
  const issuer = await make('POST /api/admin/issuers', {
    issuer: `https://${mark}.example`,
    jwks_uri: hook,
    audience: 'seats',
    algorithms: ['RS256'],
  });
  const webhook = await make('POST /api/admin/webhooks', { url: hook, description: mark });
  const tried = await ask(`POST /api/admin/webhooks/${webhook.webhook_id}/test`);
  const venue = await make('POST /api/admin/venues', { slug: mark, name: `Hall ${mark}` });
  Object.assign(ids, {
    user_id: [String(member.user_id)],
    key_id: [String(key.key_id)],
    issuer_id: [String(issuer.issuer_id)],
    webhook_id: [String(webhook.webhook_id)],
    delivery_id: [String(tried.data.delivery_id)],
    venue_id: [String(venue.venue_id)],
    provider: ['bank'],
  });
  return String(key.key);
}

/** An event that is not on sale yet, and what is set up around events; their ids come back. */
export async function aDraftWithAll(
  { hook }: WorldOptions,
  { mark, ask }: Pick<Organization, 'mark' | 'ask'>,
): Promise<Ids> {
  const { description: _, ...show } = aShow({ name: `Draft ${mark}` });
  const event = await ask('POST /api/admin/events', { body: show });
  const zones = [{ name: 'Pit', zone_type: 'ga_standing', capacity: 50 }];
  const route = `/api/admin/events/${event.data.event_id}`;
  await ask(`PUT ${route}/layout`, { body: { zones } });
  const planned = await ask(`GET ${route}`);
  const key = await ask('POST /api/admin/api-keys', { body: { name: mark, scopes: ['buy'] } });
  const webhook = await ask('POST /api/admin/webhooks', { body: { url: hook } });
  const tried = await ask(`POST /api/admin/webhooks/${webhook.data.webhook_id}/test`);
  const made: Ids = {
    event_id: [String(event.data.event_id)],
    zone_id: [...JSON.stringify(planned.body).matchAll(/"zone_id":"([^"]+)"/g)].map(
      ([, id]) => id ?? '',
    ),
    key_id: [String(key.data.key_id)],
    webhook_id: [String(webhook.data.webhook_id)],
    delivery_id: [String(tried.data.delivery_id)],
  };
  return Object.fromEntries(
    Object.entries(made).map(([kind, ids]) => [kind, ids.filter((id) => id !== 'undefined')]),
  );
}

/** One more event on sale with a hold, a checkout and a ticket in it; its ids come back. */
export async function anEventWithAll(
  { postgres }: WorldOptions,
  { scope, ids, mark, token, ask }: Omit<Organization, 'key'>,
  person = `${mark}-${newId()}`,
): Promise<Ids> {
  const engine = anEngine(postgres);
  const { eventId, layout } = await aPublishedEvent(engine, scope, { config: aHybridHall() });
  const board = await engine.registry.board({ scope, eventId });
  if (!board) throw new Error('a published event has a board');
  const seats = Array.from({ length: board.plan.seatCount }, (_, at) => board.plan.seatIdOf(at));
  const buyer = token('customer', person);
  const held = await ask(`POST /api/events/${eventId}/holds`, {
    token: buyer,
    body: { items: [{ seat_id: seats[0] }, { seat_id: seats[1] }], cart_token: `cart-${mark}` },
  });
  const holds = (held.data.holds ?? []) as { hold_id: string }[];
  const checkout = await ask('POST /api/checkouts', {
    token: buyer,
    body: { event_id: eventId, hold_ids: [holds[0]?.hold_id] },
  });
  const paid = await ask(`POST /api/checkouts/${checkout.data.checkout_id}/pay`, {
    token: buyer,
    body: {},
  });
  const ticket = await aSoldSeat(engine, scope, eventId);
  const made: Ids = {
    event_id: [eventId],
    layout_id: [layout.layout_id],
    venue_id: [layout.venue_id],
    seat_id: seats,
    zone_id: board.config.zones.map(({ zone_id }) => zone_id),
    hold_id: holds.map(({ hold_id }) => hold_id),
    checkout_id: [String(checkout.data.checkout_id)],
    attempt_id: [String(paid.data.attempt_id ?? newId())],
    ticket_id: [ticket.ticket_id],
    code: [ticket.code],
    cart_token: [`cart-${mark}`],
  };
  for (const [kind, values] of Object.entries(made)) ids[kind] = [...(ids[kind] ?? []), ...values];
  return made;
}

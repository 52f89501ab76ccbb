/**
 * Builders: the things tests need, made through the same doors that the product uses. Each test
 * gets an organization of its own, so tests never see each other's rows. Every new concept adds
 * its builder here.
 */
import { Admission, scopesOf, userIdOf } from '@voelgoed/engine/accounts';
import { type HoldCommand, SEAT } from '@voelgoed/engine/board';
import { NIL_ID, SharedCalls, systemClock, systemRandom, uuidv7 } from '@voelgoed/engine/kit';
import type { LayoutVersionRow } from '@voelgoed/engine/layouts';
import type { Postgres } from '@voelgoed/engine/postgres';
import {
  PostgresStore,
  SeatRegistry,
  type SeatRegistryOptions,
  Watchers,
} from '@voelgoed/engine/registry';
import { type Scope, scopeOf } from '@voelgoed/engine/scope';
import { silentTelemetry, type Telemetry } from '@voelgoed/engine/telemetry';
import { TicketSigner } from '@voelgoed/engine/tickets';
import { WebhookSecrets } from '@voelgoed/engine/webhooks';
import {
  activateLayout,
  type Caller,
  chooseLayout,
  createEvent,
  createOrganization,
  createVenue,
  type Done,
  draftLayout,
  type Engine,
  type EventFields,
  holdForCaller,
  PageViews,
  RefusalLog,
  sellAtDoor,
  setPrices,
  stepEvent,
} from '@voelgoed/engine/workflows';
import { LayoutCache, Workshop } from '@voelgoed/engine/workshop';

export function newId(): string {
  return uuidv7({ clock: systemClock, random: systemRandom });
}

/** One thread for all engines of a test file; it keeps nobody alive. */
const workshop = new Workshop();

export function anEngine(
  postgres: Postgres,
  telemetry: Telemetry = silentTelemetry,
  settings: Partial<SeatRegistryOptions> = {},
): Engine {
  const tools = { clock: systemClock, random: systemRandom, telemetry };
  const store = new PostgresStore(postgres);
  const feed = { publish: () => {} };
  const watchers = new Watchers(settings.watch);
  const registry = new SeatRegistry({ ...tools, store, feed, ...settings, watch: watchers });
  return {
    ...tools,
    workshop,
    postgres,
    layouts: new LayoutCache(postgres),
    registry,
    watchers,
    refusals: new RefusalLog({ ...tools, postgres }),
    pageViews: new PageViews({ telemetry, postgres }),
    publicEvents: new SharedCalls(),
    warm: null,
    ipSecret: 'the secret of tests',
    tickets: new TicketSigner('the secret of tests'),
    webhookSecrets: new WebhookSecrets('the secret of tests'),
  };
}

/** A fresh tenant. */
export async function anOrganization(
  postgres: Postgres,
  wanted: { slug?: string; name?: string } = {},
): Promise<Scope> {
  const slug = wanted.slug ?? `org-${newId().slice(-12)}`;
  const name = wanted.name ?? `Organization ${slug}`;
  const created = await createOrganization(anEngine(postgres), aCaller(), {
    slug,
    name,
    owner: null,
  });
  return scopeOf(done(created).organization.organization_id);
}

/** Somebody who may everything; say what should be different. */
export function aCaller(differently: Partial<Caller> = {}): Caller {
  return {
    scope: scopeOf(NIL_ID),
    actor: { kind: 'system', id: null, role: null },
    role: 'owner',
    scopes: scopesOf('owner'),
    ip: null,
    userAgent: null,
    idempotency: null,
    ...differently,
  };
}

/** Somebody who is known to the organization: a buyer, to begin with. */
export async function aUser(postgres: Postgres, scope: Scope): Promise<string> {
  const subject = newId();
  await new Admission(postgres).admit(scope.organizationId, subject);
  return userIdOf(scope.organizationId, subject);
}

/** A wish for seats, as a guest has it; say what should be different. */
export function aHold(
  user_id: string,
  items: HoldCommand['items'],
  differently: Partial<HoldCommand> = {},
): HoldCommand {
  return {
    kind: 'hold',
    user_id,
    items,
    cart_token: null,
    source: 'web',
    ip: null,
    role: 'customer',
    guest: true,
    made_by: null,
    hold_seconds: null,
    notes: null,
    ...differently,
  };
}

/** A small hall: rows A, B, … of ten seats in one zone. */
export function aHall(wanted: { rows?: number; zone_type?: string } = {}): object {
  const { rows = 2, zone_type = 'reserved_seating' } = wanted;
  const names = Array.from({ length: rows }, (_, index) => String.fromCharCode(65 + index));
  const seats = names.flatMap((row, y) =>
    Array.from({ length: 10 }, (_, x) => ({
      label: `${row}-${x + 1}`,
      row,
      number: x + 1,
      coordinates: { x: x * 10, y: y * 12 },
    })),
  );
  return { seat_size: 9, zones: [{ name: 'Stalls', zone_type, seats }] };
}

/** An active layout of that hall, in a venue of its own. */
export async function anActiveLayout(
  engine: Engine,
  scope: Scope,
  config: object = aHall(),
): Promise<LayoutVersionRow> {
  const caller = aCaller({ scope });
  const place = { timezone: 'UTC', address: null, maxCapacity: null };
  const slug = `venue-${newId().slice(-12)}`;
  const venue = done(await createVenue(engine, caller, { slug, name: 'Hall', ...place }));
  const drafted = done(
    await draftLayout(engine, caller, {
      layoutId: null,
      venueId: venue.venue_id,
      name: 'Plan',
      source: { kind: 'read', text: JSON.stringify(config) },
    }),
  );
  return done(await activateLayout(engine, caller, drafted.layout.layout_id));
}

/** The answer of a workflow that must have worked. */
export function done<Answer>(outcome: Done<Answer> | { kind: string }): Answer {
  if ('answer' in outcome) return outcome.answer;
  throw new Error(`expected it to be done, but it was ${JSON.stringify(outcome)}`);
}

/** A published event on a hall of its own: 20 seats, or as the config says. */
export async function aPublishedEvent(
  engine: Engine,
  scope: Scope,
  wanted: {
    config?: object;
    layout?: LayoutVersionRow;
    overrides?: object;
    price_cents?: number;
  } = {},
): Promise<{ eventId: string; layout: LayoutVersionRow }> {
  const caller = aCaller({ scope });
  const layout = wanted.layout ?? (await anActiveLayout(engine, scope, wanted.config));
  const { event_id: eventId } = done(await createEvent(engine, caller, aShow()));
  const { layout_id: layoutId } = layout;
  const choice = { kind: 'layout', layoutId, overrides: wanted.overrides ?? null } as const;
  done(await chooseLayout(engine, caller, eventId, choice));
  const config = JSON.parse(String(await engine.layouts.config(scope, layout))) as {
    zones: { zone_id: string }[];
  };
  const { price_cents = 10_000 } = wanted;
  const prices = config.zones.map(({ zone_id }) => ({ zone_id, price_cents }));
  done(await setPrices(engine, caller, eventId, prices));
  done(await stepEvent(engine, caller, eventId, 'publish'));
  return { eventId, layout };
}

/** A ticket for the last seat that is free, sold at the door to somebody new. */
export async function aSoldSeat(
  engine: Engine,
  scope: Scope,
  eventId: string,
): Promise<{ ticket_id: string; checkout_id: string; code: string }> {
  const board = await engine.registry.board({ scope, eventId });
  if (!board) throw new Error('a published event has a board');
  const seats = Array.from({ length: board.plan.seatCount }, (_, ordinal) => ordinal);
  const free = seats.findLast((ordinal) => board.codeOf(ordinal) === SEAT.available);
  const items = [{ seat_id: board.plan.seatIdOf(free ?? 0) }];
  const caller = aCaller({ scope });
  const wish = { items, for: newId(), minutes: null, notes: null };
  const held = await holdForCaller(engine, caller, eventId, wish);
  if (held.kind !== 'held') throw new Error(`nothing was held: ${JSON.stringify(held)}`);
  const holdIds = held.holds.map(({ hold }) => hold.hold_id);
  const sold = done(await sellAtDoor(engine, caller, eventId, { holdIds, method: 'cash' }));
  const [ticket] = sold.tickets;
  if (!ticket) throw new Error('a sale makes tickets');
  return ticket;
}

/** An event next year; say what should be different. */
export function aShow(differently: Partial<EventFields> = {}): EventFields & { slug: string } {
  return {
    slug: `show-${newId().slice(-12)}`,
    name: 'Show',
    description: null,
    venue_id: null,
    starts_at: '2099-06-01T18:00:00.000Z',
    ends_at: '2099-06-01T22:00:00.000Z',
    sale_starts_at: null,
    sale_ends_at: null,
    currency: 'ZAR',
    days: ['2099-06-01'],
    ...differently,
  };
}

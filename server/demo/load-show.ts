import { scopesOf } from '@voelgoed/engine/accounts';
import { NIL_ID } from '@voelgoed/engine/kit';
import { type Scope, scopeOf } from '@voelgoed/engine/scope';
import {
  activateLayout,
  type Caller,
  chooseLayout,
  createEvent,
  createVenue,
  type Done,
  draftLayout,
  type Engine,
  setPrices,
  stepEvent,
} from '@voelgoed/engine/workflows';
import type { Show } from './shows.ts';

const DAY_MS = 86_400_000;
/** Half past seven in South Africa, in UTC. */
const EVENING_MS = 17.5 * 3_600_000;
const TIMEZONE = 'Africa/Johannesburg';

export function callerFor(scope: Scope | null): Caller {
  return {
    scope: scope ?? scopeOf(NIL_ID),
    actor: { kind: 'system', id: null, role: null },
    role: 'owner',
    scopes: scopesOf('owner'),
    ip: null,
    userAgent: null,
    idempotency: null,
  };
}

/** From an empty field to a show on sale; null when somebody else has just built it. */
export async function loadShow(engine: Engine, scope: Scope, show: Show): Promise<string | null> {
  const caller = callerFor(scope);
  const place = { timezone: TIMEZONE, address: null, maxCapacity: null };
  const made = await createVenue(engine, caller, {
    slug: show.slug,
    name: show.venue,
    ...place,
  });
  if (made.kind === 'slug_taken') return null;
  const venueId = done(made).venue_id;
  const source = { kind: 'generate', text: JSON.stringify(show.preset) } as const;
  const drafted = done(
    await draftLayout(engine, caller, { layoutId: null, venueId, name: show.venue, source }),
  );
  const layout = done(await activateLayout(engine, caller, drafted.layout.layout_id));
  const event = done(await createEvent(engine, caller, eventOf(engine, show, venueId)));
  const eventId = event.event_id;
  const zones = await zonesOf(engine, scope, layout.layout_id, layout.version);
  const choice = { kind: 'layout', layoutId: layout.layout_id } as const;
  const overrides = { zone_overrides: membersOnly(show, zones) };
  done(await chooseLayout(engine, caller, eventId, { ...choice, overrides }));
  const prices = zones.map(({ zone_id, name }) => ({
    zone_id,
    price_cents: show.prices[name] ?? show.otherPrice,
  }));
  done(await setPrices(engine, caller, eventId, prices));
  done(await stepEvent(engine, caller, eventId, 'publish'));
  return eventId;
}

function eventOf(engine: Engine, show: Show, venue_id: string) {
  // In the evening, as shows begin.
  const today = Math.floor(engine.clock.now() / DAY_MS) * DAY_MS;
  const begins = today + show.inDays * DAY_MS + EVENING_MS;
  const at = (time: number) => new Date(time).toISOString();
  const days = Array.from({ length: show.lasts }, (_, n) => at(begins + n * DAY_MS).slice(0, 10));
  return {
    slug: show.slug,
    name: show.name,
    description: show.description,
    venue_id,
    starts_at: at(begins),
    ends_at: at(begins + (show.lasts - 1) * DAY_MS + 4 * 3_600_000),
    sale_starts_at: null,
    sale_ends_at: null,
    currency: 'ZAR',
    days,
  };
}

type Zone = { zone_id: string; name: string };

async function zonesOf(engine: Engine, scope: Scope, layoutId: string, version: number) {
  const config = await engine.layouts.config(scope, {
    layout_id: layoutId,
    version,
    status: 'active',
  });
  return (JSON.parse(config?.toString() ?? '{"zones":[]}') as { zones: Zone[] }).zones;
}

function membersOnly(show: Show, zones: readonly Zone[]) {
  const wanted = Object.entries(show.members ?? {});
  return Object.fromEntries(
    wanted.flatMap(([name, membership_tier]) => {
      const zone = zones.find((one) => one.name === name);
      return zone ? [[zone.zone_id, { access_mode: 'membership_tier', membership_tier }]] : [];
    }),
  );
}

function done<Answer>(outcome: Done<Answer> | { kind: string }): Answer {
  if ('answer' in outcome) return outcome.answer;
  throw new Error(`the demo could not be built: ${JSON.stringify(outcome)}`);
}

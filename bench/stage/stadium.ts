import { Admission, userIdOf } from '@voelgoed/engine/accounts';
import type { Board } from '@voelgoed/engine/board';
import type { LayoutVersionRow } from '@voelgoed/engine/layouts';
import type { EventRef } from '@voelgoed/engine/registry';
import type { Scope } from '@voelgoed/engine/scope';
import { activateLayout, createVenue, draftLayout, type Engine } from '@voelgoed/engine/workflows';
import { aCaller, anOrganization, aPublishedEvent, done } from '@voelgoed/testkit/builders';

export type Stadium = Readonly<{ scope: Scope; layout: LayoutVersionRow; seats: number }>;

/** A hall of that size, in an organization of its own unless one is named. */
export async function stadium(engine: Engine, seats: number, owner?: Scope): Promise<Stadium> {
  const scope = owner ?? (await anOrganization(engine.postgres));
  const caller = aCaller({ scope });
  const place = { timezone: 'UTC', address: null, maxCapacity: null };
  const slug = `stadium-${seats}`;
  const venue = done(await createVenue(engine, caller, { slug, name: 'Stadium', ...place }));
  const text = JSON.stringify({ preset: 'arena', seats });
  const drafted = done(
    await draftLayout(engine, caller, {
      layoutId: null,
      venueId: venue.venue_id,
      name: 'Plan',
      source: { kind: 'generate', text },
    }),
  );
  const layout = done(await activateLayout(engine, caller, drafted.layout.layout_id));
  return { scope, layout, seats };
}

/** One more event on sale in the stadium, with every seat free. */
export async function newEvent(engine: Engine, { scope, layout }: Stadium): Promise<EventRef> {
  // Seats are held one after the other, whoever they are for and whatever they leave over.
  const seating_overrides = { orphan_avoidance_strict: false, enforce_accessibility_rules: false };
  const overrides = { seating_overrides };
  const { eventId } = await aPublishedEvent(engine, scope, { layout, overrides });
  return { scope, eventId };
}

/** Buyers whom the database knows, as it knows everybody who has ever sent a request. */
export async function buyersOf(
  engine: Engine,
  { scope }: Stadium,
  count: number,
): Promise<string[]> {
  const { organizationId } = scope;
  const admission = new Admission(engine.postgres);
  const subjects = Array.from({ length: count }, (_, index) => `buyer ${index}`);
  // In portions, because those who wait for a connection of the logins wait for 250 ms at most.
  for (let from = 0; from < count; from += 1_000) {
    const portion = subjects.slice(from, from + 1_000);
    await Promise.all(portion.map((subject) => admission.admit(organizationId, subject)));
  }
  return subjects.map((subject) => userIdOf(organizationId, subject));
}

export function seatIdsOf({ plan }: Board): string[] {
  return Array.from({ length: plan.seatCount }, (_, ordinal) => plan.seatIdOf(ordinal));
}

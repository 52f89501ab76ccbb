/**
 * Demo: what a newcomer finds: an organization with a theatre, a festival and an arena on sale, and
 * a payment provider with buttons instead of cards. It uses the engine and the server like any
 * caller would; the data can be loaded any number of times. Only `processes` calls it, and only in
 * demo mode or by the command line.
 */
import { scopeOfSlug } from '@voelgoed/engine/accounts';
import { assert } from '@voelgoed/engine/kit';
import type { Scope } from '@voelgoed/engine/scope';
import {
  changeSeatingPolicy,
  createOrganization,
  type Engine,
  listAllEvents,
} from '@voelgoed/engine/workflows';
import { callerFor, loadShow } from './load-show.ts';
import { SHOWS, type Show, STADIUM } from './shows.ts';

export { demoPayments, registerDemoProvider } from './demo-provider.ts';
export { registerOnSale } from './on-sale.ts';
export { SHOWS } from './shows.ts';

export const DEMO_SLUG = 'demo';

/** Two nodes may load at once: slugs are unique, and the loser leaves the work to the winner. */
export async function loadDemo(engine: Engine, shows: readonly Show[] = SHOWS): Promise<Scope> {
  const scope = await demoOrganization(engine);
  const existing = await listAllEvents(engine, callerFor(scope), { limit: 500 });
  const slugs = new Set(existing.map(({ slug }) => slug));
  for (const show of shows) {
    if (!slugs.has(show.slug)) await loadShow(engine, scope, show);
  }
  return scope;
}

/** 100,000 seats, for whoever wants to see it: too much for every start. */
export async function loadStadium(engine: Engine): Promise<string | null> {
  const scope = await demoOrganization(engine);
  return loadShow(engine, scope, STADIUM);
}

async function demoOrganization(engine: Engine): Promise<Scope> {
  const existing = await scopeOfSlug(engine.postgres, DEMO_SLUG);
  if (existing) return existing;
  const wanted = { slug: DEMO_SLUG, name: 'Voelgoed Demo', owner: null };
  await createOrganization(engine, callerFor(null), wanted);
  const made = await scopeOfSlug(engine.postgres, DEMO_SLUG);
  assert(made, 'the demo organization was just made');
  // Newcomers click around more than buyers do.
  const policy = { allow_vip_zones: true, hold_rate_seats: 60 };
  await changeSeatingPolicy(engine, callerFor(made), policy, 'platform');
  return made;
}

/**
 * Demo: the data that a newcomer finds. It uses the engine like any caller would and can be loaded
 * any number of times. Only `processes` calls it, and only in demo mode.
 */
import { createOrganization, scopeOfSlug } from '@voelgoed/engine/accounts';
import { systemClock, systemRandom, uuidv7 } from '@voelgoed/engine/kit';
import type { Postgres } from '@voelgoed/engine/postgres';
import { type Scope, scopeOf } from '@voelgoed/engine/scope';

export const DEMO_SLUG = 'demo';

/** Two nodes may load at once: the slug is unique, the loser takes the winner's organization. */
export async function loadDemo(postgres: Postgres): Promise<Scope> {
  const existing = await scopeOfSlug(postgres, DEMO_SLUG);
  if (existing) return existing;
  const scope = scopeOf(uuidv7({ clock: systemClock, random: systemRandom }));
  const created = await postgres.transaction(scope, { name: 'demo.load' }, (transaction) =>
    createOrganization(transaction, scope, { slug: DEMO_SLUG, name: 'Voelgoed Demo' }),
  );
  return created ? scope : loadDemo(postgres);
}

/**
 * Demo: the data that a newcomer finds. It uses the engine like any caller would and can be loaded
 * any number of times. Only `processes` calls it, and only in demo mode.
 */
import { scopeOfSlug, scopesOf } from '@voelgoed/engine/accounts';
import { assert } from '@voelgoed/engine/kit';
import type { Scope } from '@voelgoed/engine/scope';
import { createOrganization, type Engine } from '@voelgoed/engine/workflows';

export const DEMO_SLUG = 'demo';

const SYSTEM = {
  actor: { kind: 'system', id: null, role: null },
  role: 'owner',
  scopes: scopesOf('owner'),
  ip: null,
  userAgent: null,
  idempotency: null,
} as const;

/** Two nodes may load at once: the slug is unique, the loser takes the winner's organization. */
export async function loadDemo(engine: Engine): Promise<Scope> {
  const wanted = { slug: DEMO_SLUG, name: 'Voelgoed Demo', owner: null };
  const existing = await scopeOfSlug(engine.postgres, DEMO_SLUG);
  if (existing) return existing;
  await createOrganization(engine, SYSTEM, wanted);
  const made = await scopeOfSlug(engine.postgres, DEMO_SLUG);
  assert(made, 'the demo organization was just made');
  return made;
}

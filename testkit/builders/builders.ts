/**
 * Builders: the things tests need, made through the same doors that the product uses. Each test
 * gets an organization of its own, so tests never see each other's rows. Every new concept adds
 * its builder here.
 */
import { createOrganization } from '@voelgoed/engine/accounts';
import { type Random, seededRandom, systemClock, systemRandom, uuidv7 } from '@voelgoed/engine/kit';
import type { Postgres } from '@voelgoed/engine/postgres';
import { type Scope, scopeOf } from '@voelgoed/engine/scope';

export function newId(): string {
  return uuidv7({ clock: systemClock, random: systemRandom });
}

/** A fresh tenant. */
export async function anOrganization(
  postgres: Postgres,
  wanted: { slug?: string; name?: string } = {},
): Promise<Scope> {
  const scope = scopeOf(newId());
  const slug = wanted.slug ?? `org-${scope.organizationId.slice(-12)}`;
  await postgres.transaction(scope, { name: 'builder' }, (transaction) =>
    createOrganization(transaction, scope, { slug, name: wanted.name ?? `Organization ${slug}` }),
  );
  return scope;
}

/** Randomness that a failing test can repeat: the seed is printed, and SEED sets it. */
export function printedRandom(name: string): Random & { seed: number } {
  const given = process.env.SEED;
  const seed = given ? Number(given) : Math.floor(systemRandom.next() * 2 ** 31);
  console.log(`${name}: SEED=${seed}`);
  return { ...seededRandom(seed), seed };
}

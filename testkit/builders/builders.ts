/**
 * Builders: the things tests need, made through the same doors that the product uses. Each test
 * gets an organization of its own, so tests never see each other's rows. Every new concept adds
 * its builder here.
 */
import { scopesOf } from '@voelgoed/engine/accounts';
import { type Random, seededRandom, systemClock, systemRandom, uuidv7 } from '@voelgoed/engine/kit';
import { LayoutCache, Workshop } from '@voelgoed/engine/layouts';
import type { Postgres } from '@voelgoed/engine/postgres';
import { type Scope, scopeOf } from '@voelgoed/engine/scope';
import { silentTelemetry, type Telemetry } from '@voelgoed/engine/telemetry';
import { type Caller, createOrganization, type Engine } from '@voelgoed/engine/workflows';

export function newId(): string {
  return uuidv7({ clock: systemClock, random: systemRandom });
}

/** One thread for all engines of a test file; it keeps nobody alive. */
const workshop = new Workshop();

export function anEngine(postgres: Postgres, telemetry: Telemetry = silentTelemetry): Engine {
  const tools = { clock: systemClock, random: systemRandom, telemetry, workshop };
  return { ...tools, postgres, layouts: new LayoutCache(postgres) };
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
  if (created.kind !== 'done') throw new Error(`could not make ${slug}: ${created.kind}`);
  return scopeOf(created.answer.organization.organization_id);
}

/** Somebody who may everything; say what should be different. */
export function aCaller(differently: Partial<Caller> = {}): Caller {
  return {
    scope: scopeOf('00000000-0000-0000-0000-000000000000'),
    actor: { kind: 'system', id: null, role: null },
    role: 'owner',
    scopes: scopesOf('owner'),
    ip: null,
    userAgent: null,
    idempotency: null,
    ...differently,
  };
}

/** Randomness that a failing test can repeat: the seed is printed, and SEED sets it. */
export function printedRandom(name: string): Random & { seed: number } {
  const given = process.env.SEED;
  const seed = given ? Number(given) : Math.floor(systemRandom.next() * 2 ** 31);
  console.log(`${name}: SEED=${seed}`);
  return { ...seededRandom(seed), seed };
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

import { uuidv7 } from '@voelgoed/engine/kit';
import type { EventRef } from '@voelgoed/engine/registry';
import type { Engine } from '@voelgoed/engine/workflows';
import type { Bench } from '#contest';
import { type Figure, figureOf, median } from '#measure';
import { type SuperuserSession, secondsBetween } from '#stage';
import { insertHolds, insertTrail, UNCHANGED, VARIANTS, type Variant } from './variants.sql.ts';

const SUITE = 'schema';
/** Rows of a flush under load, and flushes of one measurement. */
const ROWS = 64;
const FLUSHES = 40;

export type SchemaSettings = Readonly<{
  buyers: readonly string[];
  rounds: number;
  only: string | undefined;
}>;

/**
 * What one row of a hot table costs Postgres with one part of the schema taken away at a time. One
 * process of Postgres does the same inserts in a transaction that also changes the schema and is
 * rolled back, and its processor time is read from the scheduler: holds per second, and even the
 * time of a whole flush, vary more on a shared machine than any index costs.
 */
export async function schemaSuite(
  { stage, engine }: Bench,
  event: EventRef,
  { buyers, rounds, only }: SchemaSettings,
): Promise<Figure[]> {
  const variants = VARIANTS.filter(({ name }) => only === undefined || name.includes(only));
  const costs = new Map<Variant, number[]>(
    [...UNCHANGED, ...variants].map((variant) => [variant, []]),
  );
  await stage.session(async (session) => {
    for (let round = -1; round < rounds; round++) {
      for (const [variant, found] of costs) {
        const values = Array.from({ length: FLUSHES }, (_, flush) =>
          valuesOf(variant, engine, event, buyers, flush),
        );
        const cost = await costOf(session, event, variant, values);
        // The first turn only warms the process up.
        if (round >= 0) found.push(cost);
      }
    }
  });
  return [...costs].map(([variant, found]) => figureFor(variant, found, costs));
}

/** Microseconds of Postgres per row. */
async function costOf(
  session: SuperuserSession,
  { scope }: EventRef,
  { apply, table }: Variant,
  values: readonly unknown[][],
): Promise<number> {
  const name = `${table} rows`;
  const text = table === 'audit_log' ? insertTrail : insertHolds;
  await session.query('begin');
  try {
    await session.query(apply);
    await session.query('set local role voelgoed_writer');
    await session.query(`set local plan_cache_mode = force_generic_plan`);
    await session.query(`set local voelgoed.organization_id = '${scope.organizationId}'`);
    const before = await session.times();
    for (const one of values) await session.query({ name, text, values: one });
    const seconds = secondsBetween(before, await session.times());
    return (seconds * 1e6) / (ROWS * values.length);
  } finally {
    await session.query('rollback');
  }
}

function valuesOf(
  { table }: Variant,
  engine: Engine,
  { scope, eventId }: EventRef,
  buyers: readonly string[],
  flush: number,
): unknown[] {
  const ids = () => Array.from({ length: ROWS }, () => uuidv7(engine));
  const first = (flush * ROWS) % buyers.length;
  const users = buyers.slice(first, first + ROWS);
  const place = [scope.organizationId, eventId];
  if (table === 'audit_log') return [...place, flush * ROWS, users, ids()];
  return [...place, ids(), ids(), users];
}

function figureFor(
  { name, table }: Variant,
  found: readonly number[],
  costs: ReadonlyMap<Variant, readonly number[]>,
): Figure {
  const [, base = []] = [...costs].find(([other]) => other.table === table) ?? [];
  const saved = (median(base) - median(found)).toFixed(1);
  const least = (Math.min(...base) - Math.min(...found)).toFixed(1);
  const note = base === found ? '' : `saves ${saved} µs a row (least to least: ${least})`;
  return figureOf(found, { suite: SUITE, name: `${table} ${name}`, unit: 'µs', note });
}

/**
 * Stages: an event that many node processes can be let loose on, with seats, places and buyers. It
 * knows how one is built in a database of the test's own and how a run on it is closed behind a
 * test; what is done to it is the tests'.
 */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scope } from '@voelgoed/engine/scope';
import { changeSeatingPolicy } from '@voelgoed/engine/workflows';
import { Run, type Stage } from '@voelgoed/faults/hammer';
import { afterEach, vi } from 'vitest';
import { aCaller, anEngine, anOrganization, aPublishedEvent, done, newId } from '#builders';
import type { TestDatabase } from '#database';
import { printedRandom } from '#seeds';
import { testServices } from '#services';

const ROWS = 20;
const SEATS_PER_ROW = 10;
/** So few that they are often all taken. */
const PLACES = 25;
const USERS = 200;

type Database = Pick<TestDatabase, 'appUrl' | 'jobsUrl' | 'writerUrl' | 'postgres' | 'asSuperuser'>;

/** Runs that print their seed and what they did, and leave no process behind. */
export function useRuns(): (name: string, database: Database) => Promise<Run> {
  // Runs are short on an idle machine; only a failure takes this long.
  vi.setConfig({ testTimeout: 120_000 });
  const runs: { name: string; run: Run }[] = [];
  afterEach(async () => {
    for (const { name, run } of runs.splice(0)) {
      await run.end();
      console.log(`${name}: ${run.summary()}`);
    }
  });
  return async (name, database) => {
    const run = new Run(await aStage(database), printedRandom(name).seed);
    runs.push({ name, run });
    return run;
  };
}

/** An event with many seats, few places and many buyers; say how it sells differently. */
export async function aStage(
  database: Database,
  policy: object = {},
  folder = testServices().folder,
): Promise<Stage> {
  const { postgres, appUrl, jobsUrl, writerUrl } = database;
  const engine = anEngine(postgres);
  const scope = await anOrganization(postgres);
  done(await changeSeatingPolicy(engine, aCaller({ scope }), policy, 'owner'));
  const { eventId } = await aPublishedEvent(engine, scope, {
    config: aLargeHall(),
    // Whoever looks afterwards whether every seat is free takes them one by one, in any order.
    overrides: { seating_overrides: { orphan_avoidance_strict: false } },
  });
  const ids = (rows: Record<string, unknown>[]) => rows.map(({ id }) => String(id));
  return {
    appUrl,
    jobsUrl,
    writerUrl,
    postgres,
    folder: await mkdtemp(join(folder, 'stage-')),
    organizationId: scope.organizationId,
    eventId,
    seats: ids(await database.asSuperuser(SEATS, [eventId])),
    zones: ids(await database.asSuperuser(ZONES, [eventId])),
    users: await buyers(database, scope),
  };
}

function aLargeHall(): object {
  const seats = Array.from({ length: ROWS }, (_, y) =>
    Array.from({ length: SEATS_PER_ROW }, (_, x) => ({
      label: `${String.fromCharCode(65 + y)}-${x + 1}`,
      row: String.fromCharCode(65 + y),
      number: x + 1,
      coordinates: { x: x * 10, y: y * 12 },
    })),
  ).flat();
  const floor = { name: 'Floor', zone_type: 'ga_standing', capacity: PLACES };
  const stalls = { name: 'Stalls', zone_type: 'reserved_seating', seats };
  return { seat_size: 9, zones: [stalls, floor] };
}

async function buyers({ asSuperuser }: Database, scope: Scope): Promise<string[]> {
  const users = Array.from({ length: USERS }, newId);
  await asSuperuser(BUYERS, [scope.organizationId, users]);
  return users;
}

const SEATS = `select seat_id as id from event_seats where event_id = $1 order by ordinal`;
const ZONES = `select zone_id as id from event_zones where event_id = $1 and not has_seats`;
const BUYERS = `insert into users (organization_id, user_id)
select $1, unnest($2::uuid[])`;

import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import {
  ensureLogins,
  migrate,
  Postgres,
  servingUrls,
  withClient,
} from '@voelgoed/engine/postgres';
import { type Scope, scopeOf } from '@voelgoed/engine/scope';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { boardAt, holdForCaller, verifyAudit } from '@voelgoed/engine/workflows';
import { type EmbeddedPostgres, startPostgres } from '@voelgoed/server/embedded';
import { aCaller, anEngine, anOrganization, aPublishedEvent, newId } from '#builders';
import type { TestServices } from '#services';

type Setting = Readonly<{
  services: TestServices;
  seconds: number;
  seed: number;
  say(line: string): void;
}>;

const SECRET = 'a secret of one scenario';
const SETTINGS = { shared_buffers: '32MB', fsync: 'off' };
const run = promisify(execFile);

/**
 * A base backup while holds are made, more holds, and a restore of the backup: what was
 * acknowledged before the backup is there, what came later is not, and the restored database
 * continues as another lineage that no board of the old one takes for its own.
 */
export async function restore({ services, say }: Setting): Promise<string[]> {
  const folder = await mkdtemp(join(services.folder, 'restore-'));
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  await run('mkdir', [first, second]);
  for (const one of [folder, first, second]) await chmod(one, 0o755);
  const original = await start(first);
  try {
    await migrate(original.ownerUrl);
    await ensureLogins(original.ownerUrl, SECRET, { random: systemRandom, mayReset: true });
    const sale = await openSale(original);
    const early = await hold(original, sale, 0);
    await backup(original, first, second, () => hold(original, sale, 1));
    const backedUp = await look(original, sale);
    const late = await hold(original, sale, 2);
    const before = await look(original, sale);
    say(`backup at revision ${backedUp.revision}; the original goes on to ${before.revision}`);
    await original.stop();
    const copy = await start(second);
    try {
      return await judge(copy, sale, { early, late, backedUp, before }, say);
    } finally {
      await copy.stop();
    }
  } finally {
    await original.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type Sale = Readonly<{ scope: Scope; eventId: string; seats: readonly string[] }>;
type Looked = Readonly<{
  revision: number;
  hash: string;
  holds: readonly string[];
  isWhole: boolean;
}>;

function start(dataFolder: string): Promise<EmbeddedPostgres> {
  const quiet = () => {};
  return startPostgres({ dataFolder, settings: SETTINGS, log: quiet, onGone: quiet });
}

/** As an operator does it without any tool: tell Postgres, copy the files, tell it again. */
async function backup(
  { superuserUrl }: EmbeddedPostgres,
  from: string,
  to: string,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    await client.query(`select pg_backup_start('scenario', fast => true)`);
    await meanwhile();
    await run('cp', ['-a', join(from, 'postgres'), to]);
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    const data = join(to, 'postgres', 'data');
    await rm(join(data, 'postmaster.pid'), { force: true });
    // What was written meanwhile is needed to read the copy at all.
    await run('cp', ['-a', `${join(from, 'postgres/data/pg_wal')}/.`, join(data, 'pg_wal')]);
    await writeFile(join(data, 'backup_label'), String(rows[0]?.labelfile));
    await run('chown', [`--reference=${data}`, join(data, 'backup_label')]);
  });
}

async function withEngineOn<Result>(
  { ownerUrl }: EmbeddedPostgres,
  work: (engine: ReturnType<typeof anEngine>) => Promise<Result>,
): Promise<Result> {
  const postgres = new Postgres({
    ...servingUrls(ownerUrl, SECRET),
    clock: systemClock,
    random: systemRandom,
    telemetry: silentTelemetry,
  });
  const engine = anEngine(postgres);
  try {
    return await work(engine);
  } finally {
    await engine.registry.stop();
    await postgres.close();
  }
}

function openSale(server: EmbeddedPostgres): Promise<Sale> {
  return withEngineOn(server, async (engine) => {
    const scope = scopeOf((await anOrganization(engine.postgres)).organizationId);
    const { eventId } = await aPublishedEvent(engine, scope);
    const board = await engine.registry.board({ scope, eventId });
    const seats = [0, 1, 2].map((ordinal) => board?.plan.seatIdOf(ordinal) ?? '');
    return { scope, eventId, seats };
  });
}

function hold(server: EmbeddedPostgres, sale: Sale, seat: number): Promise<string> {
  return withEngineOn(server, async (engine) => {
    const { scope, eventId, seats } = sale;
    const wish = { for: newId(), minutes: null, notes: null };
    const items = [{ seat_id: seats[seat] ?? '' }];
    const held = await holdForCaller(engine, aCaller({ scope }), eventId, { items, ...wish });
    if (held.kind !== 'held') throw new Error(`seat ${seat} was not held: ${held.kind}`);
    return held.holds[0]?.hold.hold_id ?? '';
  });
}

function look(server: EmbeddedPostgres, { scope, eventId }: Sale): Promise<Looked> {
  return withEngineOn(server, async (engine) => {
    const past = await boardAt(engine, { scope, eventId }, {});
    const verdict = await verifyAudit(engine, { scope }, { id: eventId });
    if (past.kind !== 'board') throw new Error(`the log does not replay: ${past.kind}`);
    const holds = [...past.board.holds()].map(({ hold_id }) => hold_id);
    const { revision, hash } = past.board;
    return { revision, hash, holds, isWhole: past.matches === true && verdict?.ok === true };
  });
}

async function judge(
  copy: EmbeddedPostgres,
  sale: Sale,
  was: { early: string; late: string; backedUp: Looked; before: Looked },
  say: (line: string) => void,
): Promise<string[]> {
  const problems: string[] = [];
  const restored = await look(copy, sale);
  const chains = restored.isWhole ? 'whole' : 'BROKEN';
  say(`restored at revision ${restored.revision}: log and trail are ${chains}`);
  if (!restored.isWhole) problems.push('log or trail of the restored database is broken');
  if (!restored.holds.includes(was.early)) problems.push('a hold from before the backup is gone');
  if (restored.hash !== was.backedUp.hash) problems.push('it is not what was backed up');
  if (restored.holds.includes(was.late)) problems.push('a hold from after the backup is there');
  // The seat that was taken after the backup is free here, and somebody else takes it.
  await hold(copy, sale, 2);
  const next = await look(copy, sale);
  const isOther = next.revision === was.before.revision && next.hash !== was.before.hash;
  const both = isOther ? 'two lineages' : 'the same';
  say(`revision ${next.revision} of the original and of the restored: ${both}`);
  if (!isOther) problems.push('the restored database cannot be told from the original');
  return problems;
}

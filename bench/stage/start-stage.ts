import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import {
  ensureLogins,
  migrate,
  Postgres,
  type PostgresOptions,
  type ServingUrls,
  servingUrls,
  withClient,
} from '@voelgoed/engine/postgres';
import { silentTelemetry, type Telemetry } from '@voelgoed/engine/telemetry';
import { startPostgres } from '@voelgoed/server/embedded';
import { type CpuTimes, cpuTimes } from './cpu.ts';
import { OWN_PROCESS, SERVING_PROCESSES } from './stage.sql.ts';

/** What a node process needs to know; it crosses a process boundary as JSON. */
export type StageAddress = ServingUrls;

export type Stage = Readonly<{
  address: StageAddress;
  /** What a whole node is started with. */
  services: Readonly<{ ownerUrl: string; authSecret: string; paymentSecret: string }>;
  /** As the superuser: what a schema is compared without, checkpoints, counts. */
  asSuperuser(text: string): Promise<Record<string, unknown>[]>;
  /** Processor time so far of the processes of Postgres that serve connections. */
  postgresTimes(): Promise<CpuTimes>;
  /** One connection as the superuser, and the processor time of its process alone. */
  session(work: (session: SuperuserSession) => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}>;

export type SuperuserSession = Readonly<{
  query(query: string | { name: string; text: string; values: unknown[] }): Promise<unknown>;
  times(): Promise<CpuTimes>;
}>;

const AUTH_SECRET = 'a secret that only the benchmarks of this machine know';
const PAYMENT_SECRET = 'a secret of the provider of these benchmarks and of us';

/**
 * Postgres as the product starts it, fsync and all. Only the checkpoint timer differs: a checkpoint
 * in the middle of one run and not of the next would be measured as a difference between them.
 */
const SETTINGS = { checkpoint_timeout: '1h', max_wal_size: '8GB' };

export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'voelgoed-bench-'));
  await chmod(folder, 0o755);
  const onGone = (error: Error) => console.error(error);
  const options = { dataFolder: folder, settings: SETTINGS, log: () => {}, onGone };
  const postgres = await startPostgres(options);
  await migrate(postgres.ownerUrl);
  await ensureLogins(postgres.ownerUrl, AUTH_SECRET, { random: systemRandom, mayReset: true });
  const superuserUrl = new URL(postgres.superuserUrl);
  superuserUrl.pathname = new URL(postgres.ownerUrl).pathname;
  const asSuperuser = async (text: string) =>
    (await withClient(superuserUrl.href, (client) => client.query(text))).rows;
  return {
    address: servingUrls(postgres.ownerUrl, AUTH_SECRET),
    services: {
      ownerUrl: postgres.ownerUrl,
      authSecret: AUTH_SECRET,
      paymentSecret: PAYMENT_SECRET,
    },
    asSuperuser,
    postgresTimes: async () =>
      cpuTimes((await asSuperuser(SERVING_PROCESSES)).map(({ pid }) => String(pid))),
    session: (work) => withSession(superuserUrl.href, work),
    stop: async () => {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function withSession(
  url: string,
  work: (session: SuperuserSession) => Promise<void>,
): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: string }>(OWN_PROCESS);
    const names = rows.map(({ pid }) => pid);
    await work({ query: (query) => client.query(query), times: () => cpuTimes(names) });
  });
}

/** Pools as a node has them. */
export function joinStage(
  address: StageAddress,
  telemetry: Telemetry = silentTelemetry,
  sizes: NonNullable<PostgresOptions['sizes']> = {},
): Postgres {
  return new Postgres({ ...address, clock: systemClock, random: systemRandom, telemetry, sizes });
}

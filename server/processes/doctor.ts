import { reasonOf, systemClock } from '@voelgoed/engine/kit';
import { type DatabaseReport, inspectDatabase } from '@voelgoed/engine/postgres';
import { RedisConnection } from '@voelgoed/engine/redis';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import type { Config } from '#config';
import { servingUrls } from './engine.ts';
import type { Services } from './services.ts';

export type Finding = Readonly<{ topic: string; ok: boolean; finding: string }>;

const NODE_MAJOR = 24;
const POSTGRES_MAJOR = 15;
/** Nobody waits at the counter while the doctor looks. */
const REDIS_MS = 2_000;

/** Everything that can be wrong with an installation and that a look can tell. */
export async function examine(config: Config, services: Services): Promise<Finding[]> {
  const node = process.versions.node;
  const findings: Finding[] = [
    { topic: 'configuration', ok: true, finding: config.production ? 'production' : 'development' },
    { topic: 'node', ok: Number.parseInt(node, 10) >= NODE_MAJOR, finding: node },
  ];
  try {
    const urls = Object.values(servingUrls(services));
    findings.push(...databaseFindings(await inspectDatabase(services.ownerUrl, urls)));
  } catch (error) {
    findings.push({ topic: 'postgres', ok: false, finding: reasonOf(error) });
  }
  if (services.redisUrl) findings.push(await redisFinding(services.redisUrl));
  return findings;
}

function databaseFindings(report: DatabaseReport): Finding[] {
  const { pending, roleProblems, unprotected, settings } = report;
  const list = (names: readonly string[], none: string) => names.join(', ') || none;
  return [
    {
      topic: 'postgres',
      ok: Number.parseInt(report.version, 10) >= POSTGRES_MAJOR,
      finding: report.version,
    },
    { topic: 'migrations', ok: pending.length === 0, finding: list(pending, 'all applied') },
    {
      topic: 'serving roles',
      ok: roleProblems.length === 0,
      finding: list(roleProblems, 'own nothing and bypass nothing'),
    },
    {
      topic: 'row level security',
      ok: unprotected.length === 0,
      finding: list(unprotected, 'forced on every tenant table'),
    },
    ...settings.map(({ name, value, ok }) => ({ topic: name, ok, finding: value })),
  ];
}

async function redisFinding(url: string): Promise<Finding> {
  const tools = { clock: systemClock, telemetry: silentTelemetry };
  const redis = new RedisConnection({ url, ...tools, command_ms: REDIS_MS });
  try {
    await redis.connect();
    const version = await redis.version();
    const ok = Number.parseInt(version, 10) >= 7;
    return { topic: 'redis', ok, finding: version };
  } catch (error) {
    return { topic: 'redis', ok: false, finding: reasonOf(error) };
  } finally {
    redis.close();
  }
}

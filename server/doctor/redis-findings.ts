import type { RedisReport } from '@voelgoed/engine/redis';
import { clockFinding, type Finding, finding } from './finding.ts';

const REDIS_MAJOR = 7;
const CLOCK_MS = 2_000;
const MOST_FULL = 0.9;

/** `isOpen`: it is reached over a network without a password. */
export function redisFindings(report: RedisReport, isOpen: boolean): Finding[] {
  const { version, role, clusterState, settings, clock } = report;
  const { redis_ms: theirs_ms, ...rest } = clock;
  const major = Number.parseInt(version, 10);
  return [
    finding('redis', major >= REDIS_MAJOR, version, `Use Redis ${REDIS_MAJOR} or Valkey.`),
    finding('redis role', role === 'master', role, 'REDIS_URL names a replica: name the primary.'),
    ...(clusterState === null
      ? []
      : [finding('redis cluster', clusterState === 'ok', clusterState, 'See: cluster nodes')]),
    memoryFinding(report),
    ...(settings === null ? [] : settingFindings(settings)),
    finding(
      'redis password',
      !isOpen,
      isOpen ? 'REDIS_URL has none' : 'set, or not needed here',
      'Whoever reaches it can read who holds which seat: set a password and use rediss://.',
    ),
    clockFinding('Redis', { theirs_ms, ...rest }, CLOCK_MS),
  ];
}

function memoryFinding({ maxmemory, used }: RedisReport): Finding {
  const share = maxmemory === 0 ? 0 : used / maxmemory;
  const found = maxmemory === 0 ? 'no limit' : `${Math.round(share * 100)} % of the limit is used`;
  return finding('redis memory', share < MOST_FULL, found, 'Raise maxmemory: a hold takes 1 kB.');
}

function settingFindings(settings: Readonly<Record<string, string>>): Finding[] {
  const policy = settings['maxmemory-policy'] ?? 'noeviction';
  const timeout = settings.timeout ?? '0';
  return [
    finding(
      'maxmemory-policy',
      policy === 'noeviction',
      policy,
      'Set noeviction: keys that vanish one by one make claims and digests disagree.',
    ),
    finding(
      'redis timeout',
      timeout === '0',
      `${timeout} s`,
      'Set timeout 0: quiet connections would be cut, and the breaker would open.',
    ),
  ];
}

/**
 * The doctor: everything that can be wrong with an installation and that a look can tell, each with
 * what to do about it. It knows what an installation should be like; it looks through the engine's
 * eyes and changes nothing. The command line calls it.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, reasonOf, systemClock } from '@voelgoed/engine/kit';
import { inspectDatabase } from '@voelgoed/engine/postgres';
import { inspectRedis } from '@voelgoed/engine/redis';
import type { Config } from '#config';
import { configurationFindings } from './configuration-findings.ts';
import { databaseFindings } from './database-findings.ts';
import { type Finding, finding } from './finding.ts';
import { expectedIndexes } from './indexes.ts';
import { redisFindings } from './redis-findings.ts';

export type { Finding } from './finding.ts';

export type Patient = Readonly<{
  config: Config;
  ownerUrl: string;
  appUrl: string;
  jobsUrl: string;
  writerUrl: string;
  authSecret: string;
  redisUrl: string | null;
}>;

type Tools = Readonly<{ clock: Clock; node: string }>;

const TOOLS: Tools = { clock: systemClock, node: process.versions.node };

export async function examine(patient: Patient, tools: Tools = TOOLS): Promise<Finding[]> {
  const { clock } = tools;
  const findings = [...configurationFindings(patient, tools.node), await secretFinding(patient)];
  try {
    const urls = [patient.appUrl, patient.jobsUrl, patient.writerUrl];
    const report = await inspectDatabase(patient.ownerUrl, urls, () => clock.now());
    findings.push(...databaseFindings(report, await expectedIndexes()));
  } catch (error) {
    const advice = 'Is DATABASE_URL right, and is Postgres running and reachable from here?';
    findings.push(finding('postgres', false, reasonOf(error), advice));
  }
  if (patient.redisUrl) findings.push(...(await lookAtRedis(patient, patient.redisUrl, clock)));
  return findings;
}

async function lookAtRedis(
  { config }: Patient,
  url: string,
  clock: Clock,
): Promise<readonly Finding[]> {
  try {
    const isOpen = config.production && !/@/.test(url) && !/^\//.test(url);
    return redisFindings(await inspectRedis(url, clock), isOpen);
  } catch (error) {
    const advice = 'Everything works without it, more slowly; repair it or set REDIS_URL empty.';
    return [finding('redis', false, reasonOf(error), advice)];
  }
}

/** A secret that others on the machine can read is none. */
async function secretFinding({ config }: Patient): Promise<Finding> {
  const topic = 'permissions';
  if (config.authSecret !== null) return finding(topic, true, 'the secret is in the environment');
  const file = join(config.dataDir, 'auth-secret');
  const found = await stat(file).catch(() => null);
  if (!found) return finding(topic, true, 'no secret is kept on disk');
  const mode = (found.mode & 0o777).toString(8);
  return finding(
    topic,
    (found.mode & 0o077) === 0,
    `${file} has mode ${mode}`,
    `chmod 600 ${file}`,
  );
}

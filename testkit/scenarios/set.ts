import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import { loginUrl, Postgres, withClient } from '@voelgoed/engine/postgres';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { Run, type Stage } from '@voelgoed/faults/hammer';
import type { TestServices } from '#services';
import { aStage } from '#stages';

export type Setting = Readonly<{
  services: TestServices;
  /** How long the fault lasts. */
  seconds: number;
  seed: number;
  say(line: string): void;
}>;

/** Answers which promises were broken. */
export type Scenario = (setting: Setting) => Promise<string[]>;

export type Set = Readonly<{
  stage: Stage;
  run: Run;
  postgres: Postgres;
  asSuperuser(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}>;

/** An event with buyers on the services of the run, and nodes that are ended afterwards. */
export async function withSet(
  setting: Setting,
  work: (set: Set) => Promise<string[]>,
): Promise<string[]> {
  const { services, seed } = setting;
  const { ownerUrl, authSecret } = services;
  const urls = {
    appUrl: loginUrl(ownerUrl, 'voelgoed_app', authSecret),
    jobsUrl: loginUrl(ownerUrl, 'voelgoed_jobs', authSecret),
  };
  const tools = { clock: systemClock, random: systemRandom, telemetry: silentTelemetry };
  const postgres = new Postgres({ ...urls, ...tools });
  const url = new URL(services.superuserUrl);
  url.pathname = new URL(ownerUrl).pathname;
  const asSuperuser = async (text: string, values: unknown[] = []) =>
    (await withClient(url.href, (client) => client.query(text, values))).rows;
  const folder = await mkdtemp(join(services.folder, 'scenario-'));
  const stage = await aStage({ ...urls, postgres, asSuperuser }, {}, folder);
  const run = new Run(stage, seed);
  try {
    return await work({ stage, run, postgres, asSuperuser });
  } finally {
    await run.end();
    await postgres.close();
  }
}

/** Acknowledged wishes per second while `work` goes on, in words. */
export async function rateDuring(
  run: Run,
  seconds: number,
  work: () => Promise<unknown>,
): Promise<string> {
  const before = run.acknowledged().length;
  await work();
  const done = run.acknowledged().length - before;
  return `${done} wishes fulfilled, ${(done / seconds).toFixed(0)} a second`;
}

export const pause = (seconds: number) => systemClock.sleep(seconds * 1_000);

/** Everything that was unknown is asked again, and the whole history is judged. */
export async function judged(run: Run, say: (line: string) => void): Promise<string[]> {
  await run.rest();
  const unknown = await run.settle();
  const { violations } = await run.verdict();
  say(`${run.summary()}; ${unknown} were asked again with their keys`);
  return violations.map((one) => JSON.stringify(one));
}

import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import { ensureLogins, loginUrl, migrate, Postgres, withClient } from '@voelgoed/engine/postgres';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { type EmbeddedPostgres, startPostgres } from '@voelgoed/server/embedded';
import { aTestFolder } from '@voelgoed/testkit/services';
import { useRuns } from '@voelgoed/testkit/stages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { machine_ms } from './hammer.ts';

const SECRET = 'a secret of one test';

describe('Postgres killed with -9 in the middle of the load', () => {
  // Registered after the runs', so that the nodes end before their server does.
  const aRun = useRuns();
  let folder = '';
  let server: EmbeddedPostgres | undefined;
  let postgres: Postgres | undefined;
  beforeAll(async () => {
    folder = await aTestFolder('killed');
    const settings = { fsync: 'on', synchronous_commit: 'on', shared_buffers: '32MB' };
    const said = () => {};
    server = await startPostgres({ dataFolder: folder, settings, log: said, onGone: said });
    await migrate(server.ownerUrl);
    await ensureLogins(server.ownerUrl, SECRET, { random: systemRandom, mayReset: true });
    const urls = urlsOf(server);
    const tools = { clock: systemClock, random: systemRandom, telemetry: silentTelemetry };
    postgres = new Postgres({ ...urls, ...tools });
  });
  afterAll(async () => {
    await postgres?.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('loses nothing that was acknowledged', async () => {
    if (!server || !postgres) throw new Error('the server is there inside tests');
    const superuserUrl = server.superuserUrl.replace('/postgres?', '/voelgoed?');
    const asSuperuser = async (text: string, values: unknown[] = []) =>
      (await withClient(superuserUrl, (client) => client.query(text, values))).rows;
    const run = await aRun('kill -9 of Postgres', { ...urlsOf(server), postgres, asSuperuser });
    await run.startAll('one', 'two');
    await run.load();
    await run.goesOn(100);
    const killed_ms = machine_ms();
    killServer(server.pid());
    await run.goesOn(50);
    const recovery_ms = run.recovery_ms(killed_ms);
    console.log(`kill -9 of Postgres: back after ${recovery_ms.toFixed(0)} ms`);
    await run.rest();
    const asked = await run.settle();
    console.log(`kill -9 of Postgres: ${asked} wishes were asked again`);
    const { violations } = await run.verdict();
    expect(violations).toEqual([]);
  });
});

/** All at once, as when the machine dies: its sessions would otherwise end in their own time. */
function killServer(pid: number): void {
  const parentOf = (process_id: string) => {
    try {
      return Number(readFileSync(`/proc/${process_id}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
    } catch {
      return 0;
    }
  };
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const sessions = numbers.filter((name) => parentOf(name) === pid).map(Number);
  for (const one of [pid, ...sessions]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

function urlsOf({ ownerUrl }: EmbeddedPostgres) {
  return {
    appUrl: loginUrl(ownerUrl, 'voelgoed_app', SECRET),
    jobsUrl: loginUrl(ownerUrl, 'voelgoed_jobs', SECRET),
  };
}

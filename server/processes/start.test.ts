import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, type StartedProcess, startProcess, untilServed } from '@voelgoed/testkit/servers';
import { aTestFolder } from '@voelgoed/testkit/services';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive } from '#embedded';

const undo: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const emptyFolder = () => aTestFolder('a start');

/** What the first start has left; another start on a copy of it begins where that ended. */
let prepared: string | null = null;

async function dataFolder(): Promise<string> {
  const folder = await emptyFolder();
  // With owners and modes: Postgres is another user's.
  if (prepared) await promisify(execFile)('cp', ['-a', `${prepared}/.`, folder]);
  return folder;
}

/**
 * Without the demo unless a test is about it: loading it takes longer than everything else. The
 * first start loads it, and starts on a copy of its folder find it.
 */
function start(environment: Record<string, string>): StartedProcess {
  const settings = { PORT: '0', DEMO: '0', ...environment };
  const started = startProcess('server/processes/start.ts', settings);
  undo.push(async () => {
    started.child.kill('SIGTERM');
    await started.exited;
  });
  return started;
}

async function addressOf(started: StartedProcess): Promise<string> {
  return (await started.says(/is ready: (http:\S+)/))[1] ?? '';
}

async function pidsIn(folder: string): Promise<number[]> {
  const read = async (file: string) => (await readFile(join(folder, file), 'utf8')).split('\n')[0];
  const files = ['postgres/data/postmaster.pid', 'redis/redis.pid'];
  return Promise.all(files.map(async (file) => Number(await read(file))));
}

/** It runs once a second; a node that has just started has not run it yet. */
const SWEEP = expect.stringMatching(/^(ok|has not run yet)$/);

describe('the start command', { timeout: 300_000 }, () => {
  it('serves, goes on when Postgres is killed, and stops when it is asked to', async () => {
    const DATA_DIR = await dataFolder();
    const started = start({ DATA_DIR, DEMO: '1' });
    const address = await addressOf(started);
    const reply = await fetch(`${address}/health/ready`);
    expect(reply.status).toBe(200);
    expect(await reply.json()).toEqual({
      data: {
        status: 'ready',
        parts: { postgres: 'ok', redis: 'ok', breaker: 'closed', sweep: SWEEP, clock: 'ok' },
      },
    });
    const [postgres = 0] = await pidsIn(DATA_DIR);
    process.kill(postgres, 'SIGKILL');
    await started.says(/Postgres is back/);
    const status = async () => (await fetch(`${address}/health/ready`)).status;
    await eventually(async () => (await status()) === 200);
    const pids = await pidsIn(DATA_DIR);
    started.child.kill('SIGINT');
    expect(await started.exited).toBe(0);
    expect(started.output()).toContain('Stopped.');
    expect(pids.filter(isAlive)).toEqual([]);
    prepared = DATA_DIR;
  });

  it('starts again after kill -9 of the server, on the same data', async () => {
    const DATA_DIR = await dataFolder();
    const first = start({ DATA_DIR, DEMO: '1' });
    await addressOf(first);
    const owner = Number((await readFile(join(DATA_DIR, 'owner'), 'utf8')).split(' ')[0]);
    const pids = await pidsIn(DATA_DIR);
    process.kill(owner, 'SIGKILL');
    await first.exited;
    expect(pids.filter(isAlive)).toEqual(pids);
    const second = start({ DATA_DIR, DEMO: '1' });
    await second.says(/Postgres of an earlier run/);
    const address = await addressOf(second);
    const events = await fetch(`${address}/api/organizations/demo/events`);
    expect(await events.text()).toContain('An Evening at the Theatre');
  });

  it('stops everything when its wrapper is killed', async () => {
    const DATA_DIR = await dataFolder();
    const started = start({ DATA_DIR });
    await addressOf(started);
    const owner = Number((await readFile(join(DATA_DIR, 'owner'), 'utf8')).split(' ')[0]);
    const pids = [owner, ...(await pidsIn(DATA_DIR))];
    started.child.kill('SIGKILL');
    await eventually(() => pids.every((pid) => !isAlive(pid)), { within_ms: 20_000 });
  });

  it('leaves nothing behind when it is stopped while it starts', async () => {
    const DATA_DIR = await emptyFolder();
    const started = start({ DATA_DIR });
    const pid = () => readFile(join(DATA_DIR, 'postgres/data/postmaster.pid'), 'utf8');
    const postgres = Number((await eventually(pid, { within_ms: 30_000 })).split('\n')[0]);
    started.child.kill('SIGTERM');
    await started.exited;
    expect(isAlive(postgres)).toBe(false);
  });

  it('runs beside another copy, and refuses to share its folder or its fixed port', async () => {
    const DATA_DIR = await dataFolder();
    const first = start({ DATA_DIR, REDIS_URL: '' });
    const address = new URL(await addressOf(first));
    const sameFolder = start({ DATA_DIR });
    expect(await sameFolder.exited).toBe(1);
    expect(sameFolder.output()).toMatch(/in use by another Voelgoed server \(process \d+\)/);
    const samePort = start({ DATA_DIR: await dataFolder(), PORT: address.port, REDIS_URL: '' });
    expect(await samePort.exited).toBe(1);
    expect(samePort.output()).toContain(`PORT: ${address.port} is already in use`);
    const reply = await fetch(`${address.origin}/health/ready`);
    expect(await reply.json()).toEqual({
      data: { status: 'ready', parts: { postgres: 'ok', sweep: SWEEP, clock: 'ok' } },
    });
  });

  it('runs several nodes behind one address, which agree', async () => {
    const started = startProcess(
      'server/processes/start.ts',
      // As Node has it under `--watch`, which is what `npm run dev` does.
      { PORT: '0', DATA_DIR: await dataFolder(), WATCH_REPORT_DEPENDENCIES: '1' },
      ['--nodes', '3'],
    );
    undo.push(async () => {
      started.child.kill('SIGTERM');
      await started.exited;
    });
    const address = await addressOf(started);
    const nodes = /Nodes: (.*)/.exec(started.output())?.[1]?.split('  ') ?? [];
    expect(nodes).toHaveLength(3);
    const events = await call(address, 'GET /api/organizations/demo/events');
    const eventId = String(events.list.find(({ slug }) => slug === 'theatre')?.event_id);
    const map = await call(address, `GET /api/events/${eventId}/seatmap`);
    const [seat] = map.data.seats as { seat_id: string }[];
    const buyers = await Promise.all(
      nodes.map(async (node, index) => {
        const body = { role: 'customer', user: `buyer ${index}` };
        const { data } = await call(node, 'POST /api/demo/sessions', { body });
        return { node, token: String(data.token) };
      }),
    );
    const replies = await Promise.all(
      buyers.map(({ node, token }) => {
        const route = `POST /api/events/${eventId}/seats/${seat?.seat_id}/reserve`;
        return untilServed(() => call(node, route, { token, body: {} }));
      }),
    );
    expect(replies.map((all) => all.at(-1)?.status).sort()).toEqual([201, 409, 409]);
  });

  it('says which setting is wrong', async () => {
    const started = start({ DATA_DIR: await dataFolder(), DEMO: 'perhaps', LOG_LEVEL: 'loud' });
    expect(await started.exited).toBe(1);
    expect(started.output()).toContain('DEMO: "perhaps" is neither 1 nor 0');
    expect(started.output()).toContain('LOG_LEVEL: "loud"');
  });
});

describe('the command line', { timeout: 120_000 }, () => {
  it('works beside a running server and alone', async () => {
    const DATA_DIR = await emptyFolder();
    const cli = (...args: string[]) =>
      startProcess('server/processes/cli.ts', { DATA_DIR, REDIS_URL: '' }, args);
    const alone = cli('migrate');
    expect(await alone.exited).toBe(0);
    expect(alone.output()).toContain('Applied: 0001_foundation');
    await addressOf(start({ DATA_DIR, REDIS_URL: '' }));
    const again = cli('migrate');
    expect(await again.exited).toBe(0);
    expect(again.output()).toContain('The schema is up to date.');
    const doctor = cli('doctor', '--json');
    expect(await doctor.exited).toBe(0);
    const findings = JSON.parse(doctor.output()) as { topic: string; ok: boolean }[];
    expect(findings.map(({ topic }) => topic)).toContain('row level security');
    expect(findings.every(({ ok }) => ok)).toBe(true);
  });
});

import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { freePort } from '@voelgoed/testkit/redises';
import { aTestFolder, searchPath, testServices } from '@voelgoed/testkit/services';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OPS, readCompose, readDockerfile } from './containers.ts';
import { outcomeOf, type Program, start, stop } from './programs.ts';
import { buildStages, filesOf } from './stages.ts';

const DOCS = join(OPS, '../docs');
/** Vite builds the web app, npm reads the lockfile three times, on a machine with other work. */
const BUILD_MS = 120_000;
const COMMAND = /`?npm run(?: -s)? cli -- (?:--json )?([a-z-]+)/g;
const database = useDatabase();
const running: Program[] = [];
const path = searchPath();
let image = '';

beforeAll(async () => {
  const stages = await buildStages(await aTestFolder('image'), path);
  image = stages.at(-1)?.folder ?? '';
}, BUILD_MS);

afterEach(async () => {
  for (const program of running.splice(0)) await stop(program);
});

/** What the image sets, what compose adds, and where this test's services are. */
async function environment(): Promise<Record<string, string>> {
  const { authSecret, redisUrl } = testServices();
  const { services } = await readCompose();
  const given = Object.entries(services.voelgoed?.environment ?? {});
  const filled = given.map(([name, value]) => [
    name,
    String(value).replace(/\$\{(\w+):\?[^}]*\}/g, authSecret),
  ]);
  return {
    ...(await set()).env,
    ...Object.fromEntries(filled),
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATABASE_URL: database.ownerUrl,
    REDIS_URL: redisUrl,
  };
}

/** The last stage's settings: ENV, HEALTHCHECK and CMD. */
async function set() {
  const stage = (await readDockerfile()).at(-1) ?? [];
  const of = (name: string) => stage.filter((one) => one.name === name).map(({ rest }) => rest);
  const pairs = of('ENV').flatMap((rest) => rest.split(/\s+/).map((pair) => pair.split('=')));
  const words = (name: string) =>
    JSON.parse(/\[.*\]/.exec(of(name)[0] ?? '')?.[0] ?? '[]') as string[];
  return {
    env: Object.fromEntries(pairs) as Record<string, string>,
    health: words('HEALTHCHECK'),
    command: words('CMD'),
  };
}

describe('the image, built in empty folders', { timeout: BUILD_MS }, () => {
  it('starts a node that writes nothing beside itself, and sees whether it lives', async () => {
    const { command, health } = await set();
    const env = await environment();
    const before = await filesOf(image);
    const check = async () => (await outcomeOf(health, { cwd: image, path, env })).code;
    expect(health[0]).toBe('node');
    expect(await check()).toBe(1);
    const node = start(command, { cwd: image, path, env });
    running.push(node);
    const address = `http://127.0.0.1:${env.PORT}`;
    const isReady = async () => (await fetch(`${address}/health/ready`)).ok;
    await eventually(isReady, { within_ms: 30_000, every_ms: 100 }).catch(() => {
      throw new Error(`it never became ready: ${node.output()}`);
    });
    expect(await check()).toBe(0);
    const metrics = await (await fetch(`${address}/metrics`)).text();
    expect(metrics).toContain('voelgoed_redis_breaker_open 0');
    const shop = await (await fetch(address, { headers: { accept: 'text/html' } })).text();
    const script = /src="([^"]+\.js)"/.exec(shop)?.[1] ?? '/no-script';
    expect((await fetch(new URL(script, address))).headers.get('content-type')).toMatch(/script/);
    node.child.kill('SIGTERM');
    const [code] = await once(node.child, 'exit');
    expect([code, node.output()]).toEqual([0, expect.stringContaining('Stopped.')]);
    expect(await filesOf(image)).toEqual(before);
  });

  it('has the command line as the documents call it, with every command they name', async () => {
    const before = await filesOf(image);
    const cli = ['npm', 'run', '-s', 'cli', '--'];
    const env = await environment();
    const help = await outcomeOf([...cli, '--help'], { cwd: image, path, env });
    expect(help).toMatchObject({ code: 0, output: expect.stringContaining('Usage: voelgoed') });
    const plain = ['node', 'server/processes/cli.ts', '--help'];
    expect(await outcomeOf(plain, { cwd: image, path, env })).toEqual(help);
    const known = [...help.output.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name);
    const named = await commandsOfDocuments();
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((name) => !known.includes(name))).toEqual([]);
    const doctor = await outcomeOf([...cli, '--json', 'doctor'], { cwd: image, path, env });
    expect([0, 3], doctor.output).toContain(doctor.code);
    expect(doctor.output).toContain('migrations');
    const status = await outcomeOf([...cli, 'status'], { cwd: image, path, env });
    expect(status, status.output).toMatchObject({ code: 0 });
    expect(await filesOf(image)).toEqual(before);
  });

  it('says that the rest needs a checkout', async () => {
    const { code, output } = await outcomeOf(['npm', 'run', 'bench'], { cwd: image, path });
    expect([code, output]).toEqual([1, expect.stringContaining('needs a checkout')]);
  });
});

/** `doctor` of `npm run cli -- doctor`, in every document. */
async function commandsOfDocuments(): Promise<Set<string>> {
  const files = (await readdir(DOCS)).filter((name) => name.endsWith('.md'));
  const texts = await Promise.all(files.map((name) => readFile(join(DOCS, name), 'utf8')));
  const found = texts.flatMap((text) => [...text.matchAll(COMMAND)]);
  return new Set(found.map(([, name = '']) => name));
}

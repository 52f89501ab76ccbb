import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { promtool } from '@voelgoed/testkit/prometheus';
import { freePort } from '@voelgoed/testkit/redises';
import { aTestFolder, testServices } from '@voelgoed/testkit/services';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { OPS, readCompose, readDockerfile, type Service } from './containers.ts';

const ROOT = join(OPS, '..');
const database = useDatabase();
const running: ChildProcess[] = [];

afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  }
});

/** Runs a command as the container would, outside of one, and keeps what it says. */
function start(command: readonly string[], options: { env: Record<string, string>; cwd?: string }) {
  const [program = '', ...args] = command;
  const file = program === 'node' ? process.execPath : program;
  const { env, cwd = ROOT } = options;
  const child = spawn(file, args, { cwd, env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...env } });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk;
    });
  }
  return { child, output: () => text };
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

async function lastStage() {
  const stages = await readDockerfile();
  const stage = stages.at(-1) ?? [];
  const of = (name: string) => stage.filter((one) => one.name === name).map(({ rest }) => rest);
  const env = Object.fromEntries(
    of('ENV').flatMap((rest) => rest.split(/\s+/).map((pair) => pair.split('='))),
  ) as Record<string, string>;
  const json = (text: string) => JSON.parse(/\[.*\]/.exec(text)?.[0] ?? '[]') as string[];
  const [health = ''] = of('HEALTHCHECK');
  const [command = ''] = of('CMD');
  return { stages, stage, env, of, health: json(health), command: json(command) };
}

describe('the Dockerfile', () => {
  it('copies what there is, and serves as nobody of importance', async () => {
    const { stages, of } = await lastStage();
    const copies = stages.flat().filter(({ name }) => name === 'COPY');
    for (const { rest } of copies) {
      if (rest.startsWith('--from')) continue;
      const sources = rest.split(/\s+/).slice(0, -1);
      for (const source of sources) expect(await exists(join(ROOT, source)), source).toBe(true);
    }
    expect(of('USER')).toEqual(['node']);
    expect(of('RUN')).toEqual([]);
    // Nothing of tests and benchmarks comes into the image.
    const into = of('COPY').join(' ');
    for (const house of ['testkit', 'bench', 'faults', 'tidy']) expect(into).not.toContain(house);
  });

  it('names every workspace, so that npm can read the lockfile', async () => {
    const { stages } = await lastStage();
    const { workspaces } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      workspaces: string[];
    };
    for (const stage of stages.slice(0, -1)) {
      const copied = stage
        .filter(({ name }) => name === 'COPY')
        .map(({ rest }) => rest.split(/\s/)[0]);
      for (const house of workspaces) {
        expect(copied.some((path) => path === house || path === `${house}/package.json`)).toBe(
          true,
        );
      }
    }
  });

  it('has a command that starts a node, and a check that sees whether it lives', async () => {
    const { env, command, health } = await lastStage();
    const { services } = await readCompose();
    const { authSecret, redisUrl } = testServices();
    const given = {
      ...env,
      ...filledIn(services.voelgoed?.environment ?? {}, authSecret),
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      DATABASE_URL: database.ownerUrl,
      REDIS_URL: redisUrl,
      DATA_DIR: await aTestFolder('container'),
    };
    const check = async () => {
      const { child } = start(health, { env: given });
      const [code] = await once(child, 'exit');
      return code as number;
    };
    expect(health[0]).toBe('node');
    expect(await check()).toBe(1);
    const node = start(command, { env: given });
    const address = `http://127.0.0.1:${given.PORT}`;
    const isReady = async () => (await fetch(`${address}/health/ready`)).ok;
    await eventually(isReady, { within_ms: 30_000, every_ms: 100 }).catch(() => {
      throw new Error(`it never became ready: ${node.output()}`);
    });
    expect(await check()).toBe(0);
    const metrics = await (await fetch(`${address}/metrics`)).text();
    expect(metrics).toContain('voelgoed_redis_breaker_open 0');
    node.child.kill('SIGTERM');
    const [code] = await once(node.child, 'exit');
    expect([code, node.output()]).toEqual([0, expect.stringContaining('Stopped.')]);
  });
});

function filledIn(environment: Readonly<Record<string, string>>, secret: string) {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      String(value).replace(/\$\{(\w+):\?[^}]*\}/g, secret),
    ]),
  );
}

describe('the compose file', () => {
  it('names services, files and volumes that there are', async () => {
    const { services, volumes } = await readCompose();
    for (const [name, service] of Object.entries(services)) {
      expect(service.image ?? service.build, name).toBeTruthy();
      for (const other of dependenciesOf(service)) expect(Object.keys(services)).toContain(other);
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        const isFile = source.startsWith('.');
        const isThere = isFile ? await exists(join(OPS, source)) : source in volumes;
        expect([volume, isThere]).toEqual([volume, true]);
        expect(isAbsolute(source)).toBe(false);
      }
    }
    const { build, read_only } = services.voelgoed ?? {};
    expect(await exists(join(OPS, build?.context ?? '', build?.dockerfile ?? ''))).toBe(true);
    expect(read_only).toBe(true);
  });

  it('sets what docs/operate.md describes, and no secret', async () => {
    const { services } = await readCompose();
    const page = await readFile(join(ROOT, 'docs/operate.md'), 'utf8');
    const environment = services.voelgoed?.environment ?? {};
    for (const name of Object.keys(environment)) expect(page).toContain(`| \`${name}\` |`);
    expect(environment.AUTH_SECRET).toMatch(/^\$\{AUTH_SECRET:\?/);
    expect(environment.PAYMENT_WEBHOOK_SECRET).toMatch(/^\$\{PAYMENT_WEBHOOK_SECRET:\?/);
  });

  it('starts a Redis that forgets nothing by itself', async () => {
    const { services } = await readCompose();
    const port = await freePort();
    const folder = await aTestFolder('compose-redis');
    const command = [...(services.redis?.command ?? []), '--port', String(port)];
    const { output } = start(command, { env: {}, cwd: folder });
    await eventually(() => output().includes('Ready to accept connections'));
    expect(command.join(' ')).toContain('--maxmemory-policy noeviction');
  });

  it('has a Prometheus and a Grafana that find their files', async () => {
    const checked = await promtool(['check', 'config', 'prometheus.yml'], join(OPS, 'prometheus'));
    expect(checked.ok, checked.output).toBe(true);
    const folder = join(OPS, 'grafana/provisioning');
    for (const kind of ['datasources', 'dashboards']) {
      const [name = ''] = await readdir(join(folder, kind));
      const file = parse(await readFile(join(folder, kind, name), 'utf8')) as {
        apiVersion: number;
      };
      expect(file.apiVersion).toBe(1);
    }
  });
});

function dependenciesOf({ depends_on = [] }: Service): string[] {
  return Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
}

import { access, readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { eventually } from '@voelgoed/testkit/eventually';
import { promtool } from '@voelgoed/testkit/prometheus';
import { freePort } from '@voelgoed/testkit/redises';
import { aTestFolder, searchPath } from '@voelgoed/testkit/services';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { OPS, readCompose, readDockerfile, type Service } from './containers.ts';
import { type Program, start, stop } from './programs.ts';

const ROOT = join(OPS, '..');
const running: Program[] = [];

afterEach(async () => {
  for (const program of running.splice(0)) await stop(program);
});

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

async function lastStage() {
  const stages = await readDockerfile();
  const stage = stages.at(-1) ?? [];
  const of = (name: string) => stage.filter((one) => one.name === name).map(({ rest }) => rest);
  return { stages, of };
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
});

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
    const redis = start(command, { cwd: folder, path: searchPath() });
    running.push(redis);
    await eventually(() => redis.output().includes('Ready to accept connections'));
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

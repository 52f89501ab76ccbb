/**
 * Prometheus: a real one that scrapes what a test points it at, and its own tool for rules. It
 * knows how to start, ask and stop it; which questions are worth asking is the tests'.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { eventually } from '#eventually';
import { freePort } from '#redises';
import { aTestFolder } from '#services';

export type Sample = Readonly<{ metric: Readonly<Record<string, string>>; value: number }>;

export type Prometheus = Readonly<{
  url: string;
  /** What a question is answered now; a wrong question throws. */
  ask(query: string): Promise<Sample[]>;
  /** Anything else of its API. */
  get(path: string): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}>;

/** Debian's package brings both. */
export async function findPrometheus(path: string): Promise<boolean> {
  return (await find('prometheus', path)) !== null && (await find('promtool', path)) !== null;
}

/** `npm test` has installed it, or said what is missing. */
async function program(name: 'prometheus' | 'promtool'): Promise<string> {
  const file = await find(name, process.env.PATH ?? '');
  if (file === null) throw new Error(`tests need ${name} on PATH: install Debian's prometheus`);
  return file;
}

async function find(name: string, path: string): Promise<string | null> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = join(folder, name);
    const found = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return file;
  }
  return null;
}

/** Runs promtool in a folder: whether it was content, and what it said. */
export async function promtool(
  args: readonly string[],
  cwd: string,
): Promise<{ ok: boolean; output: string }> {
  const child = spawn(await program('promtool'), args, { cwd });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const [code] = await once(child, 'close');
  return { ok: code === 0, output };
}

/** Scrapes these addresses every half second, with these rules. */
export async function startPrometheus(
  targets: readonly string[],
  ruleFiles: readonly string[] = [],
): Promise<Prometheus> {
  const folder = await aTestFolder('prometheus');
  const port = await freePort();
  const config = {
    global: { scrape_interval: '500ms', evaluation_interval: '500ms' },
    rule_files: ruleFiles,
    scrape_configs: [{ job_name: 'voelgoed', static_configs: [{ targets }] }],
  };
  // What is JSON is YAML as well.
  const file = join(folder, 'prometheus.json');
  await writeFile(file, JSON.stringify(config));
  const flags = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ];
  const child = spawn(await program('prometheus'), flags, { cwd: folder, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const get = async (path: string) => {
    const reply = (await (await fetch(`${url}${path}`)).json()) as Record<string, unknown>;
    if (reply.status !== 'success') throw new Error(`${path}: ${JSON.stringify(reply)}`);
    return reply.data as Record<string, unknown>;
  };
  const isReady = async () => (await fetch(`${url}/-/ready`)).ok;
  await eventually(isReady, { within_ms: 20_000, every_ms: 100 });
  return {
    url,
    get,
    ask: async (query) => {
      const data = await get(`/api/v1/query?query=${encodeURIComponent(query)}`);
      const rows = data.result as { metric: Record<string, string>; value: [number, string] }[];
      return rows.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

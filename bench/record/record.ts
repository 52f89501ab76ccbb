/**
 * The record of a run: its figures with when and where they were measured, as a file. It knows the
 * machine and the form of the file; what figures mean is up to whoever reads them.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { arch, availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { promisify } from 'node:util';
import type { Clock } from '@voelgoed/engine/kit';
import type { Figure } from '#measure';

const FORMAT = 1;
const GIGABYTE = 1e9;

/** Where and when; versions that nobody needed in a run are absent. */
export type Header = Readonly<{
  date: string;
  commit: string;
  quick: boolean;
  suites: readonly string[];
  seconds: number;
  machine: Readonly<{ cpu: string; cores: number; memory_GB: number; os: string }>;
  versions: Readonly<Record<string, string>>;
}>;

export type BenchRecord = Readonly<{ format: number; header: Header; figures: readonly Figure[] }>;

type Run = Pick<Header, 'quick' | 'suites' | 'seconds'> & {
  figures: readonly Figure[];
  versions: Readonly<Record<string, string>>;
};

export async function recordOf(
  clock: Clock,
  { figures, versions, ...run }: Run,
): Promise<BenchRecord> {
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory_GB: Math.round(totalmem() / GIGABYTE),
    os: `${await systemName()}, ${type()} ${release()} ${arch()}`,
  };
  const header = {
    date: new Date(clock.now()).toISOString(),
    commit: await commitOf(),
    ...run,
    machine,
    versions: { node: process.versions.node, ...versions },
  };
  return { format: FORMAT, header, figures };
}

export async function writeRecord(file: string, record: BenchRecord): Promise<void> {
  await writeFile(file, `${JSON.stringify(record, null, 2)}\n`);
}

export async function readRecord(file: string): Promise<BenchRecord> {
  return parseRecord(await readFile(file, 'utf8'), file);
}

/** Says in one sentence what is wrong with a file that is no record. */
export function parseRecord(text: string, name: string): BenchRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${name} is not JSON`);
  }
  const { format, header, figures } = (value ?? {}) as Partial<BenchRecord>;
  if (format !== FORMAT || !header?.machine || !Array.isArray(figures)) {
    throw new Error(`${name} is no record of a benchmark (npm run bench -- --json FILE makes one)`);
  }
  // JSON has no word for what was not measured.
  const read = (number: unknown) => (typeof number === 'number' ? number : Number.NaN);
  return {
    format,
    header,
    figures: figures.map((one: Figure) => ({
      ...one,
      median: read(one.median),
      least: read(one.least),
      most: read(one.most),
    })),
  };
}

const run = promisify(execFile);

/** Changed files make another program of it, so that is said. */
async function commitOf(): Promise<string> {
  try {
    const { stdout: commit } = await run('git', ['rev-parse', '--short=12', 'HEAD']);
    const { stdout: changes } = await run('git', ['status', '--porcelain', '-uno']);
    return `${commit.trim()}${changes.trim() === '' ? '' : ' with changes'}`;
  } catch {
    return 'unknown';
  }
}

async function systemName(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^PRETTY_NAME="?([^"\n]+)/m.exec(text)?.[1] ?? type();
}

/** The first line that a program says about itself, such as its version; null: it is not there. */
export async function versionOf(program: string): Promise<string | null> {
  try {
    const { stdout } = await run(program, ['--version']);
    return /\d+\.\d+(?:\.\d+)?/.exec(stdout)?.[0] ?? null;
  } catch {
    return null;
  }
}

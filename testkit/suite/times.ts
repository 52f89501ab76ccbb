import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import usual from './usual-times.json' with { type: 'json' };

/**
 * Seconds that each test file took when it was run last on this machine; before that, on two quiet
 * cores, if it is one of those that take long.
 */
export type Times = Readonly<Record<string, number>>;

const FILE = 'node_modules/.cache/voelgoed/test-times.json';
const MOST_NAMED = 12;

export async function readTimes(root: string): Promise<Times> {
  const text = await readFile(join(root, FILE), 'utf8').catch(() => '{}');
  return { ...usual, ...(JSON.parse(text) as Times) };
}

export async function keepTimes(root: string, times: Times): Promise<void> {
  const file = join(root, FILE);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ ...(await readTimes(root)), ...times }, null, 1));
}

/** Time by workspace, and the files that took longest: where a faster suite begins. */
export function timesTable(times: Times): string {
  const groups = new Map<string, { files: number; seconds: number }>();
  for (const [file, seconds] of Object.entries(times)) {
    const [name = ''] = file.split('/');
    const group = groups.get(name) ?? { files: 0, seconds: 0 };
    groups.set(name, { files: group.files + 1, seconds: group.seconds + seconds });
  }
  const byTime = (one: { seconds: number }, other: { seconds: number }) =>
    other.seconds - one.seconds;
  const rows = [...groups].map(([name, group]) => ({ name, ...group })).sort(byTime);
  const files = Object.entries(times)
    .map(([name, seconds]) => ({ name, seconds }))
    .sort(byTime);
  const line = ({ name, seconds }: { name: string; seconds: number }, note = '') =>
    `  ${seconds.toFixed(1).padStart(7)} s  ${name}${note}`;
  return [
    'Time by workspace (summed over workers):',
    ...rows.map((row) => line(row, `, ${row.files} files`)),
    'Longest files:',
    ...files.slice(0, MOST_NAMED).map((row) => line(row)),
  ].join('\n');
}

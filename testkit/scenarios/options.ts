import { parseArgs } from 'node:util';
import { systemRandom } from '@voelgoed/engine/kit';
import { SCENARIOS } from './list.ts';

export const RESTORE = 'restore';
const RESTORE_SENTENCE = 'a base backup under load is restored, as another lineage';

export const USAGE = `npm run faults -- [names…] [--seconds N] [--seed N] [--workers N]
  [--viewers N] [--patience N] [--json FILE] [--history FOLDER] [--list]
npm run faults -- check FILE…`;

export type RunOptions = Readonly<{
  kind: 'run';
  names: readonly string[];
  seconds: number;
  seed: number;
  workers: number;
  viewers: number;
  /** Times of healing are so many times as long. */
  factor: number;
  json: string | null;
  history: string | null;
}>;

type Options =
  | RunOptions
  | Readonly<{ kind: 'problem'; problem: string }>
  | Readonly<{ kind: 'list'; text: string }>;

const NAMES = [...SCENARIOS.map(({ name }) => name), RESTORE];

export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '10' },
      seed: { type: 'string' },
      workers: { type: 'string', default: '24' },
      viewers: { type: 'string', default: '100' },
      patience: { type: 'string', default: '1' },
      json: { type: 'string' },
      history: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return { kind: 'list', text: USAGE };
  if (values.list) return { kind: 'list', text: listed() };
  const unknown = positionals.filter((name) => !NAMES.includes(name));
  const problem = (text: string) => ({ kind: 'problem', problem: text }) as const;
  if (unknown.length > 0) return problem(`There is no scenario ${unknown.join(', ')}.`);
  const numbers = { seconds: Number(values.seconds), workers: Number(values.workers) };
  const viewers = Number(values.viewers);
  const factor = Number(values.patience);
  if (!(numbers.seconds >= 1 && numbers.seconds <= 3_600)) return problem('--seconds: 1 to 3600');
  if (!(numbers.workers >= 1 && numbers.workers <= 1_000)) return problem('--workers: 1 to 1000');
  if (!(viewers >= 0 && viewers <= 2_000)) return problem('--viewers: 0 to 2000');
  if (!(factor >= 1 && factor <= 20)) return problem('--patience: 1 to 20');
  const seed = values.seed ? Number(values.seed) : Math.floor(systemRandom.next() * 2 ** 31);
  return {
    kind: 'run',
    names: positionals.length > 0 ? positionals : NAMES,
    ...numbers,
    seed,
    viewers,
    factor,
    json: values.json ?? null,
    history: values.history ?? null,
  };
}

function listed(): string {
  const all = SCENARIOS.map(({ name, sentence }): [string, string] => [name, sentence]);
  const lines: [string, string][] = [...all, [RESTORE, RESTORE_SENTENCE]];
  return lines.map(([name, sentence]) => `${name.padEnd(18)} ${sentence}`).join('\n');
}

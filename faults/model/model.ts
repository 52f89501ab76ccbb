/**
 * The model: how seats are held and sold, small enough to be read in one sitting and searched by a
 * machine. `hold-protocol.qnt` is written in Quint and knows commands, steps of a flush and guards
 * by the code's names; it knows no SQL, no Redis command and nothing of layouts. Here is only how
 * it is searched: on this machine, with nothing fetched from anywhere.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const FILE = join(import.meta.dirname, 'hold-protocol.qnt');
const MOST_BYTES = 64 * 1024 * 1024;

export const modelText = (): string => readFileSync(FILE, 'utf8');

export type Search = Readonly<{
  /** From which states: `init`, `guarded` or `weakened`. */
  from: string;
  traces: number;
  steps: number;
  seed: number;
  /** Things that traces may come across. */
  witnesses: readonly string[];
}>;

export type Found = Readonly<{
  /** The promise was kept in every state of every trace. */
  isSafe: boolean;
  /** In how many traces each thing was come across. */
  witnessed: Readonly<Record<string, number>>;
  output: string;
}>;

/** Walks at random through what the model allows; the same seed takes the same ways. */
export async function search(invariant: string, wanted: Search): Promise<Found> {
  const { from, traces, steps, seed, witnesses } = wanted;
  const words = ['--main=holdProtocol', '--backend=typescript', '--verbosity=1', `--init=${from}`];
  const amount = [`--max-samples=${traces}`, `--max-steps=${steps}`, `--seed=${seed}`];
  const looked = witnesses.length > 0 ? ['--witnesses', ...witnesses] : [];
  const { code, output } = await quint([
    ...['run', FILE, ...words, ...amount],
    ...[`--invariant=${invariant}`, ...looked],
  ]);
  const counts = [...output.matchAll(/^(\w+) was witnessed in (\d+) trace/gm)];
  const witnessed = counts.map(([, name = '', count]) => [name, Number(count)] as const);
  return { isSafe: code === 0, witnessed: Object.fromEntries(witnessed), output };
}

/** Names, types and effects; what is wrong, or nothing. */
export async function typecheck(): Promise<string> {
  const { code, output } = await quint(['typecheck', FILE]);
  return code === 0 ? '' : output;
}

/** A process that cannot open a connection: whatever would be fetched fails the search. */
const ALONE = `import net from 'node:net';
net.Socket.prototype.connect = () => { throw new Error('the model wants to go out'); };`;

function quint(args: readonly string[]): Promise<{ code: number; output: string }> {
  const require = createRequire(import.meta.url);
  const program = join(dirname(require.resolve('@informalsystems/quint')), 'cli.js');
  const alone = ['--import', `data:text/javascript,${encodeURIComponent(ALONE)}`];
  return new Promise((resolve) => {
    const command = [...alone, program, ...args];
    execFile(process.execPath, command, { maxBuffer: MOST_BYTES }, (error, stdout, stderr) => {
      resolve({ code: error ? 1 : 0, output: `${stdout}${stderr}` });
    });
  });
}

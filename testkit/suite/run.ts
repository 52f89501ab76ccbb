import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { systemClock } from '@voelgoed/engine/kit';

export type Outcome = Readonly<{
  code: number;
  output: string;
  /** Processes that it had started and that outlived it; they are ended. */
  survivors: readonly string[];
}>;

/**
 * Takes a tenth of what a program of usual priority gets. With 19, the types were checked for 24
 * minutes beside two programs that were never idle.
 */
const PATIENT = 10;

/**
 * Inherited by everything that a command starts; by it they are found again. A command inside of a
 * command adds its own, so that both find what the inner one has started.
 */
const MARK = 'VOELGOED_TEST_COMMAND';
let commands = 0;

/**
 * Runs a command to its end. `show` passes its output on as it comes, else it is kept; `isPatient`
 * gives way to other programs. Whatever it started ends with it, also when it is interrupted. (It
 * is no session of its own, by which that could be known as well: sessions get equal shares of the
 * processor, however patient a program in them is.)
 */
export function run(
  command: string,
  args: readonly string[],
  options: { show?: boolean; isPatient?: boolean; env?: Record<string, string> } = {},
): Promise<Outcome> {
  const mark = `${process.pid}-${++commands}`;
  const marks = [process.env[MARK], mark].filter(Boolean).join(' ');
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', options.show ? 'inherit' : 'pipe', options.show ? 'inherit' : 'pipe'],
      env: { ...process.env, ...options.env, [MARK]: marks },
    });
    if (options.isPatient && child.pid !== undefined) setPriority(child.pid, PATIENT);
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    const pass = (signal: NodeJS.Signals) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, pass);
    child.once('error', reject);
    let ending: Promise<string[]> | undefined;
    child.once('exit', () => {
      ending = endMarked(mark);
    });
    // All of the output is here then; survivors would keep it open.
    child.once('close', async (code) => {
      for (const signal of signals) process.off(signal, pass);
      resolve({ code: code ?? 1, output, survivors: (await ending) ?? [] });
    });
  });
}

/** Ends the processes that have this mark, alone or among others, and says which they were. */
async function endMarked(mark: string): Promise<string[]> {
  const marked = await processesWith(mark);
  for (const { pid } of marked) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  return marked.map(({ pid, command }) => `process ${pid}: ${command.slice(0, 100)}`);
}

/** Linux only; elsewhere the programs end by themselves or are left to the operator. */
async function processesWith(mark: string): Promise<{ pid: number; command: string }[]> {
  if (process.platform !== 'linux') return [];
  const read = (file: string) => readFile(`/proc/${file}`, 'utf8').catch(() => '');
  const found: { pid: number; command: string }[] = [];
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    // One that has ended and waits to be noticed has no environment any more.
    const variables = (await read(`${name}/environ`)).split('\0');
    const marks = variables.find((one) => one.startsWith(`${MARK}=`))?.slice(MARK.length + 1);
    if (!marks?.split(' ').includes(mark)) continue;
    const command = (await read(`${name}/cmdline`)).replaceAll('\0', ' ');
    found.push({ pid: Number(name), command });
  }
  return found;
}

export function seconds(started: number): string {
  return `${((systemClock.monotonic() - started) / 1_000).toFixed(1)} s`;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';

export type Program = Readonly<{ child: ChildProcess; output(): string }>;

type Place = Readonly<{
  cwd: string;
  /** Where npm is found. */
  path: string;
  env?: Readonly<Record<string, string>>;
}>;

/**
 * Runs a command as a container would, outside of one, and keeps what it says: of our environment
 * it has only where Node and npm are, and `node` is the Node of this test.
 */
export function start(command: readonly string[], { cwd, path, env = {} }: Place): Program {
  const [program = '', ...args] = command;
  const file = program === 'node' ? process.execPath : program;
  const PATH = [dirname(process.execPath), path].join(delimiter);
  const child = spawn(file, args, { cwd, env: { PATH, ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk;
    });
  }
  return { child, output: () => text };
}

export async function outcomeOf(
  command: readonly string[],
  place: Place,
): Promise<{ code: number | null; output: string }> {
  const { child, output } = start(command, place);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output() };
}

export async function stop({ child }: Program): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

import { spawn } from 'node:child_process';
import { systemClock } from '@voelgoed/engine/kit';

export type Outcome = Readonly<{ code: number; output: string }>;

/** Runs a command to its end. `show` passes its output on as it comes, else it is kept. */
export function run(
  command: string,
  args: readonly string[],
  options: { show?: boolean; env?: Record<string, string> } = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', options.show ? 'inherit' : 'pipe', options.show ? 'inherit' : 'pipe'],
      env: { ...process.env, ...options.env },
    });
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
    child.once('close', (code) => {
      for (const signal of signals) process.off(signal, pass);
      resolve({ code: code ?? 1, output });
    });
  });
}

export function seconds(started: number): string {
  return `${((systemClock.monotonic() - started) / 1_000).toFixed(1)} s`;
}

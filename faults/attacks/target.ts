import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Phase, Stall } from './stall.ts';

export type TargetSettings = Readonly<{
  ownerUrl: string;
  redisUrl: string | null;
  authSecret: string;
  environment: Readonly<Record<string, string>>;
  deadline_ms: number;
  /** Which guard the program turns off. */
  off: 'one answer' | 'bug verdict' | null;
  /** What its stop does; otherwise it stops. */
  stop?: 'fails' | 'hangs';
}>;

export type Order =
  | Readonly<{ kind: 'start'; settings: TargetSettings }>
  | (Readonly<{ kind: 'stall' }> & Stall)
  | Readonly<{ kind: 'bug'; file: string; isRejection: boolean }>;

/** A node as a process of its own, to be attacked. */
export type Target = Readonly<{
  address: string;
  pid: number;
  /** For how long it has stood still, as it says itself; 0: it has ended. */
  stall(phase: Phase, ms: number): Promise<number>;
  bug(file: string, isRejection?: boolean): void;
  kill(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void;
  /** Null: it lives. */
  exit(): string | null;
  exited: Promise<unknown>;
  output(): string;
  /** All labels of a series together, or those that have these words. */
  metric(name: string, words?: string): Promise<number>;
  end(): Promise<void>;
}>;

const PROGRAM = fileURLToPath(new URL('./target-program.ts', import.meta.url));

export async function startTarget(settings: TargetSettings): Promise<Target> {
  const child = fork(PROGRAM, [], { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk;
    });
  }
  const exited = once(child, 'exit');
  const order = (one: Order) => void (child.connected && child.send(one));
  order({ kind: 'start', settings });
  const address = await addressOf(child, exited, () => text);
  return {
    address,
    pid: child.pid ?? 0,
    stall: async (phase, ms) => {
      const over = once(child, 'message') as Promise<[{ stalled_ms: number }]>;
      order({ kind: 'stall', phase, ms });
      const [{ stalled_ms }] = await Promise.race([over, exited.then(() => [{ stalled_ms: 0 }])]);
      return stalled_ms;
    },
    bug: (file, isRejection = false) => order({ kind: 'bug', file, isRejection }),
    kill: (signal) => void child.kill(signal),
    exit: () => (child.exitCode === null ? child.signalCode : `code ${child.exitCode}`),
    exited,
    output: () => text,
    metric: (name, words = '') => metricOf(address, name, words),
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function addressOf(child: ChildProcess, exited: Promise<unknown>, said: () => string) {
  const ended = exited.then(() => [{ problem: `it has ended: ${said()}` }]);
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [
    { address: string } | { problem: string },
  ];
  if ('problem' in answer) throw new Error(answer.problem);
  return answer.address;
}

async function metricOf(address: string, name: string, words: string): Promise<number> {
  const lines = (await (await fetch(`${address}/metrics`)).text()).split('\n');
  const own = lines.filter(
    (line) => /^[{ ]/.test(line.slice(name.length)) && line.startsWith(name),
  );
  const counted = own.filter((line) => line.includes(words));
  return counted.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

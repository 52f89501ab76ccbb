import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@voelgoed/engine/kit';
import { HistoryReader } from '#history';
import type { NodeReport, NodeSettings, Numbered, Order, Reply } from './messages.ts';

const PROGRAM = fileURLToPath(new URL('./hammer-node.ts', import.meta.url));

/** A node as a process of its own. */
export type Hammer = Readonly<{
  name: string;
  pid: number;
  tell(order: Exclude<Order, { kind: 'start' | 'end' }>): Promise<NodeReport>;
  history(): HistoryReader;
  /** False after it was killed or has ended. */
  isAlive(): boolean;
  kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  exited: Promise<unknown>;
  /** Orderly, with everything closed. */
  end(): Promise<void>;
}>;

export async function startHammer(settings: NodeSettings): Promise<Hammer> {
  const child = fork(PROGRAM, [], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const ask = askerOf(child);
  try {
    await ask({ kind: 'start', settings });
  } catch (error) {
    child.kill('SIGKILL');
    await exited;
    throw error;
  }
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    name: settings.name,
    pid: child.pid ?? 0,
    tell: ask,
    history: readerOf(settings.historyFile),
    isAlive,
    kill: (signal) => child.kill(signal),
    exited,
    end: async () => {
      // It may be stopped, or wait for a database that is gone.
      child.kill('SIGCONT');
      const patience = new AbortController();
      const tooLong = systemClock.sleep(END_MS, patience.signal).then(() => child.kill('SIGKILL'));
      if (isAlive()) ask({ kind: 'end' }).catch(() => {});
      await exited;
      patience.abort();
      await tooLong.catch(() => {});
    },
  };
}

/** Closing takes a moment; a node that takes longer is stuck. */
const END_MS = 10_000;
const CHUNK_BYTES = 256 * 1024;

/** Reads what has been written since it was asked last. */
function readerOf(file: string): () => HistoryReader {
  const reader = new HistoryReader();
  const decoder = new TextDecoder();
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let read = 0;
  return () => {
    const handle = openSync(file, 'r');
    try {
      for (;;) {
        const bytes = readSync(handle, chunk, 0, CHUNK_BYTES, read);
        if (bytes === 0) return reader;
        read += bytes;
        reader.add(decoder.decode(chunk.subarray(0, bytes), { stream: true }));
      }
    } finally {
      closeSync(handle);
    }
  };
}

type Waiting = { resolve(report: NodeReport): void; reject(error: Error): void };

function askerOf(child: ChildProcess): (order: Order) => Promise<NodeReport> {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  child.on('message', ({ number, message }: Numbered<Reply>) => {
    const one = waiting.get(number);
    waiting.delete(number);
    if ('report' in message) one?.resolve(message.report);
    else one?.reject(new Error(message.error));
  });
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the node is gone'));
    waiting.clear();
  });
  return (message) => {
    const { promise, resolve, reject } = Promise.withResolvers<NodeReport>();
    const number = ++last;
    waiting.set(number, { resolve, reject });
    child.send({ number, message } satisfies Numbered<Order>, (error) => error && reject(error));
    return promise;
  };
}

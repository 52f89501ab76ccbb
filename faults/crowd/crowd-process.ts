import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AnswerTo, Numbered, Order, Reply } from './messages.ts';

const PROGRAM = fileURLToPath(new URL('./crowd-program.ts', import.meta.url));

type Waiting = Readonly<{ resolve(answer: unknown): void; reject(error: Error): void }>;

/** The crowd as whoever directs it sees it. */
export class CrowdProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor() {
    this.#child = fork(PROGRAM, [], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child.on('message', ({ number, message }: Numbered<Reply>) => {
      const one = this.#waiting.get(number);
      this.#waiting.delete(number);
      if ('answer' in message) one?.resolve(message.answer);
      else one?.reject(new Error(message.error));
    });
    this.#child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the crowd is gone'));
      this.#waiting.clear();
    });
  }

  tell<Given extends Order>(order: Given): Promise<AnswerTo<Given['kind']>> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const number = ++this.#last;
    this.#waiting.set(number, { resolve, reject });
    this.#child.send({ number, message: order } satisfies Numbered<Order>, (error) => {
      if (error) reject(error);
    });
    return promise as Promise<AnswerTo<Given['kind']>>;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }
}

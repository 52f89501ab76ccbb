/**
 * Child processes that do what they are told, one message at a time, and end with whoever started
 * them. It knows processes and messages, not what is measured. Suites start them; programs obey.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { reasonOf } from '@voelgoed/engine/kit';

type Reply =
  | Readonly<{ kind: 'answer'; answer: unknown }>
  | Readonly<{ kind: 'failed'; reason: string }>;

const LEAVE = 'leave';

export class Child {
  readonly #process: ChildProcess;

  /** What it prints is nobody's business; what goes wrong in it is. */
  constructor(program: string, execArgv: readonly string[] = []) {
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
    const flags = [...process.execArgv, ...execArgv];
    this.#process = fork(program, { execArgv: flags, stdio: [...stdio] });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** One question at a time: answers carry no names. */
  async ask<Answer>(message: unknown): Promise<Answer> {
    const child = this.#process;
    const replied = new Promise<Reply>((resolve, reject) => {
      const onExit = () => reject(new Error('a child process has ended'));
      child.once('exit', onExit);
      child.once('message', (reply: Reply) => {
        child.off('exit', onExit);
        resolve(reply);
      });
    });
    child.send(message as object);
    const reply = await replied;
    if (reply.kind === 'failed') throw new Error(reply.reason);
    return reply.answer as Answer;
  }

  async stop(): Promise<void> {
    if (!this.#process.connected) return;
    const gone = once(this.#process, 'exit');
    this.#process.send(LEAVE);
    await gone;
  }
}

/** The child's side: answers every message, and ends when it is told to or left alone. */
export function obey<Message>(
  work: (message: Message) => Promise<unknown>,
  leave: () => Promise<unknown> = async () => {},
): void {
  process.on('message', async (message: Message | typeof LEAVE) => {
    if (message === LEAVE) {
      await leave();
      process.exit();
    }
    const reply = await work(message as Message).then(
      (answer): Reply => ({ kind: 'answer', answer }),
      (error: unknown): Reply => ({ kind: 'failed', reason: reasonOf(error) }),
    );
    process.send?.(reply);
  });
  process.on('disconnect', () => process.exit());
}

import { Worker } from 'node:worker_threads';
import { OperatingError, Semaphore } from '#kit';
import type { LayoutAnswer, LayoutTask } from './layout-tasks.ts';

type Message = { id: number; answer?: LayoutAnswer; failure?: string };
type Waiter = { resolve: (answer: LayoutAnswer) => void; reject: (error: Error) => void };

/** The thread does one thing at a time. */
const PLACES = 1;
/** Who waits may hold 32 MB of text: more than this many are refused at once. */
const QUEUE = 8;
const WAIT_MS = 30_000;
/** Several times what the largest legal layout needs. */
const HEAP_MB = 2_048;
/** 100,000 seats take about a second; this only ends a thread that is stuck. */
const TASK_MS = 30_000;

/**
 * Heavy work on layouts, away from the event loop: validating 100,000 seats would keep every buyer
 * waiting for half a second. The thread is started when it is first needed and again if it dies.
 */
export class Workshop {
  readonly #places = new Semaphore(PLACES);
  readonly #waiters = new Map<number, Waiter>();
  #worker: Worker | null = null;
  #last = 0;

  async do<Task extends LayoutTask>(task: Task): Promise<LayoutAnswer<Task['kind']>> {
    if (this.#places.waiting >= QUEUE || !(await this.#places.acquire(WAIT_MS))) {
      throw new OperatingError('overloaded', 'too many layouts are being worked on', {
        retryable: true,
      });
    }
    try {
      return (await this.#send(task)) as LayoutAnswer<Task['kind']>;
    } finally {
      this.#places.release();
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #send(task: LayoutTask): Promise<LayoutAnswer> {
    const worker = this.#running();
    this.#last++;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      const stuck = setTimeout(() => void worker.terminate(), TASK_MS);
      const done = () => {
        clearTimeout(stuck);
        this.#waiters.delete(id);
        // An idle thread must not keep the process alive.
        if (this.#waiters.size === 0) worker.unref();
      };
      this.#waiters.set(id, {
        resolve: (answer) => {
          done();
          resolve(answer);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      worker.ref();
      worker.postMessage({ id, task });
    });
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    worker.on('message', ({ id, answer, failure }: Message) => {
      const waiter = this.#waiters.get(id);
      if (answer) waiter?.resolve(answer);
      else waiter?.reject(new Error(`a layout task failed: ${failure}`));
    });
    worker.on('messageerror', (error) => this.#gone(worker, error));
    worker.on('error', (error) => this.#gone(worker, error as Error));
    worker.on('exit', () => this.#gone(worker, new Error('the thread ended')));
    this.#worker = worker;
    return worker;
  }

  /** Everybody who waited is told; the next task gets a new thread. */
  #gone(worker: Worker, cause: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const message = 'the thread that works on layouts died';
    const error = new OperatingError('unavailable', message, { retryable: true, cause });
    for (const waiter of [...this.#waiters.values()]) waiter.reject(error);
  }
}

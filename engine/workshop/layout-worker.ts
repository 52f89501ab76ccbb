/** The thread that works on whole layouts: a task comes in, its answer goes out. */
import { parentPort } from 'node:worker_threads';
import { reasonOf } from '#kit';
import { type LayoutTask, work } from './layout-tasks.ts';

parentPort?.on('message', ({ id, task }: { id: number; task: LayoutTask }) => {
  try {
    parentPort?.postMessage({ id, answer: work(task) });
  } catch (error) {
    parentPort?.postMessage({ id, failure: reasonOf(error) });
  }
});

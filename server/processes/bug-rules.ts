import { isOperatingError } from '@voelgoed/engine/kit';

/** What becomes of a node after an exception that no code caught. */
export type BugVerdict = 'goes on' | 'ends';

/**
 * Code that has no state beyond one request or one connection: the runtime itself, the framework,
 * the HTTP edge, routes and files. An exception that was thrown here and unwound nothing else can
 * have spoiled that one answer and no more.
 */
const STATELESS = [
  /[( ]node:/,
  /\/node_modules\/(?:fastify|@fastify|find-my-way|fast-json-stringify|pino|sonic-boom)\//,
  /\/server\/(?:http|routes|site)\//,
  // Functions of the language itself.
  /\(<anonymous>\)$/,
  /\(index \d+\)$/,
];

/**
 * A node goes on when its state cannot be wrong: after an operating error (a machine was in the
 * way, and everything that meets machines is written for that), and after an exception whose every
 * frame is in stateless code. Everything else may have left a board, a queue, a pool or a cache
 * half changed, and so may what cannot be known: no stack, or one that was cut off. Then the node
 * ends, and the next one reads its boards from Postgres.
 */
export function verdictOn(error: unknown, limit = Error.stackTraceLimit): BugVerdict {
  if (isOperatingError(error)) return 'goes on';
  const frames = framesOf(error);
  if (frames.length === 0 || frames.length >= limit) return 'ends';
  return frames.every((frame) => STATELESS.some((place) => place.test(frame))) ? 'goes on' : 'ends';
}

function framesOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const lines = stack.split('\n').map((line) => line.trim());
  return lines.filter((line) => line.startsWith('at '));
}

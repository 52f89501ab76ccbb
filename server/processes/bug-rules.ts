import { fileURLToPath } from 'node:url';
import { isOperatingError } from '@voelgoed/engine/kit';

/** What becomes of a node after an exception that no code caught. */
export type BugVerdict = 'goes on' | 'ends';

/** Of the product, or of the image that it is installed in. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Code that has no state beyond one request or one connection: the runtime itself, the framework,
 * the HTTP edge, routes and files. An exception that was thrown here and unwound nothing else can
 * have spoiled that one answer and no more. Paths are those below the root: a folder above it may
 * have any name.
 */
const STATELESS = [
  /^node_modules\/(?:fastify|@fastify|find-my-way|fast-json-stringify|pino|sonic-boom)\//,
  /^server\/(?:http|routes|site)\//,
];
/** Where a frame is: in brackets behind a name, or alone. */
const PLACE = /^at (?:.* \()?(?:async )?((?:node:|file:|\/).*?)(?::\d+){0,2}\)?$/;
/** Functions of the language itself. */
const LANGUAGE = /\(<anonymous>\)$|\(index \d+\)$/;

/**
 * A node goes on when its state cannot be wrong: after an operating error (a machine was in the
 * way, and everything that meets machines is written for that), and after an exception whose every
 * frame is in stateless code. Everything else may have left a board, a queue, a pool or a cache
 * half changed, and so may what cannot be known: no stack, one that was cut off, or the failure of
 * a system call that the runtime alone reports. Connections of HTTP have a listener for those, so
 * it is one of a driver, whose connection has state. Then the node ends, and the next one reads its
 * boards from Postgres.
 */
export function verdictOn(
  error: unknown,
  { limit = Error.stackTraceLimit, root = ROOT }: { limit?: number; root?: string } = {},
): BugVerdict {
  if (isOperatingError(error)) return 'goes on';
  const frames = framesOf(error);
  if (frames.length === 0 || frames.length >= limit) return 'ends';
  const isSystemCall = error instanceof Error && 'syscall' in error;
  if (isSystemCall && frames.every(isOfRuntime)) return 'ends';
  return frames.every((frame) => isStateless(frame, root)) ? 'goes on' : 'ends';
}

function framesOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const lines = stack.split('\n').map((line) => line.trim());
  return lines.filter((line) => line.startsWith('at '));
}

function isOfRuntime(frame: string): boolean {
  return LANGUAGE.test(frame) || placeOf(frame).startsWith('node:');
}

function isStateless(frame: string, root: string): boolean {
  if (isOfRuntime(frame)) return true;
  const place = placeOf(frame);
  const path = place.startsWith('file:') ? fileURLToPath(place) : place;
  if (!path.startsWith(root)) return false;
  return STATELESS.some((one) => one.test(path.slice(root.length)));
}

function placeOf(frame: string): string {
  return PLACE.exec(frame)?.[1] ?? '';
}

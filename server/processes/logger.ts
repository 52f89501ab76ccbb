import { type DestinationStream, pino } from 'pino';
import type { LogLevel } from '#config';

/** What an error may show: where and why, never the values that Postgres quotes in its details. */
function errorForLog(error: Error & { code?: unknown }): object {
  const { name, message, code, stack } = error;
  return { name, message, code, stack };
}

/**
 * A line is written within a tenth of a second, with all others of that time: a thread is woken for
 * every write, and with one for every request that was a twentieth of a node's work. What is left
 * is written when the process ends; whoever is killed for good loses that tenth.
 */
const BUFFERED = { dest: 1, sync: false, minLength: 8 * 1024, periodicFlush: 100 };

/** Lines of JSON. Headers are never logged; the paths below are for whoever logs them one day. */
export function createLogger(level: LogLevel, destination?: DestinationStream) {
  const options = {
    level,
    serializers: { err: errorForLog },
    redact: {
      paths: ['authorization', '*.authorization', '*.headers', 'token', '*.token', '*.secret'],
      censor: '[redacted]',
    },
  };
  return pino(options, destination ?? pino.destination(BUFFERED));
}

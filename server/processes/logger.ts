import { type DestinationStream, pino } from 'pino';
import type { LogLevel } from '#config';

/** What an error may show: where and why, never the values that Postgres quotes in its details. */
function errorForLog(error: Error & { code?: unknown }): object {
  const { name, message, code, stack } = error;
  return { name, message, code, stack };
}

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
  return pino(options, destination ?? bufferedOutput());
}

/** About twenty lines. */
const BUFFER_BYTES = 4_096;
/** No line waits longer than this, and none is lost when the process ends in an orderly way. */
const FLUSH_MS = 500;

/** A write for each line took a tenth of the time that a request takes in all. */
function bufferedOutput(): DestinationStream {
  const options = { minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS, sync: false };
  return pino.destination({ dest: STDOUT, ...options });
}

const STDOUT = 1;

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
  return destination ? pino(options, destination) : pino(options);
}

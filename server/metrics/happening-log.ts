import type { Happening, Telemetry } from '@voelgoed/engine/telemetry';
import type { FastifyBaseLogger } from 'fastify';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** Which happenings are worth a line, and how loud. Statements are counted, not written down. */
const LEVELS: Readonly<Record<Happening['kind'], Level | null>> = {
  'postgres.statement': null,
  'postgres.retry': 'info',
  'postgres.pool_full': 'warn',
  'postgres.connection_lost': 'warn',
  'postgres.listening': 'info',
  'board.loaded': 'debug',
  'board.other_lineage': 'error',
  'board.evicted': 'debug',
  'flush.done': null,
  'flush.settled': 'warn',
  'flush.trouble': 'warn',
  'flush.guard': 'error',
  'writer.stopped': 'error',
  'command.broken': 'error',
  'rule.broken': 'error',
  'hold.attempt': null,
  'hold.success': null,
  'hold.conflict': null,
  'hold.extended': null,
  'hold.ended': null,
  'hold.refused_fast': null,
  'entry.scanned': null,
  'checkout.closed': null,
  'ticket.sold': null,
  'refund.due': 'warn',
  'payment.message': 'info',
  'orphans.left': 'info',
  'accessible.held': null,
  'companions.changed': 'info',
  'stream.sent': null,
  'stream.dropped': 'debug',
  'stream.failed': 'warn',
  'feed.failed': 'warn',
  'job.failed': 'warn',
  'sweep.run': 'debug',
  'layout.version_changed': 'info',
  'redis.connection_lost': 'warn',
  'redis.connected': 'info',
  'redis.command': null,
  'redis.breaker': 'error',
  'hold.redis_fallback': null,
  'warm.claim': null,
  'warm.written': null,
  'warm.healed': 'warn',
  'warm.reconciled': 'debug',
  'warm.read': null,
  'webhook.sent': null,
  'webhook.disabled': 'error',
};

/** Counts and writes down at once. */
export function alsoLogged(counted: Telemetry, logger: FastifyBaseLogger): Telemetry {
  return {
    emit: (happening) => {
      counted.emit(happening);
      const level = LEVELS[happening.kind];
      if (level) logger[level](happening, happening.kind);
    },
  };
}

import { type Clock, systemClock } from '@voelgoed/engine/kit';
import type { Happening, Telemetry } from '@voelgoed/engine/telemetry';
import type { FastifyBaseLogger } from 'fastify';
import { LineLimits } from './line-limits.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';

/**
 * Which happenings are worth a line, and how loud. Those that come with every statement are counted
 * and not written down; those that come with every hold are written at level debug.
 */
export const LEVELS: Readonly<Record<Happening['kind'], Level | null>> = {
  'postgres.statement': null,
  'postgres.retry': 'info',
  'postgres.pool_full': 'warn',
  'postgres.connection_lost': 'warn',
  'postgres.listening': 'info',
  'postgres.refused': 'debug',
  'postgres.writable': 'warn',
  'postgres.oldest_snapshot': null,
  'board.loaded': 'debug',
  'board.other_lineage': 'error',
  'board.evicted': 'debug',
  'board.renewed': 'warn',
  'clock.stepped': 'error',
  'flush.done': null,
  'flush.settled': 'warn',
  'flush.trouble': 'warn',
  'flush.guard': 'error',
  'writer.stopped': 'error',
  'command.broken': 'error',
  'rule.broken': 'error',
  'seats.changed': 'debug',
  'cache.lookup': null,
  'cache.corrupt': 'warn',
  'layout.loaded': null,
  'layout.version_changed': 'info',
  'hold.attempt': 'debug',
  'hold.success': 'debug',
  'hold.conflict': 'debug',
  'hold.error': 'warn',
  'hold.refused_fast': null,
  'hold.redis_success': null,
  'hold.redis_fallback': 'warn',
  'hold.extended': 'debug',
  'hold.reduced': null,
  'hold.expired_before_checkout': null,
  'hold.extension_failed': 'error',
  'hold.expired': 'debug',
  'hold.released': null,
  'hold.converted_to_ticket': 'debug',
  'release.failed': 'warn',
  'release.repeated': 'info',
  'orphans.left': 'info',
  'accessible.held': 'info',
  'companions.changed': 'info',
  'zone.access': 'info',
  'entry.scanned': null,
  'checkout.closed': null,
  'ticket.sold': null,
  'refund.due': 'warn',
  'payment.message': 'info',
  'http.refused': null,
  'http.answer_dropped': null,
  'bug.uncaught': 'error',
  'stream.sent': null,
  'stream.dropped': 'debug',
  'stream.failed': 'warn',
  'feed.followed': null,
  'feed.failed': 'warn',
  'job.done': null,
  'job.failed': 'warn',
  'reaper.run': 'debug',
  'reaper.failed': 'warn',
  'invariant.checked': 'debug',
  'invariant.violated': 'error',
  'redis.connection_lost': 'warn',
  'redis.connected': 'info',
  'redis.command': null,
  'redis.breaker': 'error',
  'redis.probe_failed': 'warn',
  'warm.claim': null,
  'warm.written': 'debug',
  'warm.healed': 'warn',
  'warm.digest_mismatch': 'warn',
  'warm.reconciled': 'debug',
  'webhook.sent': null,
  'webhook.disabled': 'error',
};

/** Counts and writes down at once. */
export function alsoLogged(
  counted: Telemetry,
  logger: FastifyBaseLogger,
  clock: Clock = systemClock,
): Telemetry {
  const isLoud = levelTest(logger);
  const limits = new LineLimits(clock);
  return {
    ...counted,
    emit: (happening) => {
      counted.emit(happening);
      const level = levelOf(happening);
      if (!level || !isLoud[level]) return;
      const left_out = limits.take(happening.kind);
      if (left_out === null) return;
      const line = lineOf(happening);
      logger[level](left_out > 0 ? { ...line, left_out } : line, happening.kind);
    },
  };
}

/** A node that starts and can write warns of nothing, and a Redis that is back is good news. */
function levelOf(happening: Happening): Level | null {
  const isFirst = happening.kind === 'postgres.writable' && happening.first;
  if (isFirst && happening.state === 'ok') return 'info';
  if (happening.kind === 'redis.breaker' && happening.state !== 'open') return 'info';
  return LEVELS[happening.kind];
}

/** Asked once: a happening that nobody would read costs no line. */
function levelTest(logger: FastifyBaseLogger): Readonly<Record<Level, boolean>> {
  const order = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
  const least = order.indexOf(logger.level);
  const isOn = (level: Level) => order.indexOf(level) >= least;
  return {
    debug: isOn('debug'),
    info: isOn('info'),
    warn: isOn('warn'),
    error: isOn('error'),
  };
}

function lineOf(happening: Happening): object {
  if (!('ids' in happening) || typeof happening.ids !== 'function') return happening;
  return { ...happening, ids: happening.ids() };
}

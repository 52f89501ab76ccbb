import { seatingNumbers } from '@voelgoed/engine/allocation';
import { boardCounts } from '@voelgoed/engine/board';
import { systemClock } from '@voelgoed/engine/kit';
import type { Engine } from '@voelgoed/engine/workflows';
import type { GaugeBy } from './series.ts';
import { type EventFigures, watchWorstEvents } from './worst-events.ts';

type Gauges = {
  gauge(name: string, help: string, read: () => number): void;
  gaugeBy: GaugeBy;
};

type Watched = Readonly<{
  engine: Pick<Engine, 'registry' | 'warm' | 'layouts' | 'postgres'>;
  courier: { lag_ms(): number };
  streams: { clients: number };
  gate: { underWay: number; perSecond: number };
}>;

/** What is asked when somebody looks: sizes, ages, states. */
export function watchNode(metrics: Gauges, { engine, courier, streams, gate }: Watched): void {
  const { registry, warm, layouts } = engine;
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.gauge(`voelgoed_${name}`, help, read);
  const figures = figuresOf(registry);
  watchSeating(gauge, figures);
  watchWorstEvents(metrics.gaugeBy, figures);
  gauge('boards_loaded', 'Boards in memory', () => registry.loaded);
  gauge('board_bytes', 'Memory that boards take', () => registry.bytes);
  gauge('layout_cache_bytes', 'Memory that layouts take', () => layouts.bytes);
  gauge('queue_wishes', 'Wishes that wait for a flush, all events together', () => registry.queued);
  gauge(
    'hold_overdue_seconds',
    'How long the oldest hold in memory is over without having ended',
    () => figures().reduce((most, { overdue_ms }) => Math.max(most, overdue_ms), 0) / 1_000,
  );
  gauge(
    'clock_drift_seconds',
    'How far the clock of the database is ahead of event time: 0 until it is set',
    () => registry.drift_ms / 1_000,
  );
  gauge(
    'clock_skew_seconds',
    'How far the clock of this node is ahead of the clock of the database',
    () => (systemClock.now() - registry.wall()) / 1_000,
  );
  gauge(
    'unreadable_events',
    'Events whose log is written by a newer version',
    () => registry.unreadable,
  );
  gauge(
    'requests_under_way',
    'Requests that were let in and are not answered',
    () => gate.underWay,
  );
  gauge(
    'expected_requests_per_second',
    'Requests that this node is thought to answer in a second',
    () => gate.perSecond,
  );
  gauge('stream_clients', 'Open streams', () => streams.clients);
  gauge(
    'webhook_lag_seconds',
    'Age of the oldest thing that an active endpoint has not been told',
    () => courier.lag_ms() / 1_000,
  );
  // For alerts: a node without Redis has no such number.
  if (!warm) return;
  gauge('redis_breaker_open', '0: Redis is asked and believed, 1: it is not', () =>
    warm.state === 'closed' ? 0 : 1,
  );
}

/** Events whose seats are sold: how full one was that is over changes nothing any more. */
const SOLD: ReadonlySet<string> = new Set(['published', 'live', 'postponed']);
/** One look at all boards serves every gauge of a scrape. */
const LOOK_MS = 100;

/** What is known of each event in this node's memory. */
function figuresOf(registry: Engine['registry']): () => readonly EventFigures[] {
  let seen: { at_ms: number; figures: readonly EventFigures[] } | null = null;
  return () => {
    if (seen && systemClock.monotonic() - seen.at_ms < LOOK_MS) return seen.figures;
    const now_ms = registry.time();
    const figures = registry.events.map(({ event, board, queued }) => ({
      event,
      counts: board && SOLD.has(board.config.event.status) ? boardCounts(board) : null,
      queued,
      overdue_ms: board ? Math.max(0, now_ms - board.nextDue()) : 0,
    }));
    // Afterwards: also a look that takes longer serves every gauge.
    seen = { at_ms: systemClock.monotonic(), figures };
    return figures;
  };
}

/** How well the events in this node's memory are filled, all of them together. */
function watchSeating(gauge: Gauges['gauge'], read: () => readonly EventFigures[]): void {
  const counts = () => read().flatMap((one) => one.counts ?? []);
  const numbers = () => seatingNumbers(counts());
  const sum = (name: 'vipPlaces' | 'spaces' | 'taken') =>
    counts().reduce((total, one) => total + one[name], 0);
  gauge('seating_taken', 'Seats and places that are held or sold', () => sum('taken'));
  gauge('seating_vip_places', 'Places in VIP zones', () => sum('vipPlaces'));
  gauge('seating_wheelchair_spaces', 'Wheelchair spaces', () => sum('spaces'));
  gauge(
    'seating_orphan_ratio',
    'Single free seats among all seats; below 0.05 is good, above 0.1 is not',
    () => numbers().orphan_ratio,
  );
  gauge(
    'seating_vip_utilisation',
    'VIP places that are held or sold',
    () => numbers().vip_utilisation,
  );
  gauge(
    'seating_accessibility_utilisation',
    'Wheelchair spaces among all seats that are held or sold',
    () => numbers().accessibility_utilisation,
  );
}

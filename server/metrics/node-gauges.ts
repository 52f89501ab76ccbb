import { seatingNumbers } from '@voelgoed/engine/allocation';
import { boardCounts } from '@voelgoed/engine/board';
import { systemClock } from '@voelgoed/engine/kit';
import type { Engine } from '@voelgoed/engine/workflows';

type Gauges = { gauge(name: string, help: string, read: () => number): void };

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
  watchSeating(gauge, engine);
  gauge('boards_loaded', 'Boards in memory', () => registry.loaded);
  gauge('board_bytes', 'Memory that boards take', () => registry.bytes);
  gauge('layout_cache_bytes', 'Memory that layouts take', () => layouts.bytes);
  gauge('queue_wishes', 'Wishes that wait for a flush, all events together', () => registry.queued);
  gauge(
    'hold_overdue_seconds',
    'How long the oldest hold in memory is over without having ended',
    () => registry.overdue_ms / 1_000,
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

/** How well the events in this node's memory are filled, all of them together. */
function watchSeating(gauge: Gauges['gauge'], { registry }: Pick<Engine, 'registry'>): void {
  const counts = () => registry.boards.map(boardCounts);
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

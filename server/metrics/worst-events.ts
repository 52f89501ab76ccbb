import { type SeatingCounts, seatingNumbers } from '@voelgoed/engine/allocation';
import { type EventRef, eventIds } from '@voelgoed/engine/registry';
import type { GaugeBy } from './series.ts';

/** Of each figure so many events have a series: one bad event shows, and series stay few. */
export const WORST = 5;
/** Fewer taken seats say nothing about how an event sells. */
const JUDGED_FROM = 100;

/** One event in the memory of this node. */
export type EventFigures = Readonly<{
  event: EventRef;
  /** Null: its board is not in memory. */
  counts: SeatingCounts | null;
  queued: number;
  overdue_ms: number;
}>;

type Ranked = Readonly<{ event: EventRef; seats: number; value: number }>;
type Side = 'low' | 'high';
type Read = () => readonly EventFigures[];

/** The events that do worst, each by its own figure; what is fine on average hides none of them. */
export function watchWorstEvents(gaugeBy: GaugeBy, read: Read): void {
  const judged = (figureOf: (counts: SeatingCounts) => number | null) => () =>
    read().flatMap(({ event, counts }) => {
      const value = counts && counts.taken >= JUDGED_FROM ? figureOf(counts) : null;
      return value === null ? [] : [{ event, seats: counts?.seats ?? 0, value }];
    });
  const plain = (name: string, help: string, rank: () => Ranked[]) =>
    gaugeBy(`voelgoed_worst_event_${name}`, help, LABELS, () => labelled(rank(), 'high', {}));
  plain(
    'orphan_ratio',
    'Single free seats among all seats of an event: the highest',
    judged((counts) => seatingNumbers([counts]).orphan_ratio),
  );
  plain('queue_wishes', 'Commands of one event that wait for a flush: the most', () =>
    read().flatMap(({ event, counts, queued }) =>
      queued > 0 ? [{ event, seats: counts?.seats ?? 0, value: queued }] : [],
    ),
  );
  plain(
    'hold_overdue_seconds',
    'How long the oldest hold of one event is over without having ended: the longest',
    () =>
      read().flatMap(({ event, counts, overdue_ms }) =>
        overdue_ms > 0 ? [{ event, seats: counts?.seats ?? 0, value: overdue_ms / 1_000 }] : [],
      ),
  );
  const bothSides = (
    name: string,
    help: string,
    figureOf: (counts: SeatingCounts) => number | null,
  ) =>
    gaugeBy(`voelgoed_worst_event_${name}`, help, [...LABELS, 'side'], () => [
      // What nobody has bought yet in a sale that has just begun is not left over.
      ...labelled(judged((counts) => (isHalfSold(counts) ? figureOf(counts) : null))(), 'low', LOW),
      ...labelled(judged(figureOf)(), 'high', HIGH),
    ]);
  bothSides(
    'vip_utilisation',
    'VIP places of an event that are held or sold: the lowest of events half sold, the highest',
    (counts) => (counts.vipPlaces > 0 ? seatingNumbers([counts]).vip_utilisation : null),
  );
  bothSides(
    'accessibility_utilisation',
    'Wheelchair spaces among the taken seats of an event: the lowest, if half sold, the highest',
    (counts) => (counts.spaces > 0 ? seatingNumbers([counts]).accessibility_utilisation : null),
  );
}

const LABELS = ['organization_id', 'event_id'];
const LOW = { side: 'low' };
const HIGH = { side: 'high' };

function isHalfSold({ taken, seats }: SeatingCounts): boolean {
  return taken * 2 >= seats;
}

function labelled(ranked: Ranked[], side: Side, more: Readonly<Record<string, string>>) {
  const sign = side === 'high' ? -1 : 1;
  const worst = ranked
    .sort((one, other) => sign * (one.value - other.value) || tieOf(one, other))
    .slice(0, WORST);
  return worst.map(({ event, value }) => {
    const { organization_id, event_id } = eventIds(event);
    return { labels: { organization_id, event_id, ...more }, value };
  });
}

/** The larger one first, then by id: in the order of use, series would come and go. */
function tieOf(one: Ranked, other: Ranked): number {
  if (one.seats !== other.seats) return other.seats - one.seats;
  return one.event.eventId < other.event.eventId ? -1 : 1;
}

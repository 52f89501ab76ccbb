import type { Activity, ToldRow } from '@voelgoed/client/client';

export type Bucket = Activity['buckets'][number];
export type Funnel = Activity['funnel'];
type Change = ToldRow['changes'][number];

/** Everything the log says about a sale, up to a revision. */
export type SaleCounts = Readonly<{
  revision: number;
  /** Over the whole period. */
  sum: Omit<Bucket, 'bucket'>;
  /** Up to their own revision: they are counted by another question. */
  minutesRevision: number;
  /** By minute, the oldest first. */
  minutes: readonly Bucket[];
  refusals: Activity['refusals'];
}>;

export const NO_COUNTS: Omit<Bucket, 'bucket'> = {
  seats_held: 0,
  holds: 0,
  checked_out: 0,
  converted: 0,
  checkouts_started: 0,
  payments_initiated: 0,
  checkouts_completed: 0,
  tickets: 0,
  expired: 0,
  released: 0,
  checkouts_abandoned: 0,
  entries: 0,
  refused: 0,
  page_views: 0,
};

type Name = keyof typeof NO_COUNTS;
const NAMES = Object.keys(NO_COUNTS) as Name[];
const MINUTE_MS = 60_000;

export function plus(one: Omit<Bucket, 'bucket'>, other: Omit<Bucket, 'bucket'>) {
  const sum = { ...NO_COUNTS };
  for (const name of NAMES) sum[name] = one[name] + other[name];
  return sum;
}

/** The whole sale as it was counted, and its last hour by minute. */
export function countsOf(whole: Activity, lastHour: Activity): SaleCounts {
  return {
    revision: whole.revision,
    sum: whole.buckets.reduce(plus, NO_COUNTS),
    minutesRevision: lastHour.revision,
    minutes: lastHour.buckets,
    refusals: whole.refusals,
  };
}

/** Checkouts by what was told of them first, and when: what is told again is counted once. */
export type Seen = Map<string, number>;

/** What a row of the log adds, until the whole is counted again. */
function countRow({ revision, changes }: ToldRow, seen: Seen): Omit<Bucket, 'bucket'> {
  const sum = { ...NO_COUNTS };
  for (const change of changes) {
    const key = `${change.kind} ${change.checkout_id}`;
    const isFirst = (seen.get(key) ?? revision) === revision;
    if (isFirst && change.checkout_id) seen.set(key, revision);
    count(sum, change, isFirst);
  }
  return sum;
}

function count(sum: Record<Name, number>, change: Change, isFirst: boolean): void {
  const { kind, places = [] } = change;
  switch (kind) {
    case 'seat_held':
      sum.holds += places.length;
      sum.seats_held += places.reduce((total, { quantity }) => total + quantity, 0);
      return;
    case 'seat_sold':
      sum.tickets += places.length;
      sum.checkouts_completed += 1;
      sum.converted += new Set(places.map(({ hold_id }) => hold_id)).size;
      return;
    case 'hold_expired':
      sum.expired += places.length;
      return;
    case 'seat_released':
      sum.released += places.length;
      return;
    case 'checkout_started':
      if (isFirst) sum.checkouts_started += 1;
      return;
    case 'payment_initiated':
      if (isFirst) sum.payments_initiated += 1;
      return;
  }
  // Whatever else is said of a checkout is how it has ended without a ticket.
  if (kind.startsWith('checkout_')) sum.checkouts_abandoned += 1;
}

/** The same counts with rows that came after them. */
export function withRows(counts: SaleCounts, rows: readonly ToldRow[], seen: Seen): SaleCounts {
  const minutes = new Map(counts.minutes.map((minute) => [Date.parse(minute.bucket), minute]));
  let { sum, revision, minutesRevision } = counts;
  for (const row of rows) {
    const added = countRow(row, seen);
    if (row.revision > revision) {
      sum = plus(sum, added);
      revision = row.revision;
    }
    if (row.revision <= minutesRevision) continue;
    minutesRevision = row.revision;
    const at_ms = Math.floor(Date.parse(row.at) / MINUTE_MS) * MINUTE_MS;
    const bucket = new Date(at_ms).toISOString();
    minutes.set(at_ms, { bucket, ...plus(minutes.get(at_ms) ?? NO_COUNTS, added) });
  }
  return {
    ...counts,
    revision,
    sum,
    minutesRevision,
    minutes: [...minutes].sort(([one], [other]) => one - other).map(([, minute]) => minute),
  };
}

const part = (many: number, of: number) => (of === 0 ? 0 : Math.round((many / of) * 1_000) / 1_000);

/** As the server works it out. */
export function funnelOf({ sum }: SaleCounts): Funnel {
  return {
    page_view: sum.page_views,
    seat_held: sum.holds,
    checkout_started: sum.checkouts_started,
    payment_initiated: sum.payments_initiated,
    payment_completed: sum.checkouts_completed,
    tickets: sum.tickets,
    ticket_scanned: sum.entries,
    to_checkout: part(sum.checked_out, sum.holds),
    conversion: part(sum.converted, sum.holds),
    abandonment: part(sum.expired + sum.released, sum.holds),
    expiry: part(sum.expired, sum.holds),
  };
}

/** Sixty minutes up to now without gaps: nothing happened is a number, too. */
export function lastHour(counts: SaleCounts | null, now_ms: number): Bucket[] {
  const known = new Map(counts?.minutes.map((minute) => [Date.parse(minute.bucket), minute]));
  const last_ms = Math.floor(now_ms / MINUTE_MS) * MINUTE_MS;
  return Array.from({ length: 60 }, (_, index) => {
    const at_ms = last_ms - (59 - index) * MINUTE_MS;
    return known.get(at_ms) ?? { bucket: new Date(at_ms).toISOString(), ...NO_COUNTS };
  });
}

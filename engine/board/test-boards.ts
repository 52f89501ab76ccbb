import { uuidOf } from '#kit';
import { DEFAULT_POLICY, SEAT_CATEGORIES, type SeatCategory, type SeatingPolicy } from '#policies';
import type { BoardConfig, BoardZone, EventTimes } from './board-config.ts';
import type { BoardContent } from './board-content.ts';
import { BoardPlan } from './board-plan.ts';
import { SEAT, type ZoneCounts } from './board-state.ts';
import type { EndReason } from './changes.ts';
import { type Command, type Facts, type HoldCommand, type HoldItem, NO_SALES } from './commands.ts';
import { Board } from './live-board.ts';
import type { SeatGroup } from './seat-groups.ts';
import type { TaskActor } from './tasks.ts';
import { Owned } from './test-owned.ts';

/** Boards, plans and commands for tests, small enough to read and without a database. */

/** When the tests begin, in the middle of every sale. */
export const START_MS = 1_800_000_000_000;
export const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const STAFF: TaskActor = { kind: 'user', id: uuidOf('staff'), role: 'admin' };

export function seatId(ordinal: number): string {
  return uuidOf('seat', String(ordinal));
}

export function zoneId(zone: number): string {
  return uuidOf('zone', String(zone));
}

/** Wheelchair spaces with the companion seats that belong to them. */
export type Pairs = readonly (readonly [space: number, ...companions: number[]])[];

function specialSeats(pairs: Pairs): Map<number, { category: number; companionOf: number }> {
  const category = (name: SeatCategory) => SEAT_CATEGORIES.indexOf(name);
  return new Map(
    pairs.flatMap(([space, ...companions]) => [
      [space, { category: category('wheelchair'), companionOf: -1 }] as const,
      ...companions.map(
        (one) => [one, { category: category('companion'), companionOf: space }] as const,
      ),
    ]),
  );
}

/** A row is a stretch of seats of one zone. */
function rowsOf(zones: readonly number[]): number[] {
  let row = 0;
  return zones.map((zone, ordinal) => {
    if (ordinal > 0 && zone !== zones[ordinal - 1]) row++;
    return row;
  });
}

/** One seat per number, which says its zone; runs of ten. */
export function aPlan(
  zones: readonly number[],
  seatIds = zones.map((_, ordinal) => seatId(ordinal)),
  labels = zones.map((_, ordinal) => `A-${ordinal + 1}`),
  pairs: Pairs = [],
  groups: readonly SeatGroup[] = [],
): BoardPlan {
  let end = 0;
  const special = specialSeats(pairs);
  const rows = rowsOf(zones);
  return new BoardPlan({
    seatIds: Buffer.from(seatIds.join('').replaceAll('-', ''), 'hex'),
    zones: Uint16Array.from(zones),
    runs: Uint32Array.from(zones, (_, ordinal) => Math.floor(ordinal / 10)),
    numbers: Int32Array.from(zones, (_, ordinal) => (ordinal % 10) + 1),
    rows: Uint32Array.from(rows),
    rowNames: [...new Set(rows)].map(() => ({ section: null, row: 'A' })),
    x: Int32Array.from(zones, (_, ordinal) => ordinal * 1_000),
    y: new Int32Array(zones.length),
    categories: Uint8Array.from(zones, (_, ordinal) => special.get(ordinal)?.category ?? 0),
    companionOf: Int32Array.from(zones, (_, ordinal) => special.get(ordinal)?.companionOf ?? -1),
    focalPoints: Array.from({ length: Math.max(0, ...zones) + 1 }, () => ({ x: 0, y: 0 })),
    groups,
    labels: labels.join(''),
    labelEnds: Uint32Array.from(labels, (label) => {
      end += label.length;
      return end;
    }),
  });
}

export function aZone(zone: number, wanted: Partial<BoardZone> = {}): BoardZone {
  const has_seats = wanted.has_seats ?? true;
  return {
    zone_id: zoneId(zone),
    name: `Zone ${zone}`,
    zone_type: has_seats ? 'reserved_seating' : 'ga_standing',
    has_seats,
    capacity: 100_000,
    access_mode: 'public',
    membership_tier: null,
    allowed_roles: [],
    disabled: false,
    whitelist: [],
    price_cents: 1_000,
    ...wanted,
  };
}

/**
 * A policy with some values of its own; the rules that judge policies are not asked. Seats may be
 * stranded, because most tests choose theirs at random.
 */
export function aPolicy(wanted: Partial<SeatingPolicy> = {}): SeatingPolicy {
  return { ...DEFAULT_POLICY, orphan_avoidance_strict: false, ...wanted };
}

export const ON_SALE: EventTimes = {
  status: 'published',
  sale_opens_ms: START_MS - DAY_MS,
  sale_closes_ms: START_MS + DAY_MS,
  rescheduled: true,
  ends_ms: START_MS + 2 * DAY_MS,
};

export type BoardWish = {
  /** The zone of each seat. */
  seats?: readonly number[];
  zones?: readonly BoardZone[];
  policy?: Partial<SeatingPolicy>;
  event?: Partial<EventTimes>;
  /** Seats with a ticket, and seats out of the sale. */
  sold?: readonly number[];
  blocked?: readonly number[];
  /** What a zone without seats has besides holds. */
  counts?: Readonly<Record<number, Partial<ZoneCounts>>>;
  keyed?: readonly string[];
  pairs?: Pairs;
  groups?: readonly SeatGroup[];
};

/** Twelve seats in zones 0 and 1, eight places in zone 2. */
const TWELVE = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1];
const THREE_ZONES = [
  aZone(0, { capacity: 8 }),
  aZone(1, { capacity: 4 }),
  aZone(2, { has_seats: false, capacity: 8 }),
];

export function aContent(wanted: BoardWish = {}): { plan: BoardPlan; content: BoardContent } {
  const { seats = TWELVE, zones = THREE_ZONES, sold = [], blocked = [] } = wanted;
  const plan = aPlan(seats, undefined, undefined, wanted.pairs, wanted.groups);
  const codes = new Uint8Array(seats.length);
  for (const ordinal of sold) codes[ordinal] = SEAT.sold;
  for (const ordinal of blocked) codes[ordinal] = SEAT.blocked;
  const counts = zones.map((_, zone) => {
    const inZone = (ordinals: readonly number[]) =>
      ordinals.filter((ordinal) => plan.zoneOf(ordinal) === zone && ordinal < seats.length).length;
    const own = wanted.counts?.[zone] ?? {};
    return { held: 0, sold: inZone(sold), blocked: inZone(blocked), ...own };
  });
  const config: BoardConfig = {
    version: 1,
    event: { ...ON_SALE, ...wanted.event },
    policy: aPolicy(wanted.policy),
    zones,
    currency: 'ZAR',
    layout: null,
  };
  const head = { revision: 1, hash: 'one', at_ms: START_MS };
  const versions = new Uint32Array(seats.length);
  const keyed = wanted.keyed ?? [];
  return {
    plan,
    content: {
      ...head,
      config,
      codes,
      versions,
      counts,
      holds: [],
      checkouts: [],
      tasks: [],
      keyed,
      owners: [],
    },
  };
}

export function aBoard(wanted: BoardWish = {}): Board {
  const { plan, content } = aContent(wanted);
  return new Board(plan, content);
}

/** A board has the arrays it is made of for itself, so each gets its own. */
export function boardFrom(plan: BoardPlan, content: BoardContent): Board {
  return new Board(plan, structuredClone(content));
}

/** Ids in an order of their own, the same in every run. */
export function idSource(name = 'id'): () => string {
  let count = 0;
  return () => uuidOf(name, String(count++));
}

export function factsAt(now_ms: number, wanted: Partial<Facts> = {}): Facts {
  return {
    now_ms,
    newId: idSource('fact'),
    organizationActive: true,
    memberships: new Map(),
    owned: new Owned(),
    demoHoldSeconds: null,
    ...NO_SALES,
    ...wanted,
  };
}

export function seat(ordinal: number): HoldItem {
  return { seat_id: seatId(ordinal) };
}

export function places(zone: number, quantity: number): HoldItem {
  return { zone_id: zoneId(zone), quantity };
}

export function hold(
  user_id: string,
  items: readonly HoldItem[],
  wanted: Partial<HoldCommand> = {},
): HoldCommand {
  return {
    kind: 'hold',
    user_id,
    items,
    cart_token: null,
    source: 'web',
    ip: null,
    role: 'customer',
    guest: false,
    made_by: null,
    hold_seconds: null,
    notes: null,
    ...wanted,
  };
}

export function release(
  which: (Command & { kind: 'release' })['which'],
  owner: string | null = null,
  reason: EndReason = 'admin_override',
): Command {
  return { kind: 'release', note: null, which, owner, reason, actor: STAFF };
}

export function block(
  ordinals: readonly number[],
  kind: 'block' | 'unblock' = 'block',
): Command & { kind: 'block' | 'unblock' } {
  return { kind, seat_ids: ordinals.map(seatId), reason: null, actor: STAFF };
}

export function changeConfig(
  changes: (Command & { kind: 'change_config' })['changes'],
  expected: number | null = null,
): Command {
  return {
    kind: 'change_config',
    expected,
    changes,
    entry: { action: 'event_changed', changes: {} },
  };
}

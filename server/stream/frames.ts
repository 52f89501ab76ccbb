import type { EventView } from '@voelgoed/engine/workflows';

export type ShownZone = Readonly<{
  zone_id: string;
  available: number;
  held: number;
  sold: number;
  capacity: number;
}>;

/** What all clients of an event see who have received everything. */
export type Shown = Readonly<{
  revision: number;
  lineage: string;
  layout_id: string | null;
  layout_version: number;
  /** Which drawing belongs to it. */
  drawing_id: string;
  seats: Uint8Array;
  zones: readonly ShownZone[];
  /** The same object: the same history. Otherwise only place and lineage can tell. */
  history: object;
}>;

export function shownOf(
  view: EventView,
  drawn: Pick<Shown, 'layout_id' | 'drawing_id'>,
  history: object,
): Shown {
  const { revision, lineage, layout_version, seats } = view;
  const zones = view.zones
    .filter(({ disabled }) => !disabled)
    .map(({ zone_id, capacity, held, sold, blocked }) => {
      return { zone_id, available: capacity - held - sold - blocked, held, sold, capacity };
    });
  return { revision, lineage, ...drawn, layout_version, seats, zones, history };
}

/** One frame as it goes over the wire. Data is JSON and has no line breaks of its own. */
export function encode(event: string, data: object, id?: number): Buffer {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return Buffer.from(`${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** What a browser's own client does after the end: comes back after this time. */
export function retryFrame(after_ms: number): Buffer {
  return Buffer.from(`retry: ${after_ms}\n\n`);
}

export function snapshotFrame(shown: Shown): Buffer {
  const { revision, lineage, layout_id, layout_version, drawing_id, zones } = shown;
  const seats = Buffer.from(shown.seats).toString('base64');
  const digest = digestOf(shown);
  const plan = { layout_id, layout_version, drawing_id };
  const data = { revision, lineage, ...plan, seats, zones, digest };
  return encode('snapshot', data, revision);
}

/**
 * The way from one state to the next in as few bytes as possible: what has changed, or everything
 * when that is shorter or when the plan is another.
 */
export function stepFrame(before: Shown, after: Shown, snapshot: () => Buffer): Buffer {
  const { layout_id, layout_version, drawing_id } = after;
  if (!areDrawnAlike(before, after)) {
    const layout = encode('layout', { layout_id, layout_version, drawing_id });
    return Buffer.concat([layout, snapshot()]);
  }
  const isOther = before.history !== after.history || !areSameZones(before.zones, after.zones);
  if (isOther) return snapshot();
  const most = Math.ceil((after.seats.length * BASE64) / PAIR_BYTES) + FEW;
  const seats = changedSeats(before.seats, after.seats, most);
  if (!seats) return snapshot();
  const { revision, lineage } = after;
  const zones = after.zones.filter((zone, index) => !areEqual(zone, before.zones[index]));
  const digest = digestOf(after);
  const data = { from: before.revision, revision, lineage, seats, zones, digest };
  return encode('changes', data, revision);
}

const BASE64 = 4 / 3;
/** `[12345,1],` */
const PAIR_BYTES = 10;
/** In a small hall a few changes are told as such, also when the snapshot were shorter. */
const FEW = 50;

/** Null: more than `most`. */
function changedSeats(
  before: Uint8Array,
  after: Uint8Array,
  most: number,
): [ordinal: number, state: number][] | null {
  const changed: [number, number][] = [];
  if (before === after) return changed;
  for (let place = 0; place < after.length; place++) {
    const now = after[place] ?? 0;
    let difference = now ^ (before[place] ?? 0);
    if (difference === 0) continue;
    for (let ordinal = place << 2; difference > 0; ordinal++, difference >>= 2) {
      if ((difference & 3) !== 0) changed.push([ordinal, (now >> ((ordinal & 3) * 2)) & 3]);
    }
    if (changed.length > most) return null;
  }
  return changed;
}

function areSameZones(before: readonly ShownZone[], after: readonly ShownZone[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ zone_id }, index) => zone_id === after[index]?.zone_id)
  );
}

function areEqual(one: ShownZone, other: ShownZone | undefined): boolean {
  return (
    one.available === other?.available &&
    one.held === other.held &&
    one.sold === other.sold &&
    one.capacity === other.capacity
  );
}

function areDrawnAlike(one: Shown, other: Shown): boolean {
  return (
    one.layout_id === other.layout_id &&
    one.layout_version === other.layout_version &&
    one.drawing_id === other.drawing_id
  );
}

/** Nothing that a client could see is different. */
export function isSame(one: Shown, other: Shown): boolean {
  return (
    one.revision === other.revision &&
    one.lineage === other.lineage &&
    areDrawnAlike(one, other) &&
    Buffer.compare(one.seats, other.seats) === 0 &&
    areSameZones(one.zones, other.zones) &&
    one.zones.every((zone, index) => areEqual(zone, other.zones[index]))
  );
}

/**
 * FNV-1a with 32 bits over the bytes of the seats, then over `available,held,sold;` of each zone:
 * short enough to be computed by every client from what it shows.
 */
export function digestOf({ seats, zones }: Pick<Shown, 'seats' | 'zones'>): string {
  let hash = 0x811c9dc5;
  const take = (byte: number) => {
    hash = Math.imul(hash ^ byte, 0x01000193);
  };
  for (const byte of seats) take(byte);
  for (const { available, held, sold } of zones) {
    for (const byte of Buffer.from(`${available},${held},${sold};`)) take(byte);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

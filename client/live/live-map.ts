import type { Frame } from './frame-reader.ts';

export type LiveZone = Readonly<{
  zone_id: string;
  available: number;
  held: number;
  sold: number;
  capacity: number;
}>;

/**
 * What to do after a frame: nothing; ask for what is missing; or forget where you are, because what
 * is shown is not what the server shows.
 */
export type Verdict = 'good' | 'resume' | 'restart';

type Snapshot = Readonly<{
  revision: number;
  lineage: string;
  layout_id: string | null;
  layout_version: number;
  drawing_id?: string;
  seats: string;
  zones: readonly LiveZone[];
  digest: string;
}>;

type Changes = Readonly<{
  from: number;
  revision: number;
  lineage: string;
  seats: readonly (readonly [ordinal: number, state: number])[];
  zones: readonly LiveZone[];
  digest: string;
}>;

/**
 * The state of a seat map, fed with frames of the stream. It takes them in whatever order and as
 * often as they come, never goes back within one history, and notices when it is wrong.
 */
export class LiveMap {
  seats: Uint8Array = new Uint8Array();
  zones: readonly LiveZone[] = [];
  revision = -1;
  lineage = '';
  layoutId: string | null = null;
  layoutVersion = -1;
  /** Which drawing of that version; null: an older server does not say. */
  drawingId: string | null = null;
  /** The first snapshot of a connection may be of another history, and then counts all the same. */
  #isFresh = true;

  /** A new connection begins. */
  connected(): void {
    this.#isFresh = true;
  }

  /** 0 available, 1 held, 2 sold, 3 blocked. */
  stateOf(ordinal: number): number {
    return stateAt(this.seats, ordinal);
  }

  /** Does this drawing belong to it? A server of an older version names the layout alone. */
  isDrawnBy({
    layout_id,
    layout_version,
    drawing_id = this.drawingId ?? undefined,
  }: Readonly<{ layout_id: string | null; layout_version: number; drawing_id?: string }>): boolean {
    const isOfLayout = layout_version === this.layoutVersion && layout_id === this.layoutId;
    return isOfLayout && (this.drawingId === null || drawing_id === this.drawingId);
  }

  take({ event, data }: Frame): Verdict {
    switch (event) {
      case 'snapshot':
        return this.#snapshot(data as Snapshot);
      case 'changes':
        return this.#changes(data as Changes);
      case 'heartbeat':
        return this.#heartbeat(data as Changes);
      case 'layout':
        // Everything is new: a snapshot follows and counts.
        this.#isFresh = true;
        return 'good';
      default:
        return 'good';
    }
  }

  #snapshot(snapshot: Snapshot): Verdict {
    const { revision, lineage, digest } = snapshot;
    // An old one that was late, or another history: a new connection tells.
    if (revision < this.revision && !this.#isFresh) return 'restart';
    this.#isFresh = false;
    this.seats = seatBytes(snapshot.seats);
    this.zones = snapshot.zones;
    this.revision = revision;
    this.lineage = lineage;
    this.layoutId = snapshot.layout_id;
    this.layoutVersion = snapshot.layout_version;
    this.drawingId = snapshot.drawing_id ?? null;
    return this.#isRight(digest) ? 'good' : 'restart';
  }

  #changes({ from, revision, lineage, seats, zones, digest }: Changes): Verdict {
    if (from > this.revision) return 'resume';
    // Seen before, or overtaken by a snapshot.
    if (from < this.revision) return revision <= this.revision ? 'good' : 'restart';
    this.#isFresh = false;
    for (const [ordinal, state] of seats) this.#set(ordinal, state);
    const changed = new Map(zones.map((zone) => [zone.zone_id, zone]));
    this.zones = this.zones.map((zone) => changed.get(zone.zone_id) ?? zone);
    this.revision = revision;
    this.lineage = lineage;
    return this.#isRight(digest) ? 'good' : 'restart';
  }

  #heartbeat({ revision, lineage, digest }: Changes): Verdict {
    if (revision > this.revision) return 'resume';
    if (revision < this.revision) return this.#isFresh ? 'restart' : 'good';
    return lineage === this.lineage && this.#isRight(digest) ? 'good' : 'restart';
  }

  #set(ordinal: number, state: number): void {
    const shift = (ordinal & 3) * 2;
    const byte = this.seats[ordinal >> 2] ?? 0;
    this.seats[ordinal >> 2] = (byte & ~(3 << shift)) | (state << shift);
  }

  #isRight(digest: string): boolean {
    return digestOf(this.seats, this.zones) === digest;
  }
}

/** The bytes of `seats`, as availability, snapshots and the board as it was have them. */
export function seatBytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** 0 available, 1 held, 2 sold, 3 blocked. */
export function stateAt(seats: Uint8Array, ordinal: number): number {
  return ((seats[ordinal >> 2] ?? 0) >> ((ordinal & 3) * 2)) & 3;
}

/** FNV-1a with 32 bits over the seats' bytes, then over `available,held,sold;` of each zone. */
function digestOf(seats: Uint8Array, zones: readonly LiveZone[]): string {
  const counts = zones.map(({ available, held, sold }) => `${available},${held},${sold};`).join('');
  let hash = 0x811c9dc5;
  for (const bytes of [seats, new TextEncoder().encode(counts)]) {
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

import type { Failure } from '#failures';
import type { Drawing, Occupancy, ToldRow } from '#shapes';
import type { LiveMap } from './live-map.ts';

/**
 * `live`: what is shown is what the server shows. `connecting`: it was so a moment ago. `stale`:
 * nothing was heard for 12 seconds; say so.
 */
export type LiveStatus = 'connecting' | 'live' | 'stale';

/** A hold of the buyer whose token the stream is read with. */
export type OwnHold = Readonly<{
  hold_id: string;
  /** Absent for places without a seat, as are label and ordinal. */
  seat_id?: string;
  label?: string;
  ordinal?: number;
  zone_id: string;
  quantity: number;
  held_until: string;
  expires_in_seconds: number;
  checkout_id: string | null;
}>;

export type LiveEvent =
  | Readonly<{ kind: 'status'; status: LiveStatus }>
  /** `seats`: which are different now, and how; null: any may be. */
  | Readonly<{
      kind: 'map';
      map: LiveMap;
      seats: readonly (readonly [ordinal: number, state: number])[] | null;
    }>
  /** The first drawing, and each time there is another one. */
  | Readonly<{ kind: 'drawing'; drawing: Drawing }>
  | Readonly<{ kind: 'occupancy'; occupancy: Occupancy }>
  /** All live holds of the buyer, each time; and which have ended, and why. */
  | Readonly<{
      kind: 'own';
      revision: number;
      holds: readonly OwnHold[];
      ended: readonly Readonly<{ hold_id: string; reason: string }>[];
    }>
  /** Staff: what was done, by whom and why; nothing left out, nothing twice. */
  | Readonly<{ kind: 'log'; rows: readonly ToldRow[] }>
  /** Staff: a zone has passed 90 or 100 percent. */
  | Readonly<{ kind: 'capacity_critical'; zone_id: string; percent: number; revision: number }>
  /** The server will not have us, and trying again is no use. Nothing follows. */
  | Readonly<{ kind: 'ended'; failure: Failure }>;

export type LiveListener = (event: LiveEvent) => void;

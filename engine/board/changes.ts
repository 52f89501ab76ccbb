import type { SeatingPolicy } from '#policies';
import type { BoardZone, EventTimes } from './board-config.ts';
import type { HoldSource } from './board-state.ts';
import type { SaleChange } from './sale-changes.ts';
import type { BoardTask } from './tasks.ts';

/** How the rows of the log are written. A node that meets another number stops deciding. */
export const LOG_FORMAT = 2;
/** Of rows with a kind of change that 0.1.0 would pass over, and go on with a wrong board. */
export const YOUNGEST_FORMAT = 3;
/** Rows of an older version, which had fewer kinds of changes, are read all the same. */
export const KNOWN_FORMATS: readonly number[] = [1, LOG_FORMAT, YOUNGEST_FORMAT];

export const END_REASONS = [
  'ttl_expired',
  'user_cancelled',
  'payment_failed',
  'admin_override',
  'event_cancelled',
] as const;
export type EndReason = (typeof END_REASONS)[number];

/**
 * What happened, as the log keeps it. Seats are ordinals and zones are numbers of the board at that
 * revision. Whoever applies the changes in order has the board.
 */
export type Change =
  | HeldChange
  | SaleChange
  | Readonly<{ kind: 'extended'; holds: readonly (readonly [hold_id: string, until_ms: number])[] }>
  | ReducedChange
  | Readonly<{ kind: 'ended'; reason: EndReason; note?: string; holds: readonly string[] }>
  | Readonly<{ kind: 'blocked'; ordinals: readonly number[]; reason: string | null }>
  | Readonly<{ kind: 'unblocked'; ordinals: readonly number[]; reason: string | null }>
  | Readonly<{ kind: 'event'; event: EventTimes; reason: string | null }>
  | (Readonly<{ kind: 'config' }> & ConfigChange)
  | Readonly<{ kind: 'task'; task: BoardTask }>
  /** The companion seats of a zone have gone to everybody, or are kept again. */
  | Readonly<{ kind: 'companions'; zone: number; released: boolean }>
  /** So many pieces of the first task are done. */
  | Readonly<{ kind: 'task_worked'; count: number }>
  /** Everything is new, as when an event opens: the state is in the snapshot of this revision. */
  | Readonly<{ kind: 'planned'; layout_id: string | null; version: number }>;

/** Holds of places that have fewer of them, and how many became free. */
export type ReducedChange = Readonly<{
  kind: 'reduced';
  holds: readonly (readonly [hold_id: string, quantity: number, released: number])[];
}>;

export type ConfigChange = Readonly<{
  event?: EventTimes;
  policy?: SeatingPolicy;
  zones?: readonly BoardZone[];
}>;

/** One wish of one user, which may be several holds; they were made when the row was written. */
export type HeldChange = Readonly<{
  kind: 'held';
  user_id: string;
  cart_token: string;
  until_ms: number;
  source: HoldSource;
  ip?: string;
  made_by?: string;
  notes?: string;
  seats?: readonly (readonly [hold_id: string, ordinal: number])[];
  places?: readonly (readonly [hold_id: string, zone: number, quantity: number])[];
  /** For whom, where that is not the buyer alone. */
  people?: readonly (readonly [hold_id: string, user_ids: readonly string[]])[];
  unjudged?: true;
  settled?: number;
}>;

/** One commit. */
export type ChangeRow = Readonly<{
  revision: number;
  flush_id: string;
  at_ms: number;
  format: number;
  changes: readonly Change[];
  /** Users whose wish carried an idempotency key: a repeat of theirs is never refused unseen. */
  keyed: readonly string[];
  /** Binds the row to all rows before it. */
  hash: string;
}>;

/** The oldest format whose readers know all of these. */
export function formatOf(changes: readonly Change[]): number {
  return changes.some(({ kind }) => kind === 'reduced') ? YOUNGEST_FORMAT : LOG_FORMAT;
}

/** After such a row a board is loaded anew. */
export function isBarrier(row: ChangeRow): boolean {
  return row.changes.some(({ kind }) => kind === 'planned');
}

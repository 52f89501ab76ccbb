import type { Checkout } from '#checkouts';
import type { BoardConfig } from './board-config.ts';
import type { Hold, ZoneCounts } from './board-state.ts';
import type { BoardTask } from './tasks.ts';

/** A board as it is loaded: everything at one revision. */
export type BoardContent = Readonly<{
  revision: number;
  hash: string;
  /** When the last row was written; time on a board never runs backwards. */
  at_ms: number;
  config: BoardConfig;
  codes: Uint8Array;
  versions: Uint32Array;
  counts: readonly ZoneCounts[];
  holds: readonly Hold[];
  /** Open ones. */
  checkouts: readonly Checkout[];
  tasks: readonly BoardTask[];
  keyed: readonly string[];
  /** Zones whose companion seats are for everybody. */
  released?: readonly number[];
  /** Who has bought wheelchair spaces with companion seats; a snapshot that is older has none. */
  owners?: readonly (readonly [ordinal: number, userId: string])[];
}>;

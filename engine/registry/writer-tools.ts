import type { Board } from '#board';
import type { DatabaseTime } from './database-time.ts';
import type { FlushTools } from './flush.ts';
import type { Feed, Store } from './ports.ts';
import type { BoardSlot } from './slot.ts';

/** What the writers of a node share. */
export type WriterTools = FlushTools &
  Readonly<{
    store: Store;
    feed: Feed;
    /** As last read by any writer of this node. */
    time: DatabaseTime;
    stopping: AbortSignal;
    onCommit(slot: BoardSlot, board: Board): void;
    onIdle(slot: BoardSlot): void;
    /** The next turn of the loop. */
    turn(): Promise<void>;
  }>;

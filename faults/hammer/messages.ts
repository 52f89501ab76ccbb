import type { Operation } from '#history';

/** How a node of the hammer is made. */
export type NodeSettings = Readonly<{
  name: string;
  appUrl: string;
  jobsUrl: string;
  writerUrl: string;
  historyFile: string;
  organizationId: string;
  eventId: string;
  demoHoldSeconds: number;
  /** The node's time of day is wrong by this much. */
  clock_shift_ms: number;
  weakness: Weakness;
  /** Null: there is no Redis. */
  redisUrl: string | null;
  /** False: nobody makes visible what is over. */
  sweeps: boolean;
}>;

/**
 * Guards that a control test takes away:
 * `stale` decides on the board as it was when the lock was asked for, without catching up;
 * `unlocked` does not take the event's lock;
 * `boastful` says that a flush is committed as soon as it is decided.
 */
export type Weakness = 'none' | 'stale' | 'unlocked' | 'boastful';

export type LoadOrder = Readonly<{
  seed: number;
  /** Wishes under way at a time. */
  workers: number;
  /** Between the answer to one wish and the next, at most. */
  pause_ms: number;
  seats: readonly string[];
  zones: readonly string[];
  users: readonly string[];
}>;

/** What a wish was, so that anybody can send it again. */
export type Again = Pick<Operation, 'wish' | 'asked' | 'user' | 'key'>;

export type Order =
  | Readonly<{ kind: 'start'; settings: NodeSettings }>
  | Readonly<{ kind: 'load'; load: LoadOrder }>
  /** Lets what is under way end. */
  | Readonly<{ kind: 'rest' }>
  | Readonly<{ kind: 'again'; wishes: readonly Again[] }>
  | Readonly<{ kind: 'board' }>
  /** Stops the whole process between the lock and the write of its next flush. */
  | Readonly<{ kind: 'stop_inside' }>
  | Readonly<{ kind: 'end' }>;

export type NodeReport = Readonly<{
  board: Readonly<{ revision: number; digest: string }> | null;
  /** What the node thinks of Redis, and whether Redis says what the board says. */
  redis: Readonly<{ state: string; isEqual: boolean }> | null;
  /** How often what happened inside the engine. */
  happened: Readonly<Record<string, number>>;
}>;

export type Numbered<Message> = Readonly<{ number: number; message: Message }>;
export type Reply = Readonly<{ report: NodeReport } | { error: string }>;

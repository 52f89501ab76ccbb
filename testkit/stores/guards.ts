/**
 * What a simulated world can be told to go without, to show what it is for. They exist only here:
 * the product has no such switches, its parts meet these worlds through their ports.
 */
export const GUARDS = [
  /** The store: two flushes of one event at the same time. */
  'event lock',
  /** The store: the board's row is at the revision before. */
  'revision guard',
  /** The store: a revision is in the log once. */
  'change row key',
  'version check',
  'seat_hold_id check',
  /** The store: holds that end or change are alive. */
  'hold status check',
  /** The store: one live hold of a seat. */
  'unique index',
  'zone CHECK',
  /** The store: checkouts, messages and tickets are what they were believed to be. */
  'sales checks',
  /** The store: a key is kept once. */
  'key row',
  /** A write that was refused is taken for a commit. */
  'commit tag check',
  /** A lost answer is looked up without the event's lock. */
  'unknown commits under the lock',
  /** Rows that are found are taken for durable, and answered without a commit. */
  'durable answers',
  /** A commit whose wait for the standby was cancelled is taken for a commit like any other. */
  'standby warning',
  /** Keys are kept by a commit of their own, which a crash prevents. */
  'idempotency in the commit',
  /** Boards of another history are believed. */
  'lineage',
  /** Time stands still for whoever decides. */
  'expiry before decide',
  /** A step of the database's clock is noticed, and no drift takes it up. */
  'shared drift',
  /** Whoever gives back seats gives back those that are being paid for. */
  'paying not reapable',
  /** A decline counts for whatever attempt is current. */
  'attempt check',
  /** Nobody is told of a commit. */
  'publish after commit',
  /** Boards are not compared with the store every second. */
  'poll',
  /** Claims are removed whatever is there by now. */
  'compare-and-delete',
  /** What a board does not know stays in Redis. */
  'healing',
  /** Redis takes a part of the bitmap for the whole of it. */
  'gap detection',
  /** Redis is believed as soon as it answers. */
  'reconcile before breaker close',
  /** Nobody looks after what Redis has, nor hears what it tells. */
  'watchman',
  /** Readers are shown a bitmap that was changed since it was written. */
  'reader digest',
  /** Redis takes what is older than what it has. */
  'revision order',
] as const;

export type Guard = (typeof GUARDS)[number];
export type GuardsOff = ReadonlySet<Guard>;

export const ALL_ON: GuardsOff = new Set();

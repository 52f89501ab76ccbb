import type { Membership } from '#accounts';
import type { AuditRow, ChainHead } from '#audit';
import type {
  Board,
  BoardConfig,
  BoardTask,
  ChangeRow,
  EndReason,
  Facts,
  Hold,
  HoldCommand,
  ZoneCounts,
} from '#board';
import type { Clock, Random, Timers } from '#kit';
import type { Statement } from '#postgres';
import type { Scope } from '#scope';
import type { Happening, Telemetry } from '#telemetry';
import type { ClockState } from './clock-rules.ts';
import type { SharedClock } from './database-time.ts';
import type { SalesWrite } from './sales-effects.ts';

/** Which board: an event of an organization. */
export type EventRef = Readonly<{ scope: Scope; eventId: string }>;

export type Tools = Readonly<{ clock: Clock & Timers; random: Random; telemetry: Telemetry }>;

/**
 * Where the truth is. The writer knows these few things about it: a lock per event, reading under
 * that lock, one guarded write that happens whole or not at all, and a commit whose answer may be
 * lost.
 */
export type Store = Readonly<{
  /** Everything at one revision; null when the event is not on sale. */
  load(event: EventRef): Promise<Board | null>;
  /**
   * Takes the event's lock, reads what was asked, lets `decide` answer at once and writes it. The
   * lock is free again when this returns, unless the outcome is unknown. `ask` is called when
   * there is a connection, so that whoever comes while it waits for one is of this flush, and
   * `decide` is told again what it was.
   */
  transact(
    event: EventRef,
    ask: () => Asked,
    decide: (opened: Opened, asked: Asked) => Decision,
  ): Promise<Transacted>;
  /**
   * Rows from `revision` on, that one included but without its changes, for a board that follows.
   */
  rowsFrom(event: EventRef, revision: number, most: number): Promise<ChangeRow[]>;
  heads(events: readonly EventRef[]): Promise<readonly BoardHead[]>;
  saveSnapshot(event: EventRef, board: Board): Promise<void>;
}> &
  SharedClock;

export type BoardHead = Readonly<{ eventId: string; revision: number; hash: string }>;

/** What a flush wants to know, all of it read after the lock. */
export type Asked = Readonly<{
  /** The board's own; rows come from it on, that one included but without its changes. */
  revision: number;
  keys: readonly KeyName[];
  /** Users whose membership matters. */
  users: readonly string[];
  /** A revision whose author is in doubt. */
  unsettled: number | null;
  /** Null: nobody asks about checkouts and tickets. */
  sales: AskedSales | null;
}>;

export type AskedSales = Readonly<{
  checkouts: readonly string[];
  messages: readonly Readonly<{ provider: string; message_id: string }>[];
  tickets: readonly string[];
}>;

export type KeyName = Readonly<{ userId: string; route: string; key: string }>;

export type Opened = Readonly<{
  /** Null: there is no such board. */
  head: Readonly<{ revision: number; hash: string; audit: ChainHead }> | null;
  /** The clock of the database, read after the lock. */
  now_ms: number;
  /** The shared drift, read with it. */
  clock: ClockState;
  organizationActive: boolean;
  rows: readonly ChangeRow[];
  /** There are more rows than one reading brings. */
  more: boolean;
  answers: readonly (KeyName & Readonly<{ bodyHash: string; answer: unknown }>)[];
  memberships: ReadonlyMap<string, Membership | null>;
  /** What the same users have bought of the event. */
  owned: Facts['owned'];
  /** What is not on the board, as it is under the lock. */
  sales: Pick<Facts, 'checkouts' | 'messages' | 'tickets'>;
  /** Whose flush made the unsettled revision; null: there is no such revision. */
  unsettledFlush: string | null;
}>;

export type Transacted =
  | Readonly<{ kind: 'committed' }>
  | Readonly<{ kind: 'nothing' }>
  /** Certainly nothing was written. */
  | Readonly<{ kind: 'failed'; trouble: Trouble; error: unknown }>
  | Readonly<{ kind: 'unknown'; error: unknown }>;

export type Trouble =
  /** The lock is busy, or somebody was there at the same moment. */
  | 'conflict'
  | 'unavailable'
  | 'overloaded'
  /** The write contradicts the database: a bug of ours or a board that is not what it seems. */
  | 'guard'
  /** One of the values cannot be stored. */
  | 'poison'
  | 'fault';

/**
 * What becomes of a transaction: a write, nothing, keys alone, or a commit without a write. Such a
 * commit writes a WAL record (it holds the lock of a row), so it waits for the synchronous standby,
 * and with it everything that was read in it is durable.
 */
export type Decision = Flush | Keeping | 'commit' | null;

/**
 * Keys of answers that changed nothing: the next one with another body is a mistake all the same.
 * The board stays at its revision.
 */
export type Keeping = Readonly<{ at_ms: number; idle: Flush['keys'] }>;

export function isFlush(decision: Decision): decision is Flush {
  return decision !== null && typeof decision === 'object' && 'row' in decision;
}

/** One commit: rows to write, each with what it must find. */
export type Flush = Readonly<{
  row: ChangeRow;
  /** The text of the row's changes, as it is hashed and stored. */
  text: string;
  audit: readonly (AuditRow & { hash: Buffer })[];
  auditHead: ChainHead;
  contexts: readonly ContextWrite[];
  keys: readonly (KeyName & Readonly<{ bodyHash: Buffer; answer: string }>)[];
  /** Of answers that changed nothing themselves. */
  idle: Flush['keys'];
  seats: readonly SeatWrite[];
  zones: readonly (ZoneCounts & Readonly<{ zone_id: string }>)[];
  newHolds: readonly HoldWrite[];
  endedHolds: readonly Readonly<{ hold_id: string; end: HoldEnd }>[];
  changedHolds: readonly Readonly<{
    hold_id: string;
    until_ms: number;
    checkout_id: string | null;
    quantity: number;
  }>[];
  /** Null: nothing of the kind. */
  sales: SalesWrite | null;
  /** Zones whose companion seats have gone to everybody, or are kept again. */
  companions: readonly Readonly<{ zone_id: string; released: boolean }>[];
  /** For whom new holds are, where that is not the buyer alone. */
  people: readonly Readonly<{ hold_id: string; user_id: string }>[];
  config: BoardConfig | null;
  tasks: readonly BoardTask[] | null;
  /** What belongs to the same commit and is not the board's: rare, by staff. */
  also: readonly Statement<unknown>[];
  /** What is told once it is committed. */
  telling: readonly Happening[];
}>;

export type ContextWrite = Readonly<{
  id: string;
  userId: string | null;
  ip: string | null;
  userAgent: string | null;
}>;

export type SeatWrite = Readonly<{
  ordinal: number;
  expected_version: number;
  expected_hold: string | null;
  status: string;
  hold: Hold | undefined;
  /** Undefined: as it is. */
  ticket: string | null | undefined;
}>;

export type HoldEnd = Readonly<{
  status: 'converted' | 'expired' | 'cancelled';
  reason: EndReason | 'checkout_completed';
  at_ms: number;
}>;

export type HoldWrite = Readonly<{
  hold: Hold;
  seat_id: string | null;
  zone_id: string | null;
  /** Set when it was made and ended in the same flush. */
  end: HoldEnd | null;
}>;

/** Tells other nodes that an event has changed. A hint: whoever misses it looks for themselves. */
export type Feed = Readonly<{
  publish(event: EventRef, row: Pick<ChangeRow, 'revision'>): void;
}>;

/**
 * A tier beside the truth that knows more nodes than this one. It may send a wish to catch up with
 * the log first, and can neither accept nor refuse anything by itself.
 */
export type Claims = Readonly<{
  /** Null: this wish has nothing to claim, or there is nobody to ask. Never rejects. */
  claim(event: EventRef, board: Board, command: HoldCommand): Promise<Claimed> | null;
  /** Of a wish that came to nothing. */
  giveBack(event: EventRef, claim: Claim): void;
  /** The board has passed it and does not know it: it is not so. */
  heal(event: EventRef, seen: SeenHold): void;
}>;

export type Claimed =
  | Readonly<{ kind: 'go_on'; claim: Claim | null }>
  /** Somebody has one of the seats, they say; the board knows once it is at that revision. */
  | Readonly<{ kind: 'held'; seen: SeenHold }>;

/** What was written, so that nothing else is taken away. */
export type Claim = Readonly<{ seatIds: readonly string[]; value: string }>;

export type SeenHold = Readonly<{
  seatId: string;
  holdId: string;
  revision: number;
  /** As it was read. */
  raw: string;
}>;

/** Is told what boards in memory go through; whatever it does must not fail. */
export type Watch = Readonly<{
  loaded(event: EventRef, board: Board): void;
  /** After the row was applied, whoever committed it. */
  row(event: EventRef, board: Board, row: ChangeRow): void;
  /** The board is not the store's any more, or there was no room for it. */
  left(event: EventRef, why: 'discarded' | 'evicted'): void;
}>;

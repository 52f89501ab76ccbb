import type { Board, Change, ChangeRow, Hold } from '@voelgoed/engine/board';
import { type HoldKnown, type ToldRow, tellRow } from '@voelgoed/engine/workflows';
import type { Client } from './client.ts';
import { encode } from './frames.ts';
import type { Source } from './source.ts';

/** Rows that wait to be told to staff; more than these, they read the log. */
const MOST_ROWS = 1_000;

type Buyer = {
  clients: Set<Client>;
  /** What they were last told of each hold. */
  holds: Map<string, string>;
  /** By what rows call what is theirs: holds and checkouts. */
  ids: string[];
  /** When the first of their holds is over by itself. */
  due_ms: number;
};

/**
 * What only some clients of an event are told: a buyer about their own holds, staff about who and
 * why. Nothing of it is in the frames that all clients share.
 */
export class Personal {
  readonly #source: Source;
  readonly #buyers = new Map<string, Buyer>();
  readonly #staff = new Set<Client>();
  /** Whose a hold or a checkout is, of those who listen. */
  readonly #owners = new Map<string, string>();
  /** Buyers who have something new, and why holds have ended since. */
  readonly #touched = new Set<string>();
  /** Rows were passed over: anybody may have something new. */
  #isLost = false;
  readonly #ends = new Map<string, string>();
  #rows: ToldRow[] = [];
  /** Who had what, also after it has ended: kept while staff listen. */
  readonly #known = new Map<string, HoldKnown>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** After the board has taken a row. */
  heard(board: Board, row: ChangeRow): void {
    if (this.#buyers.size > 0) this.#note(row);
    if (this.#staff.size === 0) return;
    for (const hold of heldBy(board, row)) this.#known.set(hold.hold_id, hold);
    // Rows were passed over: staff see by `from` that they have to read the log.
    if (this.#rows.at(-1)?.revision !== row.revision - 1) this.#rows = [];
    this.#rows.push(tellRow(board, row, (id) => this.#known.get(id) ?? board.holdOf(id)));
    if (this.#rows.length > MOST_ROWS) this.#rows.shift();
    for (const id of endedBy(row)) this.#known.delete(id);
  }

  greet(client: Client): void {
    if (client.isStaff) {
      if (this.#staff.size === 0) this.#learn();
      this.#staff.add(client);
    }
    if (client.userId === null) return;
    const { userId } = client;
    const buyer = this.#buyers.get(userId) ?? newBuyer();
    this.#buyers.set(userId, buyer);
    const board = this.#source.board();
    // Their other pages must not miss what has changed just now.
    if (board && buyer.clients.size > 0) this.#tellBuyer(board, userId, buyer);
    buyer.clients.add(client);
    if (!board) return;
    const live = this.#liveOf(board, userId);
    this.#remember(userId, buyer, live);
    client.write(this.#ownFrame(board, live, []));
  }

  /** The board was loaded anew. */
  lost(): void {
    this.#isLost = true;
  }

  forget(client: Client): void {
    this.#staff.delete(client);
    if (this.#staff.size === 0) this.#known.clear();
    if (client.userId === null) return;
    const buyer = this.#buyers.get(client.userId);
    buyer?.clients.delete(client);
    if (buyer?.clients.size !== 0) return;
    for (const id of buyer.ids) this.#owners.delete(id);
    this.#buyers.delete(client.userId);
  }

  /** What has changed since the last time, to those whom it concerns. */
  tell(): void {
    this.#tellLog();
    const board = this.#source.board();
    if (!board) return;
    if (this.#isLost) this.#tellPassed(board);
    const now_ms = this.#source.now_ms();
    for (const [userId, buyer] of this.#buyers) {
      const isNew = this.#isLost || buyer.due_ms <= now_ms || this.#touched.has(userId);
      if (isNew) this.#tellBuyer(board, userId, buyer);
    }
    this.#isLost = false;
    this.#touched.clear();
    this.#ends.clear();
  }

  #tellBuyer(board: Board, userId: string, buyer: Buyer): void {
    const live = this.#liveOf(board, userId);
    const before = buyer.holds;
    this.#remember(userId, buyer, live);
    const isSame =
      before.size === buyer.holds.size &&
      [...buyer.holds].every(([id, mark]) => before.get(id) === mark);
    if (isSame) return;
    const ended = [...before.keys()]
      .filter((id) => !buyer.holds.has(id))
      .map((hold_id) => ({ hold_id, reason: this.#ends.get(hold_id) ?? 'ttl_expired' }));
    const bytes = this.#ownFrame(board, live, ended);
    for (const client of buyer.clients) client.write(bytes);
  }

  #remember(userId: string, buyer: Buyer, live: readonly Hold[]): void {
    for (const id of buyer.ids) this.#owners.delete(id);
    buyer.holds = new Map(live.map((one) => [one.hold_id, markOf(one)]));
    buyer.ids = live.flatMap(({ hold_id, checkout_id }) => [hold_id, checkout_id ?? hold_id]);
    buyer.due_ms = Math.min(Number.POSITIVE_INFINITY, ...live.map(({ until_ms }) => until_ms));
    for (const id of buyer.ids) this.#owners.set(id, userId);
  }

  #tellLog(): void {
    const [first] = this.#rows;
    const last = this.#rows.at(-1);
    if (!first || !last) return;
    const data = { from: first.revision - 1, revision: last.revision, rows: this.#rows };
    this.#rows = [];
    this.tellStaff(encode('log', data));
  }

  /** How far the log is, also when nothing follows: a new layout comes with a new board. */
  #tellPassed({ revision }: Board): void {
    if (this.#staff.size === 0) return;
    this.#known.clear();
    this.#learn();
    this.tellStaff(encode('log', { from: revision, revision, rows: [] }));
  }

  tellStaff(bytes: Buffer): void {
    for (const client of this.#staff) client.write(bytes);
  }

  /** Everything of the buyer's, so that a frame that got lost does no harm. */
  #ownFrame(board: Board, live: readonly Hold[], ended: readonly object[]): Buffer {
    const now_ms = this.#source.now_ms();
    const holds = live.map(({ hold_id, ordinal, zone, quantity, until_ms, checkout_id }) => ({
      hold_id,
      ...(ordinal >= 0
        ? { seat_id: board.plan.seatIdOf(ordinal), label: board.plan.labelOf(ordinal), ordinal }
        : {}),
      zone_id: board.config.zones[zone]?.zone_id,
      quantity,
      held_until: new Date(until_ms).toISOString(),
      expires_in_seconds: Math.max(0, Math.ceil((until_ms - now_ms) / 1_000)),
      checkout_id,
    }));
    return encode('own', { revision: board.revision, holds, ended });
  }

  #liveOf(board: Board, userId: string): readonly Hold[] {
    const now_ms = this.#source.now_ms();
    return board.holdsOfUser(userId).filter(({ until_ms }) => until_ms > now_ms);
  }

  #note(row: ChangeRow): void {
    for (const change of row.changes) {
      for (const id of idsIn(change)) {
        const userId = this.#buyers.has(id) ? id : this.#owners.get(id);
        if (userId !== undefined) this.#touched.add(userId);
      }
      if (change.kind === 'sold') for (const id of change.holds) this.#ends.set(id, 'converted');
      if (change.kind !== 'ended') continue;
      for (const id of change.holds) this.#ends.set(id, change.reason);
    }
  }

  #learn(): void {
    for (const hold of this.#source.board()?.holds() ?? []) this.#known.set(hold.hold_id, hold);
  }
}

function newBuyer(): Buyer {
  return { clients: new Set(), holds: new Map(), ids: [], due_ms: Number.POSITIVE_INFINITY };
}

/** What a buyer would want to know about a hold. */
function markOf({ until_ms, quantity, checkout_id }: Hold): string {
  return `${until_ms} ${quantity} ${checkout_id}`;
}

/** Users, checkouts and holds that a change names. */
function idsIn(change: Change): string[] {
  const ids: string[] = [];
  if ('user_id' in change) ids.push(change.user_id);
  if ('checkout_id' in change) ids.push(change.checkout_id);
  if ('holds' in change) {
    for (const hold of change.holds) ids.push(typeof hold === 'string' ? hold : hold[0]);
  }
  return ids;
}

function heldBy(board: Board, { changes }: ChangeRow): Hold[] {
  const ids = changes.flatMap((change) => {
    if (change.kind === 'reduced') return change.holds.map(([id]) => id);
    if (change.kind !== 'held') return [];
    return [...(change.seats ?? []), ...(change.places ?? [])].map(([id]) => id);
  });
  return ids.flatMap((id) => board.holdOf(id) ?? []);
}

function endedBy({ changes }: ChangeRow): readonly string[] {
  return changes.flatMap((change) =>
    change.kind === 'ended' || change.kind === 'sold' ? change.holds : [],
  );
}

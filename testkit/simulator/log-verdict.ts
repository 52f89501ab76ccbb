import { Board, type Change, type ChangeRow, type Hold } from '@voelgoed/engine/board';
import { hashLogRow } from '@voelgoed/engine/registry';
import { EVENT } from './hall.ts';
import type { World } from './world.ts';

/** Follows the log with nothing but a list of who has what: the board's own rules are not used. */
export function ownersProblems({ database }: World): string[] {
  const owners = new Owners();
  for (const { row } of database.event.log) owners.follow(row);
  return owners.problems;
}

class Owners {
  readonly problems: string[] = [];
  readonly #seatOf = new Map<string, number>();
  readonly #owners = new Map<number, string>();
  readonly #ended = new Set<string>();

  follow({ revision, changes }: ChangeRow): void {
    for (const change of changes) this.#change(revision, change);
  }

  #change(revision: number, change: Change): void {
    switch (change.kind) {
      case 'held':
        for (const [id, ordinal] of change.seats ?? []) this.#begin(revision, id, ordinal);
        for (const [id] of change.places ?? []) this.#seatOf.set(id, -1);
        break;
      case 'ended':
        this.#end(revision, change.holds);
        break;
      case 'sold':
        this.#end(revision, change.holds);
        for (const { ticket_id, ordinal } of change.tickets) {
          if (ordinal >= 0) this.#own(revision, ticket_id, ordinal);
        }
        break;
      case 'ticket_ended':
        if (change.vacates) this.#owners.delete(change.ordinal);
        break;
      case 'reseated': {
        const { from, to, ticket_id } = change;
        if (this.#owners.get(from) !== ticket_id) {
          this.problems.push(`${ticket_id} had no seat ${from} at ${revision}`);
        }
        this.#owners.delete(from);
        this.#own(revision, ticket_id, to);
      }
    }
  }

  #begin(revision: number, id: string, ordinal: number): void {
    this.#seatOf.set(id, ordinal);
    this.#own(revision, id, ordinal);
  }

  #own(revision: number, id: string, ordinal: number): void {
    if (this.#owners.has(ordinal)) {
      this.problems.push(`two owners of seat ${ordinal} at ${revision}`);
    }
    this.#owners.set(ordinal, id);
  }

  #end(revision: number, holds: readonly string[]): void {
    for (const id of holds) {
      const ordinal = this.#seatOf.get(id);
      if (ordinal === undefined || this.#ended.has(id)) {
        this.problems.push(`${id} ends at ${revision}, but was not alive`);
      }
      this.#ended.add(id);
      if (ordinal !== undefined && ordinal >= 0) this.#owners.delete(ordinal);
    }
  }
}

/** The log is whole, bound together, gives the state, and ends nothing before its time. */
export function logProblems(world: World): string[] {
  const { event } = world.database;
  const problems: string[] = [];
  const board = new Board(event.plan, copyOf(event.first));
  for (const { row, text } of event.log) {
    // Row by row it was hashed by the writer; here every eighth world hashes it all again.
    const expected =
      world.schedule.seed % 8 === 0
        ? hashLogRow(EVENT.eventId, board.hash, { ...row, text })
        : null;
    if (row.revision !== board.revision + 1 || (expected && row.hash !== expected)) {
      return [...problems, `row ${row.revision} does not follow ${board.revision}`];
    }
    problems.push(...rowProblems(world, board, row));
    try {
      board.advance(row);
    } catch (error) {
      return [...problems, `row ${row.revision} cannot be applied: ${String(error)}`];
    }
  }
  const truth = event.board();
  if (board.digest !== truth.digest) problems.push('the log gives another board than the tables');
  return [...problems, ...countProblems(world)];
}

function copyOf(content: ConstructorParameters<typeof Board>[1]) {
  return { ...content, codes: content.codes.slice(), versions: content.versions.slice() };
}

/** Why holds may end before they become tickets, and payments are declined. */
function rowProblems(world: World, board: Board, row: ChangeRow): string[] {
  const problems: string[] = [];
  // Whose card was declined in the same row is not paying any more.
  const touched = new Set<string>();
  for (const change of row.changes) {
    if (change.kind === 'payment_declined' && !isDeclined(world, change.attempt_id)) {
      problems.push(`${change.attempt_id} was never declined`);
    }
    for (const id of change.kind === 'ended' ? change.holds : []) {
      const hold = board.holdOf(id);
      if (!hold || touched.has(hold.checkout_id ?? '')) continue;
      problems.push(...endProblems(board, row, hold, (change as { reason: string }).reason));
    }
    if (change.kind === 'payment_declined') touched.add(change.checkout_id);
  }
  return problems;
}

/** Or paid with the wrong amount, which is as good as not at all. */
function isDeclined({ provider, database }: World, attemptId: string): boolean {
  const { isDeclined, captured, amount_cents } = provider.ledger.get(attemptId) ?? {};
  // The provider's books may know more than a database that has lost commits.
  if (database.lost.some(({ excused }) => excused)) return true;
  return isDeclined === true || (captured !== null && captured !== amount_cents);
}

function endProblems(board: Board, row: ChangeRow, hold: Hold, reason: string): string[] {
  const { hold_id, until_ms, checkout_id } = hold;
  const isPaying = checkout_id !== null && board.checkoutOf(checkout_id)?.status === 'paying';
  if (reason === 'ttl_expired' && until_ms > row.at_ms) {
    return [`${hold_id} expired at ${row.revision}, ${until_ms - row.at_ms} ms before its time`];
  }
  const isTaken = isPaying && (reason === 'user_cancelled' || reason === 'admin_override');
  return isTaken ? [`${hold_id} was given back at ${row.revision} while it was paid for`] : [];
}

/** Counters against a recount of the rows, and the trail against the holds. */
function countProblems({ database }: World): string[] {
  const { event } = database;
  const held = event.zones.map(() => 0);
  for (const { hold, status } of event.holds.values()) {
    if (status === 'active') held[hold.zone] = (held[hold.zone] ?? 0) + hold.quantity;
  }
  const blocked = event.seats.filter(({ status }) => status === 'blocked').length;
  const problems: string[] = event.zones.flatMap((counts, zone) => {
    const isRight = counts.held === held[zone] && counts.blocked === (zone === 0 ? blocked : 0);
    const capacity = event.config.zones[zone]?.capacity ?? 0;
    const isFull = counts.held + counts.sold + counts.blocked > capacity;
    if (isFull) return [`zone ${zone} has more than it can hold`];
    return isRight ? [] : [`counters of zone ${zone} are wrong`];
  });
  const ends = new Map<string, number>();
  for (const { action, entity_id } of event.audit) {
    if (!entity_id || (action !== 'seat_released' && action !== 'seat_hold_expired')) continue;
    ends.set(entity_id, (ends.get(entity_id) ?? 0) + 1);
  }
  for (const [id, { status }] of event.holds) {
    const expected = status === 'expired' || status === 'cancelled' ? 1 : 0;
    // A hold that was sold has the end of its sale in the trail.
    if (status !== 'converted' && (ends.get(id) ?? 0) !== expected) {
      problems.push(`hold ${id} is ${status} and ends ${ends.get(id) ?? 0} times in the trail`);
    }
  }
  return problems;
}

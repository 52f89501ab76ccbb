import { dayAt } from '#events';
import { findEarlier, keepAnswer } from '#idempotency';
import { assert, uuidv7 } from '#kit';
import type { Transaction } from '#postgres';
import {
  accessibilityOf,
  countEntries,
  DENIALS,
  type Denial,
  type Direction,
  daysSentence,
  type EntryCounts,
  findInside,
  findLastEntry,
  findScanned,
  insertEntry,
  isPassedTest,
  judgeDay,
  judgeTicket,
  listInside,
  lockTicketDay,
  lockZoneDay,
  looksLikeQr,
  moveTicketDay,
  moveZoneDay,
  openTicketDay,
  openZoneDay,
  readTicketCode,
  type ScannedRow,
} from '#tickets';
import type { Caller, Done, Engine, KeyReused } from './change.ts';

/** What a scanner has read, and where it stands. */
export type Scan = Readonly<{
  /** A code as printed or typed, or all that a QR code says. */
  text: string;
  qr: string | null;
  direction: Direction;
  /** Null: the event's day that it is now. */
  day: string | null;
  /** Null: whatever event the ticket is for. */
  eventId: string | null;
}>;

/** What the door shows. Nothing in it says whose ticket it is. */
export type Scanned = Readonly<{
  status: 'admitted' | 'denied';
  reason: Denial | null;
  message: string;
  direction: Direction;
  entry_id: string;
  ticket_id: string | null;
  event_id: string | null;
  day: string | null;
  seat: Readonly<{
    block: string;
    section: string | null;
    row: string | null;
    number: number | null;
    label: string | null;
  }> | null;
  accessibility: string | null;
  prompt: string | null;
  valid_days?: readonly string[];
  entry_count: number;
  entry_count_today: number;
  live_attendees: number | null;
  zone_attendees: number | null;
  /** Of a ticket that is inside already: since when, and through which door, if it has a name. */
  inside_since?: string | null;
  inside_gate?: string | null;
  test_passed: boolean | null;
}>;

/**
 * One scan: admitted or denied, and written down either way. It takes no part in the event's own
 * commits: a crowd at the door and a crowd at the sale do not wait for each other. A repeat with
 * its key gets the first answer, so that a lost answer never turns "welcome" into "inside already".
 */
export async function scanTicket(
  engine: Engine,
  caller: Caller,
  scan: Scan,
): Promise<Done<Scanned> | KeyReused> {
  const { scope, idempotency, deadline_ms } = caller;
  const entryId = uuidv7(engine);
  const options = { name: 'entries.scan', deadline_ms };
  const outcome = await engine.postgres.transaction(scope, options, async (transaction) => {
    if (idempotency) {
      const earlier = await findEarlier(transaction, scope, idempotency);
      if (earlier.kind === 'reused') return { kind: 'key_reused' as const };
      if (earlier.kind === 'done') {
        return { kind: 'done' as const, answer: earlier.answer as Scanned, replayed: true };
      }
    }
    const answer = await new Door(engine, caller, transaction, scan, entryId).pass();
    if (idempotency) await keepAnswer(transaction, scope, idempotency, answer);
    return { kind: 'done' as const, answer, replayed: false };
  });
  if (outcome.kind === 'done' && !outcome.replayed) {
    const { status, reason } = outcome.answer;
    engine.telemetry.emit({ kind: 'entry.scanned', status, reason: reason ?? '' });
  }
  return outcome;
}

/** One scan inside its transaction. */
class Door {
  readonly #engine: Engine;
  readonly #organizationId: string;
  readonly #scannedBy: string | null;
  readonly #gateOf: string | null;
  readonly #transaction: Transaction;
  readonly #scan: Scan;
  readonly #entryId: string;

  constructor(
    engine: Engine,
    { scope, actor, guestOf }: Caller,
    transaction: Transaction,
    scan: Scan,
    entryId: string,
  ) {
    this.#engine = engine;
    this.#organizationId = scope.organizationId;
    this.#scannedBy = actor.id;
    // A credential for one event alone stands at that event's door.
    this.#gateOf = guestOf ?? scan.eventId;
    this.#transaction = transaction;
    this.#scan = scan;
    this.#entryId = entryId;
  }

  async pass(): Promise<Scanned> {
    const read = this.#read();
    if (read.code === null) return this.#denyUnknown(read.denial);
    const found = findScanned(this.#organizationId, read.code);
    const [ticket] = await this.#transaction.query(found);
    if (!ticket) return this.#denyUnknown('unknown_ticket');
    const { direction } = this.#scan;
    const day = await this.#dayOf(ticket);
    if (this.#gateOf !== null && this.#gateOf !== ticket.event_id) {
      return this.#deny(ticket, day, 'other_event');
    }
    const denial = judgeTicket(ticket, { direction, day, now_ms: ticket.now_ms });
    if (denial) return this.#deny(ticket, day, denial);
    return this.#passOn(ticket, day);
  }

  /** Typed by hand a code is enough; a QR code must be ours, and the same code's. */
  #read(): { code: string } | { code: null; denial: Denial } {
    const { text, qr } = this.#scan;
    const signed = qr ?? (looksLikeQr(text) ? text : null);
    if (signed === null) {
      const code = readTicketCode(text);
      return code === null ? { code, denial: 'unknown_ticket' } : { code };
    }
    const read = this.#engine.tickets.read(this.#organizationId, signed);
    const same = looksLikeQr(text) || readTicketCode(text) === read?.code;
    return read && same ? read : { code: null, denial: 'qr_invalid' };
  }

  async #dayOf(ticket: ScannedRow): Promise<string> {
    const { direction, day } = this.#scan;
    if (day !== null) return day;
    const [inside] =
      direction === 'out'
        ? await this.#transaction.query(findInside(this.#organizationId, ticket.ticket_id))
        : [];
    return inside?.day ?? dayAt(ticket.now_ms, ticket.timezone, ticket.days);
  }

  /** Ticket first, zone second, always: two scans never wait for each other in a circle. */
  async #passOn(ticket: ScannedRow, day: string): Promise<Scanned> {
    const { direction } = this.#scan;
    const { ticket_id, event_id } = ticket;
    const own = [this.#organizationId, ticket_id, day] as const;
    // A day begins with an entry: who asks to leave on any other leaves no row behind.
    const opening = direction === 'in' ? [openTicketDay(...own, event_id, ticket.zone_id)] : [];
    const answers = await this.#transaction.exchange([...opening, lockTicketDay(...own)]);
    const [state] = answers.at(-1) as { inside: boolean; entries: number; zone_id: string }[];
    if (!state) return this.#deny(ticket, day, 'not_inside');
    // Who leaves is counted out where they were counted in.
    const zone_id = direction === 'out' ? state.zone_id : ticket.zone_id;
    const zone = [this.#organizationId, event_id, zone_id, day] as const;
    const [, zones] = await this.#transaction.exchange([
      openZoneDay(...zone),
      lockZoneDay(...zone),
    ]);
    const [inside] = zones as { inside: number }[];
    assert(inside, 'the day of a zone was just opened');
    const counted = { ...state, most_entries: ticket.most_entries };
    const denial = judgeDay(direction, counted, { ...ticket, inside: inside.inside });
    if (denial) return this.#deny(ticket, day, denial);
    const entered = direction === 'in' ? 1 : 0;
    await this.#transaction.exchange([
      moveTicketDay(...own, zone_id, direction === 'in', entered),
      moveZoneDay(...zone, direction === 'in' ? 1 : -1, entered),
      this.#entry(ticket, day, null),
    ]);
    return this.#answer(ticket, day, null);
  }

  async #deny(ticket: ScannedRow, day: string, denial: Denial): Promise<Scanned> {
    await this.#transaction.query(this.#entry(ticket, day, denial));
    return this.#answer(ticket, day, denial);
  }

  #entry(ticket: ScannedRow, day: string, denial: Denial | null) {
    const { ticket_id, event_id, zone_id } = ticket;
    const test = denial !== null && isPassedTest(ticket, denial);
    return insertEntry(
      ...([this.#organizationId, this.#entryId, this.#scan.direction, denial] as const),
      ...([event_id, ticket_id, zone_id, day, null, test, this.#scannedBy] as const),
    );
  }

  async #answer(ticket: ScannedRow, day: string, denial: Denial | null): Promise<Scanned> {
    const { ticket_id, event_id, zone_id } = ticket;
    const [counts, zones] = await this.#transaction.exchange([
      countEntries(this.#organizationId, ticket_id, day),
      listInside(this.#organizationId, event_id, day),
    ]);
    const [count] = counts as EntryCounts[];
    assert(count, 'a sum of nothing is a row, too');
    const inside = zones as { zone_id: string; inside: number }[];
    const access = accessibilityOf(ticket);
    const last = await this.#lastEntry(ticket_id, day, denial);
    return {
      ...this.#verdict(denial, denial !== null && isPassedTest(ticket, denial), ticket.days),
      ticket_id,
      event_id,
      day,
      valid_days: ticket.days,
      seat: placeOf(ticket),
      accessibility: access?.note ?? null,
      prompt: access?.prompt ?? null,
      ...count,
      live_attendees: inside.reduce((sum, zone) => sum + zone.inside, 0),
      zone_attendees: inside.find((zone) => zone.zone_id === zone_id)?.inside ?? 0,
      ...(last && { inside_since: last.at, inside_gate: last.gate }),
    };
  }

  /** Asked for when it is the question: who is let in does not wait for it. */
  async #lastEntry(ticketId: string, day: string, denial: Denial | null) {
    if (denial !== 'already_inside') return undefined;
    const find = findLastEntry(this.#organizationId, ticketId, day);
    const [last] = await this.#transaction.query(find);
    return last;
  }

  #verdict(denial: Denial | null, test: boolean, days: readonly string[]) {
    const { direction } = this.#scan;
    const welcome = direction === 'in' ? 'Welcome.' : 'Goodbye.';
    const reason = denial === null ? welcome : DENIALS[denial];
    const message = denial === 'wrong_day' ? `${reason} ${daysSentence(days)}` : reason;
    return {
      status: denial === null ? ('admitted' as const) : ('denied' as const),
      reason: denial,
      message: test ? `${message} The test was passed: this ticket is good.` : message,
      direction,
      entry_id: this.#entryId,
      test_passed: test ? true : null,
    };
  }

  /** One answer for what does not exist, is somebody else's or cannot be read. */
  async #denyUnknown(denial: Denial): Promise<Scanned> {
    const { text, qr, direction } = this.#scan;
    await this.#transaction.query(
      insertEntry(
        ...([this.#organizationId, this.#entryId, direction, denial] as const),
        ...([null, null, null, null, qr ?? text, false, this.#scannedBy] as const),
      ),
    );
    return {
      ...this.#verdict(denial, false, []),
      ...{ ticket_id: null, event_id: null, day: null, valid_days: [], seat: null },
      ...{ accessibility: null, prompt: null, entry_count: 0, entry_count_today: 0 },
      ...{ live_attendees: null, zone_attendees: null },
    };
  }
}

function placeOf({ zone_name, section, row_name, number, label }: ScannedRow) {
  return { block: zone_name, section, row: row_name, number, label };
}

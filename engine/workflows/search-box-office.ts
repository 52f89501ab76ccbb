import { isUuid } from '#kit';
import type { Transaction } from '#postgres';
import type { Scope } from '#scope';
import {
  type PersonRow,
  readCodePiece,
  readTicketCode,
  scanPeople,
  scanPeopleOfEvent,
  scanTickets,
  searchPeople,
  searchTickets,
  type TicketRow,
  ticketsByCodeStart,
} from '#tickets';
import type { Caller, Engine } from './change.ts';
import { inTime } from './in-time.ts';
import { type SignedTicket, signedTickets } from './own-tickets.ts';

/** As many as a clerk looks through. */
const MOST_FOUND = 20;
/** What one letter is in would be nearly everything. */
const LEAST_LETTERS = 2;
/**
 * What no index answers is looked through for no longer than this, all statements together: 100,000
 * tickets of an event take a third of it, and a list that is cut says so.
 */
const SCAN_MS = 700;
/** The same for what an index should answer. */
const LOOK_MS = 800;

export type Found = Readonly<{
  tickets: readonly SignedTicket[];
  people: readonly PersonRow[];
  /** There is more than is shown, or there may be. */
  is_cut: boolean;
}>;

type Wanted = Readonly<{ text: string; eventId: string | null }>;

/** By what a caller says: a code, a seat, a name, an address, an id. */
export async function searchBoxOffice(
  engine: Engine,
  { scope }: Pick<Caller, 'scope'>,
  { text: said, eventId }: Wanted,
): Promise<Found> {
  const text = said.trim();
  const id = isUuid(text) ? text : null;
  const wanted = { text, id, eventId };
  const scanned = id ? NOTHING : await scan(engine, scope, wanted);
  const { people, rows, isLate } = await look(engine, scope, wanted, scanned);
  const isMore = people.length > MOST_FOUND || rows.length > MOST_FOUND;
  return {
    people: people.slice(0, MOST_FOUND),
    tickets: signedTickets(engine, scope.organizationId, rows.slice(0, MOST_FOUND)),
    is_cut: isMore || scanned.isLate || isLate,
  };
}

type Looked = { people: readonly PersonRow[]; rows: readonly TicketRow[] };

/** What an index answers, and the tickets of what the scan has found. */
async function look(
  engine: Engine,
  scope: Scope,
  { text, id, eventId }: Wanted & { id: string | null },
  scanned: Scanned,
): Promise<Looked & { isLate: boolean }> {
  const { organizationId } = scope;
  const most = MOST_FOUND + 1;
  const found: Looked = { people: scanned.people, rows: [] };
  const isLate = await inTime(engine, scope, { name: 'search', ms: LOOK_MS }, async (query) => {
    const named = await query(searchPeople(organizationId, id, text, most));
    found.people = distinct([...named, ...scanned.people]);
    const users = found.people.slice(0, MOST_FOUND).map(({ user_id }) => user_id);
    const piece = readCodePiece(text);
    const byCode = piece
      ? await query(ticketsByCodeStart(organizationId, piece, eventId, most))
      : [];
    const ticketIds = [...byCode.map(({ ticket_id }) => ticket_id), ...scanned.ticketIds];
    const code = readTicketCode(text);
    found.rows = await query(
      searchTickets(organizationId, code, id, users, text, eventId, most, ticketIds),
    );
  });
  return { ...found, isLate };
}

type Scanned = {
  people: readonly PersonRow[];
  ticketIds: readonly string[];
  /** The time was over before everything was looked through. */
  isLate: boolean;
};

const NOTHING: Readonly<Scanned> = { people: [], ticketIds: [], isLate: false };

/** What is in the middle of a name or a code, and seats without the name of their section. */
async function scan(engine: Engine, scope: Scope, wanted: Wanted): Promise<Scanned> {
  if ([...wanted.text].length < LEAST_LETTERS) return NOTHING;
  const found = { ...NOTHING };
  const isLate = await inTime(engine, scope, { name: 'search.scan', ms: SCAN_MS }, (query) =>
    scanWith(query, scope, wanted, found),
  );
  return { ...found, isLate };
}

/** What was found stays in `found` when the time is over meanwhile. */
async function scanWith(
  query: Transaction['query'],
  { organizationId }: Scope,
  { text, eventId }: Wanted,
  found: Scanned,
): Promise<void> {
  const words = wordsIn(text);
  const most = MOST_FOUND + 1;
  if (eventId === null) {
    found.people = await query(scanPeople(organizationId, words, most));
    return;
  }
  found.people = await query(scanPeopleOfEvent(organizationId, words, most, eventId));
  const { row, number } = rowAndNumber(text);
  const code = readCodePiece(text);
  if (code === null && number === null) return;
  const rows = await query(scanTickets(organizationId, eventId, code, row, number, most));
  found.ticketIds = rows.map(({ ticket_id }) => ticket_id);
}

/** Each word with its wildcards, in small letters and without accents. */
function wordsIn(text: string): string[] {
  const plain = text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  const words = plain.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`);
}

/** `H-3`, `h3` and `row H 3`; a section may be before it, of which nothing is known here. */
function rowAndNumber(text: string): { row: string | null; number: number | null } {
  const [, row = null, digits] =
    /(?:^|\s)(\p{L}{1,4}|\d{1,4}(?=[\s-]))[\s-]*(\d{1,5})$/u.exec(text) ?? [];
  return { row, number: digits === undefined ? null : Number(digits) };
}

/** The people of a list, each once. */
function distinct(people: readonly PersonRow[]): PersonRow[] {
  return [...new Map(people.map((one) => [one.user_id, one])).values()];
}

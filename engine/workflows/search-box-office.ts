import { isUuid } from '#kit';
import { stateOf, type Transaction } from '#postgres';
import type { Scope } from '#scope';
import {
  limitTime,
  type PersonRow,
  readCodePiece,
  readTicketCode,
  scanPeople,
  scanPeopleOfEvent,
  scanTickets,
  searchPeople,
  searchTickets,
  ticketsByCodeStart,
} from '#tickets';
import type { Caller, Engine } from './change.ts';
import { type SignedTicket, signedTickets } from './own-tickets.ts';

/** As many as a clerk looks through. */
const MOST_FOUND = 20;
/** What one letter is in would be nearly everything. */
const LEAST_LETTERS = 2;
/**
 * What no index answers is looked through for no longer than this: 100,000 tickets of an event take
 * a third of it, and a list that is cut says so.
 */
const SCAN_MS = 700;

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
  const { organizationId } = scope;
  const text = said.trim();
  const id = isUuid(text) ? text : null;
  const scanned = id ? NOTHING : await scan(engine, scope, { text, eventId });
  return engine.postgres.transaction(scope, { name: 'search' }, async (transaction) => {
    const named = await transaction.query(searchPeople(organizationId, id, text, MOST_FOUND + 1));
    const people = distinct([...named, ...scanned.people]);
    const users = people.slice(0, MOST_FOUND).map(({ user_id }) => user_id);
    const piece = readCodePiece(text);
    const byCode = piece
      ? await transaction.query(ticketsByCodeStart(organizationId, piece, eventId, MOST_FOUND + 1))
      : [];
    const rows = await transaction.query(
      searchTickets(
        organizationId,
        readTicketCode(text),
        id,
        users,
        text,
        eventId,
        MOST_FOUND + 1,
        [...byCode.map(({ ticket_id }) => ticket_id), ...scanned.ticketIds],
      ),
    );
    const tickets = signedTickets(engine, organizationId, rows.slice(0, MOST_FOUND));
    const isMore = people.length > MOST_FOUND || rows.length > MOST_FOUND;
    return { people: people.slice(0, MOST_FOUND), tickets, is_cut: isMore || scanned.isLate };
  });
}

type Scanned = Readonly<{
  people: readonly PersonRow[];
  ticketIds: readonly string[];
  /** The time was over before everything was looked through. */
  isLate: boolean;
}>;

const NOTHING: Scanned = { people: [], ticketIds: [], isLate: false };

/** What is in the middle of a name or a code, and seats without the name of their section. */
async function scan({ postgres }: Engine, scope: Scope, wanted: Wanted): Promise<Scanned> {
  if ([...wanted.text].length < LEAST_LETTERS) return NOTHING;
  try {
    return await postgres.transaction(scope, { name: 'search.scan' }, async (transaction) => {
      await transaction.query(limitTime(String(SCAN_MS)));
      return unlessLate(() => scanWith(transaction, scope, wanted));
    });
  } catch (error) {
    if (error instanceof TooLate) return { ...NOTHING, isLate: true };
    throw error;
  }
}

async function scanWith(
  transaction: Transaction,
  { organizationId }: Scope,
  { text, eventId }: Wanted,
): Promise<Scanned> {
  const words = wordsIn(text);
  const most = MOST_FOUND + 1;
  if (eventId === null) {
    const people = await transaction.query(scanPeople(organizationId, words, most));
    return { ...NOTHING, people };
  }
  const people = await transaction.query(scanPeopleOfEvent(organizationId, words, most, eventId));
  const { row, number } = rowAndNumber(text);
  const code = readCodePiece(text);
  if (code === null && number === null) return { ...NOTHING, people };
  const rows = await transaction.query(
    scanTickets(organizationId, eventId, code, row, number, most),
  );
  return { people, ticketIds: rows.map(({ ticket_id }) => ticket_id), isLate: false };
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

/** Carries the end of the time out of its transaction. */
class TooLate extends Error {}

const CANCELED = '57014';

async function unlessLate<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (stateOf(error) === CANCELED) throw new TooLate();
    throw error;
  }
}

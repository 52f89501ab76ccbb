import { isDeepStrictEqual } from 'node:util';
import { availabilityOf, type Board, publicCountsOf } from '#board';
import type { EventKeys, RedisLink } from '#redis';
import { isSealed, sealed, unsealed } from './sealed-text.ts';
import { lineageOf } from './seat-value.ts';

/** Zones as readers without the board need them. */
export type ZoneRecord = Readonly<{
  zone_id: string;
  name: string;
  capacity: number;
  disabled: boolean;
  held: number;
  sold: number;
  blocked: number;
}>;

export type BoardRecord = Readonly<{
  layout_version: number;
  seats: number;
  zones: readonly ZoneRecord[];
  /** From then on a hold is over that the bitmap and the numbers still have; null: none ends. */
  due_ms: number | null;
}>;

/** What everybody may know of an event, as it lies in Redis. */
export type EventTexts = Readonly<{
  record: string | null;
  bitmap: Buffer | null;
  occupancy: string | null;
}>;

export type RecordHead = Readonly<{ revision: number; lineage: string; at_ms: number }>;

/** A part of it that is not what the board says, or not what anybody has written. */
export type EventFault = 'revision' | 'bitmap' | 'occupancy';

/** All at one moment; a key of the wrong type is as good as none. */
export async function readEventTexts(
  cache: Pick<RedisLink, 'callForBytes'>,
  { revision, bitmap, occupancy }: EventKeys,
): Promise<EventTexts> {
  const answer = await cache.callForBytes('mget', revision, bitmap, occupancy);
  const [record, bits, numbers] = answer as (Buffer | null)[];
  return {
    record: record?.toString() ?? null,
    bitmap: bits ?? null,
    occupancy: numbers?.toString() ?? null,
  };
}

/** Every seat as the board has it; holds whose time is over are the reader's to see. */
export function bitmapOf(board: Board): Buffer {
  return Buffer.from(availabilityOf(board, Number.NEGATIVE_INFINITY).seats);
}

/** Revision, lineage and time can be read without understanding the rest. */
export function recordOf(board: Board, bitmap: Buffer, { revision }: EventKeys, now_ms: number) {
  const head = `${board.revision} ${lineageOf(board.hash)} ${Math.floor(now_ms)}`;
  return sealed(revision, `${head} ${JSON.stringify(contentOf(board))}`, bitmap);
}

function contentOf(board: Board): BoardRecord {
  const { config, plan } = board;
  const zones = config.zones.map(({ zone_id, name, capacity, disabled }, zone) => {
    const { held, sold, blocked } = publicCountsOf(board, zone);
    return { zone_id, name, capacity, disabled, held, sold, blocked };
  });
  const layout_version = config.layout?.version ?? 0;
  const next_ms = board.nextDue();
  const due_ms = Number.isFinite(next_ms) ? next_ms : null;
  return { layout_version, seats: plan.seatCount, zones, due_ms };
}

export function headOf(record: string | null): RecordHead | null {
  const [, revision, lineage = '', at_ms] = /^(\d+) ([0-9a-f]+) (\d+) /.exec(record ?? '') ?? [];
  if (revision === undefined) return null;
  return { revision: Number(revision), lineage, at_ms: Number(at_ms) };
}

/** What was written; null: it is not known any more, or it was changed since. */
export function contentIn(
  { record, bitmap }: Pick<EventTexts, 'record' | 'bitmap'>,
  { revision }: Pick<EventKeys, 'revision'>,
): BoardRecord | null {
  // An event without seats has no bitmap.
  const text = unsealed(revision, record ?? '', bitmap ?? Buffer.alloc(0));
  return text === null ? null : (JSON.parse(text.slice(text.indexOf('{'))) as BoardRecord);
}

/**
 * Where it is not as the board says. `isBehind`: it was right at an earlier revision, and a write
 * is on its way or was lost. What is not there is not shown, and is no fault.
 */
export function faultsOf(
  board: Board,
  keys: EventKeys,
  texts: EventTexts,
): Readonly<{ faults: readonly EventFault[]; isBehind: boolean }> {
  const { record, bitmap, occupancy } = texts;
  const faults: EventFault[] = [];
  if (isAltered(keys.occupancy, occupancy)) faults.push('occupancy');
  const head = headOf(record);
  const isGone = record === null && bitmap === null;
  const content = contentIn(texts, keys);
  const isHere = head?.revision === board.revision && head.lineage === lineageOf(board.hash);
  const isBehind = content !== null && head !== null && head.revision < board.revision;
  if (!isGone && !isBehind) faults.push(...wrongIn(board, texts, { content, isHere }));
  return { faults, isBehind };
}

/** One without a digest, as 0.1.0 writes it, is unknown: it is never shown, and goes by itself. */
function isAltered(key: string, text: string | null): boolean {
  return text !== null && isSealed(text) && unsealed(key, text) === null;
}

function wrongIn(
  board: Board,
  { record, bitmap }: EventTexts,
  { content, isHere }: { content: BoardRecord | null; isHere: boolean },
): EventFault[] {
  if (!isHere) return content === null && isSealed(record ?? '') ? ['bitmap'] : ['revision'];
  if (!bitmapOf(board).equals(bitmap ?? Buffer.alloc(0))) return ['bitmap'];
  // A later version may write more than this one knows.
  const expected = contentOf(board);
  const isRight = content !== null && isDeepStrictEqual({ ...content, ...expected }, content);
  return isRight ? [] : ['revision'];
}

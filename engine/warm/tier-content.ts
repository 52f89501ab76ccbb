import { type Board, digestOfHolds } from '#board';
import { isUuid } from '#kit';
import { type EventKeys, isAboutData, readScript } from '#redis';
import {
  type EventFault,
  type EventTexts,
  faultsOf,
  headOf,
  readEventTexts,
} from './event-record.ts';
import { isOf, millisecondsOf, readSeatValue } from './seat-value.ts';
import type { WarmTools } from './tools.ts';

const METAS = readScript(new URL('./metas.lua', import.meta.url));
/** Keys that are read in one call: a few milliseconds of Redis. */
const PORTION = 500;

/** A hold as its meta tells it. */
type HoldMeta = Readonly<Record<string, string>>;

/** What Redis has about an event and its holds. */
export type TierContent = Readonly<{
  revision: number;
  keys: EventKeys;
  texts: EventTexts;
  /** Texts by ordinal, of those seats that were looked at. */
  seats: ReadonlyMap<number, string>;
  /** When holds end, by id. */
  ends: ReadonlyMap<string, number>;
  metas: ReadonlyMap<string, HoldMeta>;
}>;

export type Count = Readonly<{ count: number; digest: string }>;

/** Reads what is there: all seats of the plan, or only those that the board has as held. */
export async function readContent(
  tools: WarmTools,
  keys: EventKeys,
  board: Board,
  which: 'all' | 'held',
): Promise<TierContent> {
  const texts = await tools.circuit.run(() => readEventTexts(tools.cache, keys));
  const revision = headOf(texts.record)?.revision ?? -1;
  const ends = await readEnds(tools, keys);
  const metas = await readMetas(tools, keys, [...ends.keys()]);
  // A Redis that does not know the event at all has no seats of it either.
  const isKnown = revision >= 0 || ends.size > 0;
  const ordinals = ordinalsOf(board, isKnown ? which : 'held');
  const seats = await readSeats(tools, keys, board, ordinals);
  return { revision, keys, texts, seats, ends, metas };
}

function ordinalsOf(board: Board, which: 'all' | 'held'): number[] {
  if (which === 'all') return Array.from({ length: board.plan.seatCount }, (_, index) => index);
  return [...board.holds()].flatMap(({ ordinal }) => (ordinal >= 0 ? [ordinal] : []));
}

async function readSeats(
  { circuit, cache }: WarmTools,
  keys: EventKeys,
  { plan }: Board,
  ordinals: readonly number[],
): Promise<Map<number, string>> {
  const seats = new Map<number, string>();
  for (const portion of portionsOf(ordinals)) {
    const names = portion.map((ordinal) => keys.seatHold(plan.seatIdOf(ordinal)));
    const texts = (await circuit.run(() => cache.call('mget', ...names))) as (string | null)[];
    texts.forEach((text, index) => {
      const ordinal = portion[index];
      if (text !== null && ordinal !== undefined) seats.set(ordinal, text);
    });
  }
  return seats;
}

async function readEnds(tools: WarmTools, keys: EventKeys): Promise<Map<string, number>> {
  const ends = new Map<string, number>();
  for (let from = 0; ; from += PORTION) {
    const to = from + PORTION - 1;
    const range = () => tools.cache.call('zrange', keys.seatHolds, from, to, 'withscores');
    const page = ((await ask(tools, range)) ?? []) as string[];
    for (let index = 0; index < page.length; index += 2) {
      ends.set(page[index] ?? '', millisecondsOf(Number(page[index + 1])));
    }
    if (page.length < PORTION * 2) return ends;
  }
}

async function readMetas(
  { circuit, cache }: WarmTools,
  keys: EventKeys,
  ids: readonly string[],
): Promise<Map<string, HoldMeta>> {
  const metas = new Map<string, HoldMeta>();
  for (const portion of portionsOf(ids)) {
    const names = portion.map(keys.holdMeta);
    const answer = (await circuit.run(() => cache.run(METAS, names, []))) as string[][];
    answer.forEach((fields, index) => {
      const entries = fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1]]] : []));
      if (entries.length > 0) metas.set(portion[index] ?? '', Object.fromEntries(entries));
    });
  }
  return metas;
}

function portionsOf<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / PORTION) }, (_, index) =>
    items.slice(index * PORTION, (index + 1) * PORTION),
  );
}

/** A key of the wrong type is as good as none. */
async function ask({ circuit }: WarmTools, work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await circuit.run(work);
  } catch (error) {
    if (isAboutData(error)) return null;
    throw error;
  }
}

export type Difference = Readonly<{
  /** Seats whose text is wrong, with the text that is there. */
  seats: ReadonlyMap<number, string>;
  holds: readonly string[];
  /** How many of them the board does not have. */
  removed: number;
  /** What everybody may know of the event: which parts are not what the board says. */
  faults: readonly EventFault[];
  /** It was right at an earlier revision of the board. */
  isBehind: boolean;
}>;

/** Where Redis does not say what the board says. */
export function differenceOf(board: Board, content: TierContent): Difference {
  const seats = new Map<number, string>();
  const holds: string[] = [];
  let removed = 0;
  for (const [ordinal, text] of content.seats) {
    const hold = board.holdOfSeat(ordinal);
    const value = readSeatValue(text);
    if (value && isOf(value, hold)) continue;
    // Somebody is at a seat that is free: that is what claims are for.
    if (value?.state === 'claimed' && !hold) continue;
    seats.set(ordinal, text);
    if (!hold) removed++;
  }
  for (const id of content.ends.keys()) {
    if (board.holdOf(id)) continue;
    holds.push(id);
    removed++;
  }
  for (const hold of board.holds()) {
    const { hold_id, ordinal, until_ms } = hold;
    if (ordinal >= 0 && !content.seats.has(ordinal)) seats.set(ordinal, '');
    const meta = content.metas.get(hold_id);
    const isRight =
      content.ends.get(hold_id) === until_ms &&
      millisecondsOf(Number(meta?.held_until)) === until_ms &&
      meta?.user_id === hold.user_id;
    if (!isRight) holds.push(hold_id);
  }
  return { seats, holds, removed, ...faultsOf(board, content.keys, content.texts) };
}

/** What Redis says differently, by the names of its keys. */
export type TierDifference = Readonly<{
  what: 'holds' | 'seats' | EventFault;
  count: number;
  /** Some of the ids of these holds or seats. */
  ids: readonly string[];
}>;

export type TierFindings = Count &
  Readonly<{
    differences: readonly TierDifference[];
    /** When holds end, by id. */
    holds: ReadonlyMap<string, number>;
    /** It has no record of the event: a node that has the board writes all of it, by itself. */
    isNew: boolean;
  }>;

const MOST_IDS = 5;

/** Equal to the board's when all of it is right; whatever is told differently spoils the digest. */
export function findingsIn(board: Board, content: TierContent): TierFindings {
  const { seats, holds, faults, isBehind } = differenceOf(board, content);
  const parts = isBehind ? [...faults, 'revision' as const] : faults;
  const wrong = [...seats.keys(), ...holds, ...parts];
  const spoilt = wrong.map((what) => ({ hold_id: `${what}!`, until_ms: 0 }));
  const told = [...content.ends].map(([hold_id, until_ms]) => ({ hold_id, until_ms }));
  const seatIds = [...seats.keys()].map((ordinal) => board.plan.seatIdOf(ordinal));
  const differences = [
    ...named('holds', holds),
    ...named('seats', seatIds),
    ...parts.map((what) => ({ what, count: 1, ids: [] })),
  ];
  const digest = digestOfHolds([...told, ...spoilt]);
  const isNew = content.texts.record === null;
  return { count: content.ends.size, digest, differences, holds: content.ends, isNew };
}

function named(what: 'holds' | 'seats', ids: readonly string[]): TierDifference[] {
  const some = ids.filter(isUuid).slice(0, MOST_IDS);
  return ids.length === 0 ? [] : [{ what, count: ids.length, ids: some }];
}

export function countOfBoard(board: Board): Count {
  return { count: board.holdCount, digest: digestOfHolds(board.holds()) };
}

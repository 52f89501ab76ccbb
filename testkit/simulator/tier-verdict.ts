import { availabilityOf } from '@voelgoed/engine/board';
import { contentIn, headOf } from '@voelgoed/engine/warm';
import { SEATS } from './hall.ts';
import { eventKeysOf } from './hall-keys.ts';
import type { World } from './world.ts';

const KEYS = eventKeysOf();

/** Where boards are not what the store says. */
export function boardProblems({ nodes, database }: World): string[] {
  const { revision, hash } = database.event;
  return nodes.flatMap(({ machine, registry }) => {
    // A board that nobody has asked for is nowhere behind.
    const wrong = registry.boards.filter((one) => one.revision !== revision || one.hash !== hash);
    const queued = registry.queued > 0 ? [`${machine.name} has ${registry.queued} wishes`] : [];
    const places = wrong.map((one) => `${machine.name} is at ${one.revision}, not ${revision}`);
    return machine.isAlive ? [...queued, ...places] : [`${machine.name} is not there`];
  });
}

/** Where Redis says something else than the store. What says nothing is not wrong. */
export function tierProblems(world: World): string[] {
  const { event } = world.database;
  const { redis } = world;
  if (event.revision === 0) return [];
  return [...seatProblems(world), ...holdProblems(world), ...bitmapProblems(world)].concat(
    recordOf(redis) === `${event.revision} ${event.hash.slice(0, 16)}`
      ? []
      : ['Redis is at another place in the log'],
  );
}

function recordOf(redis: World['redis']): string {
  return textOf(redis).split(' ').slice(0, 2).join(' ');
}

function textOf(redis: World['redis']): string {
  const found = redis.find(KEYS.revision);
  return found?.kind === 'string' ? String(found.value) : '';
}

/** What a node without the board would show at this moment, where that is not so. */
export function shownProblems(world: World): string[] {
  const { redis, database } = world;
  const record = textOf(redis);
  const isText = redis.find(KEYS.bitmap)?.kind === 'string';
  const bitmap = isText ? redis.getBytes(KEYS.bitmap) : null;
  const head = headOf(record);
  if (head?.revision !== database.event.revision || !contentIn({ record, bitmap }, KEYS)) return [];
  return bitmapProblems(world).map(() => 'a reader would be shown other seats');
}

function seatProblems({ database, redis }: World): string[] {
  const { event } = database;
  const problems: string[] = [];
  for (let ordinal = 0; ordinal < SEATS; ordinal++) {
    const found = redis.find(KEYS.seatHold(ordinal));
    const value = found?.kind === 'string' ? read(String(found.value)) : null;
    const id = event.seats[ordinal]?.hold_id ?? null;
    const until_ms = id === null ? null : event.holds.get(id)?.until_ms;
    if (id === null && value?.state === 'held') {
      problems.push(`Redis has a hold of seat ${ordinal} that is none`);
    }
    if (
      id !== null &&
      (value?.hold_id !== id || Math.round(Number(value.held_until) * 1_000) !== until_ms)
    ) {
      problems.push(`Redis does not have the hold of seat ${ordinal}`);
    }
  }
  return problems;
}

function read(text: string): { state?: string; hold_id?: string; held_until?: number } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function holdProblems({ database, redis }: World): string[] {
  const found = redis.find(KEYS.seatHolds);
  const ends = new Map(found?.kind === 'zset' ? (found.value as Map<string, number>) : []);
  let wrong = 0;
  for (const [id, { status, until_ms }] of database.event.holds) {
    if (status !== 'active') continue;
    if (Math.round((ends.get(id) ?? 0) * 1_000) !== until_ms) wrong++;
    ends.delete(id);
  }
  wrong += ends.size;
  return wrong === 0 ? [] : [`${wrong} holds are not what Redis lists`];
}

function bitmapProblems({ database, redis }: World): string[] {
  const found = redis.find(KEYS.bitmap);
  if (found?.kind !== 'string') return [];
  const expected = availabilityOf(database.event.board(), Number.NEGATIVE_INFINITY).seats;
  const isRight = Buffer.from(expected).equals(redis.getBytes(KEYS.bitmap) ?? Buffer.alloc(0));
  return isRight ? [] : ['the bitmap in Redis shows other seats'];
}

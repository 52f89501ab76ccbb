import { systemClock } from '@voelgoed/engine/kit';
import type { EventRef } from '@voelgoed/engine/registry';
import { signToken } from '@voelgoed/server/tokens';
import { Redis } from 'ioredis';
import type { Bench } from '#contest';
import { type Figure, figureOf, type Naming } from '#measure';
import { type OwnNode, readSeries, startOwnNode } from '#node';
import { type OpenRedis, openRedis, processSeconds } from '#stage';
import { writeHolds } from './write-holds.ts';

const SUITE = 'registry-million';
/** The largest hall that there can be, ten times. */
const SEATS = 100_000;
const EVENTS = { quick: 1, whole: 10 } as const;
const MEGABYTE = 1_000_000;
const TOKEN_SECONDS = 3_600;
/** A node is asked again that had no time, or that still reconciles by itself. */
const TRIES = 60;
const PAUSE_MS = 1_000;
const TOO_BUSY = 503;

const LOADED = 'voelgoed_boards_loaded';
const BYTES = 'voelgoed_board_bytes';
const EVICTED = 'voelgoed_board_evicted_total';

/** Without the limit of the embedded server, which a million holds exceed. */
async function openLargeRedis(): Promise<OpenRedis> {
  const opened = await openRedis();
  const redis = new Redis(opened.url);
  await redis.config('SET', 'maxmemory', '0');
  redis.disconnect();
  return opened;
}

type Stored = Readonly<{ used: number; resident: number; keys: number; cpu_s: number }>;
/** By the clock, and of the node's processor for both. */
type Rebuilt = {
  load_s: number[];
  reconcile_s: number[];
  cpu_s: number[];
  held: number;
  wrong: number;
};

export async function millionSuite(bench: Bench, quick: boolean): Promise<Figure[]> {
  const hall = await bench.halls.of(SEATS);
  const events: EventRef[] = [];
  for (let event = 0; event < EVENTS[quick ? 'quick' : 'whole']; event++) {
    bench.tell(`event ${event + 1} is put on sale`);
    events.push(await bench.halls.sale(hall));
  }
  const holds = events.length * SEATS;
  return [...(await write(bench, events, holds)), ...(await rebuild(bench, events, holds))];
}

/** All of them are made, and Redis is written to on the way. */
async function write(
  { engine, halls, tell }: Bench,
  events: readonly EventRef[],
  holds: number,
): Promise<Figure[]> {
  const hall = await halls.of(SEATS);
  const redis = await openLargeRedis();
  try {
    const before = await storedIn(redis.url);
    const { answered_s, written_s, cpu_s } = await writeHolds(
      engine,
      redis.url,
      hall,
      events,
      tell,
    );
    const after = await storedIn(redis.url);
    const each_us = (seconds: number) => (seconds * 1e6) / holds;
    const keys = after.keys - before.keys;
    tell(
      `${((after.used - before.used) / holds).toFixed(0)} B of Redis for each of ${holds} holds`,
    );
    return [
      one(holds, 'live holds', ''),
      one(answered_s, 'held and committed', 's', `${(holds / answered_s).toFixed(0)} a second`),
      one(written_s, 'and written to Redis', 's'),
      one(each_us(cpu_s), 'writer, processor time for each hold', 'µs', 'with its part of Redis'),
      one(each_us(after.cpu_s - before.cpu_s), 'Redis, processor time for each hold', 'µs'),
      one((after.used - before.used) / MEGABYTE, 'Redis, memory used', 'MB'),
      one((after.resident - before.resident) / MEGABYTE, 'Redis, memory resident', 'MB'),
      one((after.used - before.used) / holds, 'Redis, memory for each hold', 'B'),
      one(keys, 'Redis, keys', '', `${(keys / holds).toFixed(3)} for each hold`),
    ];
  } finally {
    await redis.stop();
  }
}

/** A node that starts beside an empty Redis: boards from Postgres, and Redis from the boards. */
async function rebuild(
  { stage, profile, tell }: Bench,
  events: readonly EventRef[],
  holds: number,
): Promise<Figure[]> {
  const redis = await openLargeRedis();
  const node = await startOwnNode(stage, { name: SUITE, profile, redisUrl: redis.url });
  try {
    const [before, empty] = [await node.memory(), await storedIn(redis.url)];
    const rebuilt = await reconcileAll(node, stage.services.authSecret, events, tell);
    const [after, stored] = [await node.memory(), await storedIn(redis.url)];
    const series = await readSeries(node.address, [LOADED, BYTES, EVICTED]);
    const of = `of ${events.length} events`;
    return [
      figureOf(rebuilt.load_s, named('a board of 100,000 holds is loaded', 's')),
      figureOf(rebuilt.reconcile_s, named('and written to an empty Redis', 's')),
      figureOf(rebuilt.cpu_s, named('processor time of the node for both', 's')),
      one(sum(rebuilt.load_s) + sum(rebuilt.reconcile_s), 'all of them', 's'),
      one((stored.used - empty.used) / holds, 'reconciled, Redis for each hold', 'B'),
      one(holds - rebuilt.held, 'reconciled, holds that Redis does not have', ''),
      one(rebuilt.wrong, 'reconciled, events whose tiers differ', ''),
      one((after.rss - before.rss) / MEGABYTE, 'the node, memory resident', 'MB', 'grown'),
      one((after.heap - before.heap) / MEGABYTE, 'the node, kept on the heap', 'MB', 'grown'),
      one((series[BYTES] ?? 0) / MEGABYTE, 'the node, boards by its own count', 'MB'),
      one(series[LOADED] ?? 0, 'the node, boards in memory', '', of),
      one(series[EVICTED] ?? 0, 'the node, boards evicted meanwhile', ''),
    ];
  } finally {
    await node.stop();
    await redis.stop();
  }
}

async function reconcileAll(
  { address, pid }: OwnNode,
  secret: string,
  events: readonly EventRef[],
  tell: (text: string) => void,
): Promise<Rebuilt> {
  const found: Rebuilt = { load_s: [], reconcile_s: [], cpu_s: [], held: 0, wrong: 0 };
  for (const [index, { scope, eventId }] of events.entries()) {
    tell(`event ${index + 1} of ${events.length} is loaded and reconciled`);
    const ask = asOwner(address, secret, scope.organizationId);
    const cpu_s = await processSeconds(pid);
    const started = systemClock.monotonic();
    await ask(`/api/events/${eventId}/availability`);
    const loaded = systemClock.monotonic();
    await ask('/api/admin/registry/reconcile', { event_id: eventId });
    found.load_s.push((loaded - started) / 1_000);
    found.reconcile_s.push((systemClock.monotonic() - loaded) / 1_000);
    found.cpu_s.push((await processSeconds(pid)) - cpu_s);
    const { consistent, redis } = await settled(ask, eventId);
    found.held += redis?.count ?? 0;
    if (!consistent) found.wrong++;
  }
  return found;
}

type Ask = (path: string, body?: object) => Promise<unknown>;
type Status = { consistent: boolean; redis?: { count: number } };

/** A node goes on reconciling what a slow command has left. */
async function settled(ask: Ask, eventId: string): Promise<Status> {
  for (let tries = 1; ; tries++) {
    const { data } = (await ask(`/api/admin/registry?event_id=${eventId}`)) as { data: Status };
    if ((data.consistent && data.redis) || tries === TRIES) return data;
    await systemClock.sleep(PAUSE_MS);
  }
}

function asOwner(address: string, secret: string, organizationId: string): Ask {
  const expires = Math.floor(systemClock.now() / 1_000) + TOKEN_SECONDS;
  const token = signToken(secret, { subject: 'bench', organizationId, role: 'owner', expires });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return async (path, body) => {
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    for (let tries = 1; ; tries++) {
      const reply = await fetch(`${address}${path}`, { headers, ...sent });
      const text = await reply.text();
      if (reply.ok) return path.endsWith('/availability') ? null : JSON.parse(text);
      const again = reply.status === TOO_BUSY && tries < TRIES;
      if (!again) throw new Error(`${path}: ${reply.status} ${text}`);
      await systemClock.sleep(PAUSE_MS);
    }
  };
}

async function storedIn(url: string): Promise<Stored> {
  const redis = new Redis(url);
  try {
    const memory = await redis.info('memory');
    const read = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(memory)?.[1]);
    const cpu = await redis.info('cpu');
    const spent = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(cpu)?.[1]);
    const cpu_s = spent('used_cpu_user') + spent('used_cpu_sys');
    const keys = await redis.dbsize();
    return { used: read('used_memory'), resident: read('used_memory_rss'), keys, cpu_s };
  } finally {
    redis.disconnect();
  }
}

function named(name: string, unit: string, note?: string): Naming {
  return { suite: SUITE, name, unit, ...(note ? { note } : {}) };
}

function one(value: number, name: string, unit: string, note?: string): Figure {
  return figureOf([value], named(name, unit, note));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

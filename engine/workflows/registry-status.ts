import { type Board, digestOfHolds, type Hold } from '#board';
import { isUuid } from '#kit';
import { type EventRef, liveHolds } from '#registry';
import { type Count, countOfBoard, type DuePlace, type TierFindings } from '#warm';
import type { Caller, Engine } from './change.ts';

/** The live holds of an event as each tier has them, and what else differs. */
export type RegistryStatus = Readonly<{
  memory: Count;
  /** Absent: there is no Redis, or it cannot be asked. */
  redis?: Count;
  postgres: Count;
  consistent: boolean;
  status: 'ok' | 'stale' | 'redis_unavailable';
  differences: readonly RegistryDifference[];
  /** Only Redis differs, because a node is still writing the event to it. */
  filling?: true;
  message: string;
  breaker?: string;
  due?: readonly DueHold[];
  /** Where the list of due holds goes on. */
  next?: Readonly<{ due_after: string }>;
}>;

/** What one tier does not have as Postgres has it. */
export type RegistryDifference = Readonly<{
  tier: 'memory' | 'redis';
  what: 'holds' | 'seats' | 'board' | 'revision' | 'bitmap' | 'occupancy';
  count: number;
  /** Some of the ids of these holds or seats. */
  ids: readonly string[];
}>;

export type DueHold = Readonly<{
  hold_id: string;
  held_until: string;
  seat_id: string | null;
  zone_id: string | null;
  quantity: number;
  user_id: string | null;
}>;

/**
 * A commit may come between two looks, and a command to Redis may take too long: only what stays
 * so is so.
 */
const LOOKS = 5;
const PAUSE_MS = 50;
const MOST_DUE = 500;
const MOST_IDS = 5;

export type StatusOptions = Readonly<{
  /** Also list holds that end within so many seconds, from the one after `after` on. */
  due?: Due | null;
  /** False: only holds are compared with Postgres. All seats take as long as loading a board. */
  wholeBoard?: boolean;
}>;

type Due = Readonly<{ within: number; after?: string | undefined }>;
type Look = Readonly<{ status: RegistryStatus; board: Board }>;

/** Null: there is no such event on sale. */
export async function registryStatus(
  engine: Engine,
  { scope }: Pick<Caller, 'scope'>,
  eventId: string,
  { due = null, wholeBoard = true }: StatusOptions = {},
): Promise<RegistryStatus | null> {
  const event = { scope, eventId };
  const compared = wholeBoard ? await engine.registry.memory.compare(event) : null;
  let seen = await look(engine, event);
  for (let looks = 1; seen && seen.status.status !== 'ok' && looks < LOOKS; looks++) {
    await engine.clock.sleep(PAUSE_MS);
    seen = await look(engine, event);
  }
  if (!seen) return null;
  const { board } = seen;
  const hasHolds = seen.status.differences.some(({ tier }) => tier === 'memory');
  const seats = compared?.kind === 'different' && !hasHolds ? compared.seats : null;
  const status = seats ? withSeats(seen.status, seats) : seen.status;
  if (due === null || !status.redis) return status;
  return { ...status, ...(await dueHolds(engine, event, board, due)) };
}

/** Whether the tiers agree is known: a Redis that cannot list its holds does not hide that. */
async function dueHolds(
  { warm }: Engine,
  event: EventRef,
  board: Board,
  { within, after }: Due,
): Promise<Pick<RegistryStatus, 'due' | 'next'>> {
  const from = after === undefined ? null : placeOf(after);
  const found = await warm?.readers.dueWithin(event, within, MOST_DUE + 1, from).catch(() => null);
  if (!found) return {};
  const listed = found.slice(0, MOST_DUE);
  const last = listed.at(-1);
  const next = last && found.length > MOST_DUE ? { next: { due_after: nameOf(last) } } : {};
  // Redis may list anything: the board confirms it.
  return { due: listed.flatMap(({ hold_id }) => dueHold(board, board.holdOf(hold_id))), ...next };
}

/** Redis has holds by when they end, in seconds, and those of one moment by their ids. */
function nameOf({ second, hold_id }: DuePlace): string {
  return `${second}-${hold_id}`;
}

function placeOf(name: string): DuePlace {
  const dash = name.indexOf('-');
  return { second: Number(name.slice(0, dash)), hold_id: name.slice(dash + 1) };
}

function dueHold({ plan, config }: Board, hold: Hold | undefined): DueHold[] {
  if (!hold) return [];
  const { hold_id, ordinal, zone, quantity, user_id, until_ms } = hold;
  const held_until = new Date(until_ms).toISOString();
  const seat_id = ordinal >= 0 ? plan.seatIdOf(ordinal) : null;
  const zone_id = config.zones[zone]?.zone_id ?? null;
  return [{ hold_id, held_until, seat_id, zone_id, quantity, user_id }];
}

async function look(engine: Engine, event: EventRef): Promise<Look | null> {
  const { registry, warm } = engine;
  const board = await registry.current(event);
  if (!board) return null;
  const found = warm?.circuit.isClosed ? await warm.compare(event, board).catch(() => null) : null;
  const held = await heldInPostgres(engine, event);
  const memory = countOfBoard(board);
  const inMemory = holdDifferences('memory', board.holds(), held);
  const inRedis = found ? redisDifferences(found, held, inMemory.length === 0) : [];
  const differences = [...inMemory, ...inRedis];
  const redis = found && { count: found.count, digest: found.digest };
  const tiers = {
    memory,
    ...(redis ? { redis } : {}),
    postgres: { count: held.length, digest: digestOfHolds(held) },
    ...(warm ? { breaker: warm.state } : {}),
  };
  const consistent = differences.length === 0;
  const status = consistent ? (warm && !redis ? 'redis_unavailable' : 'ok') : 'stale';
  const isFilling = !consistent && inMemory.length === 0 && found?.isNew === true;
  const message = {
    ok: `All tiers have the same ${memory.count} holds.`,
    redis_unavailable: 'Redis cannot be asked; memory and Postgres agree.',
    stale: isFilling ? FILLING : sentenceOf(differences),
  }[status];
  const filling = isFilling ? { filling: true as const } : {};
  return { board, status: { ...tiers, consistent, status, differences, ...filling, message } };
}

type Held = Readonly<{ hold_id: string; until_ms: number }>;

function heldInPostgres({ postgres }: Engine, { scope, eventId }: EventRef): Promise<Held[]> {
  return postgres.ask(scope, liveHolds(scope.organizationId, eventId));
}

/** Holds that a tier has differently, in one entry; none: it has all of them, and no other. */
function holdDifferences(
  tier: RegistryDifference['tier'],
  told: Iterable<Held>,
  held: readonly Held[],
): RegistryDifference[] {
  const ends = new Map(held.map(({ hold_id, until_ms }) => [hold_id, until_ms]));
  const wrong: string[] = [];
  for (const { hold_id, until_ms } of told) {
    if (ends.get(hold_id) !== until_ms) wrong.push(hold_id);
    ends.delete(hold_id);
  }
  const ids = [...wrong, ...ends.keys()];
  if (ids.length === 0) return [];
  // Redis may have anything for an id.
  const some = ids.filter(isUuid).slice(0, MOST_IDS);
  return [{ tier, what: 'holds', count: ids.length, ids: some }];
}

/** Redis is compared with memory; where that is wrong itself, only its holds are, with Postgres. */
function redisDifferences(
  { differences, holds }: TierFindings,
  held: readonly Held[],
  isMemoryRight: boolean,
): RegistryDifference[] {
  if (isMemoryRight) return differences.map((one) => ({ tier: 'redis', ...one }));
  const told = [...holds].map(([hold_id, until_ms]) => ({ hold_id, until_ms }));
  return holdDifferences('redis', told, held);
}

/** What no hold shows: seats, counters and checkouts that memory has differently. */
function withSeats(status: RegistryStatus, seats: readonly string[]): RegistryStatus {
  const what = seats.length > 0 ? 'seats' : 'board';
  const found = { tier: 'memory', what, count: Math.max(1, seats.length), ids: seats } as const;
  const differences = [found, ...status.differences];
  const message = sentenceOf(differences);
  const { filling: _, ...rest } = status;
  return { ...rest, consistent: false, status: 'stale', differences, message };
}

const FILLING =
  'Redis is being filled with this event: a running node does that by itself, within seconds.';
const TIERS = { memory: 'The memory of this node', redis: 'Redis' } as const;

/** With the way to put it right. */
function sentenceOf(differences: readonly RegistryDifference[]): string {
  const parts = (['memory', 'redis'] as const).flatMap((tier) => {
    const own = differences.filter((one) => one.tier === tier);
    const what = own.map(({ what, count }) => (count > 1 ? `${what} (${count})` : what));
    return own.length > 0 ? [`${TIERS[tier]} differs from Postgres in ${what.join(', ')}.`] : [];
  });
  return [...parts, 'Reconcile the event: that loads memory anew and rewrites Redis.'].join(' ');
}

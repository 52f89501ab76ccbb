import { digestOfHolds } from '#board';
import { LAST_ID, OperatingError } from '#kit';
import { boardsOf, type EventRef, liveHolds } from '#registry';
import type { Scope } from '#scope';
import {
  type Count,
  countOfBoard,
  type DuePlace,
  type Reconciled,
  type WarmDueHold,
  type WarmTier,
} from '#warm';
import type { Caller, Engine } from './change.ts';

/** The live holds of an event as each tier has them. */
export type RegistryStatus = Readonly<{
  memory: Count;
  /** Absent: there is no Redis, or it cannot be asked. */
  redis?: Count;
  postgres: Count;
  consistent: boolean;
  status: 'ok' | 'stale' | 'redis_unavailable';
  message: string;
  breaker?: string;
  due?: readonly DueHold[];
  /** Where the list of due holds goes on. */
  next?: Readonly<{ due_after: string }>;
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
 * Somebody may commit between two looks, and a command to Redis may take too long: only what stays
 * so is so.
 */
const LOOKS = 5;
const PAUSE_MS = 50;
const MOST_DUE = 500;
/** Events of one question; those after them are asked for by the next. */
const EVENTS = 1_000;

/** Null: there is no such event on sale. */
export async function registryStatus(
  engine: Engine,
  { scope }: Pick<Caller, 'scope'>,
  eventId: string,
  due: Due | null = null,
): Promise<RegistryStatus | null> {
  const event = { scope, eventId };
  let seen = await look(engine, event);
  for (let looks = 1; seen && seen.status !== 'ok' && looks < LOOKS; looks++) {
    await engine.clock.sleep(PAUSE_MS);
    seen = await look(engine, event);
  }
  if (!seen || due === null || !seen.redis || !engine.warm) return seen;
  const from = due.after === undefined ? null : placeOf(due.after);
  // Whether the tiers agree is known: a Redis that cannot list its holds does not hide that.
  const found = await engine.warm.readers
    .dueWithin(event, due.within, MOST_DUE + 1, from)
    .catch(() => null);
  if (!found) return seen;
  const listed = found.slice(0, MOST_DUE);
  const last = listed.at(-1);
  const next = last && found.length > MOST_DUE ? { next: { due_after: nameOf(last) } } : {};
  return { ...seen, due: listed.flatMap(dueHold), ...next };
}

type Due = Readonly<{ within: number; after?: string | undefined }>;

/** Redis has holds by when they end, in seconds, and those of one moment by their ids. */
function nameOf({ second, hold_id }: WarmDueHold): string {
  return `${second}-${hold_id}`;
}

function placeOf(name: string): DuePlace {
  const dash = name.indexOf('-');
  return { second: Number(name.slice(0, dash)), hold_id: name.slice(dash + 1) };
}

/** Redis may have anything there: what is no hold is not listed as one. */
function dueHold({ hold_id, held_until_ms, meta }: WarmDueHold): DueHold[] {
  const quantity = Number(meta.quantity ?? 0);
  if (!(held_until_ms > 0) || !Number.isInteger(quantity)) return [];
  const held_until = new Date(held_until_ms).toISOString();
  const [seat_id, zone_id] = [meta.seat_id || null, meta.zone_id || null];
  return [{ hold_id, held_until, seat_id, zone_id, quantity, user_id: meta.user_id ?? null }];
}

async function look(engine: Engine, event: EventRef): Promise<RegistryStatus | null> {
  const { registry, warm } = engine;
  const board = await registry.current(event);
  if (!board) return null;
  const redis = warm?.circuit.isClosed ? await warm.count(event, board).catch(() => null) : null;
  const memory = countOfBoard(board);
  const postgres = await countInPostgres(engine, event);
  const tiers = [memory, postgres, ...(redis ? [redis] : [])];
  const consistent = tiers.every(({ digest }) => digest === memory.digest);
  const breaker = warm ? { breaker: warm.state } : {};
  const found = { memory, ...(redis ? { redis } : {}), postgres, consistent, ...breaker };
  if (!consistent) {
    const message = 'The tiers differ: reconcile.';
    return { ...found, status: 'stale', message };
  }
  if (warm && !redis) {
    const message = 'Redis cannot be asked; memory and Postgres agree.';
    return { ...found, status: 'redis_unavailable', message };
  }
  const message = `All tiers have the same ${memory.count} holds.`;
  return { ...found, status: 'ok', message };
}

async function countInPostgres({ postgres }: Engine, { scope, eventId }: EventRef): Promise<Count> {
  const holds = await postgres.ask(scope, liveHolds(scope.organizationId, eventId));
  return { count: holds.length, digest: digestOfHolds(holds) };
}

/** Here nobody minds when it takes a moment longer. */
async function reconcileOne(
  { clock }: Engine,
  warm: WarmTier,
  event: EventRef,
): Promise<Reconciled | null> {
  for (let looks = 1; ; looks++) {
    try {
      return await warm.reconcile(event);
    } catch (cause) {
      const message = 'Redis could not be brought up to date; it is tried again by itself';
      if (looks === LOOKS)
        throw new OperatingError('unavailable', message, { retryable: true, cause });
      await clock.sleep(PAUSE_MS);
    }
  }
}

export type RegistryReconciled = Readonly<{
  events: number;
  holds: number;
  written: number;
  removed: number;
  message: string;
}>;

async function* allBoards(postgres: Engine['postgres'], scope: Scope): AsyncIterable<string> {
  for (let before = LAST_ID; ; ) {
    const rows = await postgres.ask(scope, boardsOf(scope.organizationId, before, EVENTS));
    for (const { event_id } of rows) yield event_id;
    const last = rows.at(-1);
    if (!last || rows.length < EVENTS) return;
    before = last.event_id;
  }
}

/** Makes Redis say what Postgres says: of one event, or of all that are on sale. */
export async function reconcileRegistry(
  engine: Engine,
  { scope }: Pick<Caller, 'scope'>,
  eventId: string | null,
): Promise<RegistryReconciled | null> {
  const { warm, postgres } = engine;
  const none = { events: 0, holds: 0, written: 0, removed: 0 };
  if (!warm) return { ...none, message: 'There is no Redis, and so nothing to reconcile.' };
  if (!warm.circuit.isClosed) {
    const message = 'Redis is down; it is reconciled by itself when it is back';
    throw new OperatingError('unavailable', message, { retryable: true });
  }
  const sum = { ...none };
  for await (const event_id of eventId ? [eventId] : allBoards(postgres, scope)) {
    const done = await reconcileOne(engine, warm, { scope, eventId: event_id });
    if (!done) continue;
    sum.events++;
    sum.holds += done.count;
    sum.written += done.written;
    sum.removed += done.removed;
  }
  if (eventId && sum.events === 0) return null;
  const message = `${sum.written} entries written, ${sum.removed} removed, ${sum.holds} holds.`;
  return { ...sum, message };
}

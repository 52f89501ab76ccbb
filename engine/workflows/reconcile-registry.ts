import { LAST_ID, reasonOf } from '#kit';
import { askToCompare, boardsOf, type EventRef, eventIds } from '#registry';
import type { Scope } from '#scope';
import type { Reconciled, WarmTier } from '#warm';
import type { Caller, Engine } from './change.ts';

const LOOKS = 5;
const PAUSE_MS = 50;
/** Events of one question; those after them are asked for by the next. */
const EVENTS = 1_000;

export type RegistryReconciled = Readonly<{
  events: number;
  holds: number;
  /** Boards of this node that were not what Postgres has, and were loaded anew. */
  reloaded: number;
  written: number;
  removed: number;
  message: string;
}>;

export type ReconcileOutcome =
  | Readonly<{ kind: 'reconciled'; done: RegistryReconciled }>
  /** Memory is what Postgres has; Redis is not, and will be by itself. */
  | Readonly<{ kind: 'redis_unavailable'; message: string; reloaded: number }>
  | Readonly<{ kind: 'event_not_found' }>;

/**
 * Makes the memory of every node and Redis say what Postgres says: of one event, or of all that are
 * on sale. Boards that differ are thrown away and loaded anew; then Redis is compared with them.
 */
export async function reconcileRegistry(
  engine: Engine,
  { scope }: Pick<Caller, 'scope'>,
  eventId: string | null,
): Promise<ReconcileOutcome> {
  const { warm, postgres, registry } = engine;
  const sum = { events: 0, holds: 0, reloaded: 0, written: 0, removed: 0 };
  let isDown = false;
  for await (const event_id of eventId ? [eventId] : allBoards(postgres, scope)) {
    const event = { scope, eventId: event_id };
    const wasLoaded = registry.loadedBoard(event) !== null;
    if (!(await registry.current(event))) continue;
    if (wasLoaded && (await registry.memory.renew(event))) sum.reloaded++;
    // Nodes that keep a wrong board would write it to Redis again.
    await postgres.ask(scope, askToCompare(event_id));
    const board = await registry.current(event);
    if (!board) continue;
    sum.events++;
    sum.holds += board.holdCount;
    const done = warm && !isDown ? await inRedis(engine, warm, event) : null;
    if (done === 'down') isDown = true;
    if (done === null || done === 'down') continue;
    sum.written += done.written;
    sum.removed += done.removed;
  }
  const { reloaded } = sum;
  if (eventId && sum.events === 0) return { kind: 'event_not_found' };
  if (isDown) return { kind: 'redis_unavailable', message: DOWN, reloaded };
  return { kind: 'reconciled', done: { ...sum, message: messageOf(sum, warm !== null) } };
}

async function* allBoards(postgres: Engine['postgres'], scope: Scope): AsyncIterable<string> {
  for (let before = LAST_ID; ; ) {
    const rows = await postgres.ask(scope, boardsOf(scope.organizationId, before, EVENTS));
    for (const { event_id } of rows) yield event_id;
    const last = rows.at(-1);
    if (!last || rows.length < EVENTS) return;
    before = last.event_id;
  }
}

const DOWN =
  'Redis cannot be brought up to date at the moment. Memory is what Postgres has; nodes ' +
  'reconcile Redis by themselves as soon as it answers again.';

/** It may take a moment longer here than where buyers wait. */
async function inRedis(
  { clock, telemetry }: Engine,
  warm: WarmTier,
  event: EventRef,
): Promise<Reconciled | 'down' | null> {
  for (let looks = 1; warm.circuit.isClosed; looks++) {
    try {
      return await warm.reconcile(event);
    } catch (error) {
      if (looks === LOOKS) {
        const about = { reason: reasonOf(error), ids: eventIds(event) };
        telemetry.emit({ kind: 'job.failed', job: 'reconcile', ...about });
        return 'down';
      }
      await clock.sleep(PAUSE_MS);
    }
  }
  return 'down';
}

function messageOf({ holds, reloaded, written, removed }: Sums, hasRedis: boolean): string {
  const entries = hasRedis
    ? `${written} entries of Redis written, ${removed} removed`
    : 'There is no Redis';
  const boards = `Boards of this node loaded anew: ${reloaded}; other nodes compare theirs.`;
  return `${entries}; ${holds} holds. ${boards}`;
}

type Sums = Omit<RegistryReconciled, 'message' | 'events'>;

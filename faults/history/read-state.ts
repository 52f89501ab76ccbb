import { createHash } from 'node:crypto';
import { verifyChain } from '@voelgoed/engine/audit';
import type { Board } from '@voelgoed/engine/board';
import { assert, canonicalJson, reasonOf } from '@voelgoed/engine/kit';
import type { Postgres, Transaction } from '@voelgoed/engine/postgres';
import { type EventRef, PostgresStore, replayBoard } from '@voelgoed/engine/registry';
import type { FinalState } from './final-state.ts';
import {
  readAllHolds,
  readAllSeats,
  readAllZones,
  readAttempts,
  readCheckouts,
  readHead,
  readHoldTrail,
  readMessages,
  readRefunds,
  readTickets,
  readWholeLog,
} from './state.sql.ts';

const SNAPSHOT = 'isolation level repeatable read read only' as const;
/** Somebody may commit between two readings; more often than this it is no coincidence. */
const TRIES = 20;

/** All of an event at one moment, with its log replayed and its trail verified. */
export async function readFinalState(postgres: Postgres, event: EventRef): Promise<FinalState> {
  const store = new PostgresStore(postgres);
  for (let tries = 0; tries < TRIES; tries++) {
    const board = await loadOr(store, event);
    const options = { name: 'history.read', mode: SNAPSHOT };
    const state = await postgres.transaction(event.scope, options, (transaction) =>
      readAll(transaction, event, store, board),
    );
    if (state) return state;
  }
  throw new Error('the board never stood still');
}

/** The board, or why there is none: tables that contradict each other cannot be loaded. */
async function loadOr(store: PostgresStore, event: EventRef): Promise<Board | string> {
  try {
    return (await store.load(event)) ?? 'not on sale';
  } catch (error) {
    return `cannot be loaded: ${reasonOf(error)}`;
  }
}

/** Null: somebody has committed since the board was loaded. */
async function readAll(
  transaction: Transaction,
  event: EventRef,
  store: PostgresStore,
  board: Board | string,
): Promise<FinalState | null> {
  const { scope, eventId } = event;
  const place = [scope.organizationId, eventId] as const;
  const [head] = await transaction.query(readHead(...place));
  assert(head, 'the event is on sale');
  if (typeof board !== 'string' && head.revision !== board.revision) return null;
  const audit = { count: head.audit_count, hash: head.audit_head };
  const trail = await verifyChain(transaction, scope, { id: eventId, head: audit });
  return {
    revision: head.revision,
    head: head.hash,
    holds: await transaction.query(readAllHolds(...place)),
    seats: await transaction.query(readAllSeats(...place)),
    zones: await transaction.query(readAllZones(...place)),
    log: await transaction.query(readWholeLog(...place)),
    checkouts: await transaction.query(readCheckouts(...place)),
    attempts: await transaction.query(readAttempts(...place)),
    messages: await transaction.query(readMessages(...place)),
    tickets: await transaction.query(readTickets(...place)),
    refunds: await transaction.query(readRefunds(...place)),
    trail: await transaction.query(readHoldTrail(...place)),
    trailProblem: trail.ok ? null : `the trail is broken: ${JSON.stringify(trail.first_bad)}`,
    loaded: typeof board === 'string' ? board : fingerprint(board),
    replayed: await replayed(transaction, event, store, head.revision),
    loadedDigest: typeof board === 'string' ? board : board.digest,
  };
}

async function replayed(
  transaction: Transaction,
  event: EventRef,
  store: PostgresStore,
  revision: number,
): Promise<string> {
  const planOf = (layout: Parameters<typeof store.plans.get>[1], seats: number) =>
    store.plans.get(event.scope, layout, seats);
  try {
    const result = await replayBoard(transaction, event, revision, planOf);
    return result.kind === 'board' ? fingerprint(result.board) : JSON.stringify(result);
  } catch (error) {
    return `cannot be replayed: ${reasonOf(error)}`;
  }
}

/** More than the digest: also how often each seat has changed, and everything about the holds. */
function fingerprint(board: Board): string {
  const { codes, versions, counts, holds, hash } = board.content();
  const sorted = [...holds].sort((one, other) => (one.hold_id < other.hold_id ? -1 : 1));
  const rest = canonicalJson([[...codes], [...versions], counts, sorted]);
  const digest = createHash('sha256').update(rest).digest('hex').slice(0, 16);
  return `${board.revision} ${hash.slice(0, 8)} ${board.digest} ${digest}`;
}

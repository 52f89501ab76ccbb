import type { ChangeRow } from '@voelgoed/engine/board';
import {
  type Claims,
  type EventRef,
  type Flush,
  isFlush,
  type Store,
} from '@voelgoed/engine/registry';
import type { GuardsOff, MemoryStore } from '#stores';
import { EVENT } from './hall.ts';
import type { SimulatedNode } from './node.ts';

type Transact = Store['transact'];
type Opened = Parameters<Parameters<Transact>[2]>[0];

/**
 * The store as a careless adapter would offer it: what a guard of the writer or of its adapter is
 * for shows when the guard is missing. Only simulated worlds have such stores.
 */
export function carelessStore(store: MemoryStore, off: GuardsOff, node: SimulatedNode): Store {
  return {
    load: () => store.load(),
    saveSnapshot: () => store.saveSnapshot(),
    clock: async () => {
      const read = await store.clock();
      const stands = off.has('expiry before decide');
      return stands ? { ...read, wall_ms: stillOf(node) } : read;
    },
    setDrift: (wanted) => store.setDrift(wanted),
    heads: async (events) => {
      const heads = await store.heads(events);
      if (!off.has('lineage')) return heads;
      const own = node.registry.loadedBoard(EVENT);
      return heads.map((head) => {
        return own && head.revision <= own.revision ? { ...head, ...placeOf(own) } : head;
      });
    },
    rowsFrom: async (event, revision, most) => {
      const rows = await store.rowsFrom(event, revision, most);
      return off.has('lineage') ? believed(node, revision, rows) : rows;
    },
    transact: (event, ask, decide) => transact(store, off, node, event, ask, decide),
  };
}

async function transact(
  store: MemoryStore,
  off: GuardsOff,
  node: SimulatedNode,
  ...[event, ask, decide]: Parameters<Transact>
): ReturnType<Transact> {
  const sent: { flush: Flush | null } = { flush: null };
  let isBelieved = false;
  const transacted = await store.transact(event, ask, (opened, asked) => {
    const flush = decide(asSeen(opened, off, node, asked.revision), asked);
    if (flush !== null && !isFlush(flush)) {
      isBelieved = off.has('durable answers');
      return isBelieved ? null : flush;
    }
    sent.flush =
      flush && off.has('idempotency in the commit') ? { ...flush, keys: [], idle: [] } : flush;
    return sent.flush;
  });
  if (isBelieved && transacted.kind === 'nothing') return { kind: 'committed' };
  const isRefused = transacted.kind === 'failed' && transacted.trouble === 'guard';
  if (isRefused && off.has('commit tag check')) return { kind: 'committed' };
  if (transacted.kind === 'unknown' && off.has('unknown commits under the lock')) {
    return lookedUp(store, event, sent.flush, transacted);
  }
  return transacted;
}

/** Whoever looks while the write is still on its way believes that it never comes. */
async function lookedUp(
  store: MemoryStore,
  event: EventRef,
  flush: Flush | null,
  unknown: Awaited<ReturnType<Transact>>,
): ReturnType<Transact> {
  if (!flush) return unknown;
  const rows = await store.rowsFrom(event, flush.row.revision, 1).catch(() => null);
  if (!rows) return unknown;
  const isThere = rows.some(({ flush_id }) => flush_id === flush.row.flush_id);
  if (isThere) return { kind: 'committed' };
  return { kind: 'failed', trouble: 'unavailable', error: new Error('it is not in the log') };
}

function asSeen(opened: Opened, off: GuardsOff, node: SimulatedNode, revision: number): Opened {
  const seen = off.has('expiry before decide') ? { ...opened, now_ms: stillOf(node) } : opened;
  if (!off.has('lineage')) return seen;
  const rows = believed(node, revision, seen.rows);
  const last = rows.at(-1);
  const head = seen.head && last && { ...seen.head, revision: last.revision, hash: last.hash };
  return { ...seen, rows, head: head ?? seen.head };
}

/** The time of the last row, for ever. */
function stillOf(node: SimulatedNode): number {
  return Math.max(node.registry.loadedBoard(EVENT)?.at_ms ?? 1, 1);
}

/** As if the board's own row were always there and always its own. */
function believed(node: SimulatedNode, revision: number, rows: readonly ChangeRow[]): ChangeRow[] {
  const board = node.registry.loadedBoard(EVENT);
  if (!board || board.revision !== revision || revision === 0) return [...rows];
  const [first, ...rest] = rows;
  const own = { revision, flush_id: '', at_ms: 0, format: 1, changes: [], keyed: [] };
  return [{ ...(first ?? own), ...placeOf(board) }, ...rest];
}

function placeOf({ revision, hash }: { revision: number; hash: string }) {
  return { revision, hash };
}

export function carelessClaims(claims: Claims): Claims {
  return {
    claim: (event, board, command) => claims.claim(event, board, command),
    giveBack: (event, claim) => claims.giveBack(event, claim),
    heal: () => {},
  };
}

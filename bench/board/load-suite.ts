import { Board, type Hold } from '@voelgoed/engine/board';
import type { Postgres } from '@voelgoed/engine/postgres';
import { type EventRef, PostgresStore } from '@voelgoed/engine/registry';
import { type Figure, figureOf, keptBytes, timed } from '#measure';
import { newId } from './decide-suite.ts';

const SUITE = 'load';
const MEGABYTE = 1_000_000;
const HOLDS = 20_000;
const TOTAL = { below: 300 };
const BLOCK = { below: 10 };

/** Loading a board, with its plan and without, as long as it takes and as long as it blocks. */
export async function loadSuite(
  postgres: Postgres,
  event: EventRef,
  quick: boolean,
): Promise<Figure[]> {
  const rounds = quick ? 3 : 9;
  const cold: Loaded[] = [];
  const warm: Loaded[] = [];
  await load(new PostgresStore(postgres), event);
  for (let round = 0; round < rounds; round++) {
    const store = new PostgresStore(postgres);
    cold.push(await load(store, event));
    warm.push(await load(store, event));
  }
  return [...figuresOf('plan cold', cold), ...figuresOf('plan warm', warm), ...sizesOf(warm)];
}

type Loaded = Readonly<{ board: Board; took_ms: number; blocked_ms: number }>;

async function load(store: PostgresStore, event: EventRef): Promise<Loaded> {
  const { result: board, ...times } = await timed(() => store.load(event));
  if (!board) throw new Error('the event is on sale');
  return { board, ...times };
}

function figuresOf(name: string, loads: readonly Loaded[]): Figure[] {
  const took = loads.map(({ took_ms }) => took_ms);
  const blocked = loads.map(({ blocked_ms }) => blocked_ms);
  return [
    figureOf(took, { suite: SUITE, name: `${name}, all`, unit: 'ms', target: TOTAL }),
    figureOf(blocked, { suite: SUITE, name: `${name}, loop blocked`, unit: 'ms', target: BLOCK }),
  ];
}

function sizesOf(loads: readonly Loaded[]): Figure[] {
  const board = loads.at(-1)?.board;
  if (!board) return [];
  const { codes, versions } = board.content();
  const state = (codes.byteLength + versions.byteLength) / MEGABYTE;
  const one = (name: string, unit: string, value: number, below: number) =>
    figureOf([value], { suite: SUITE, name, unit, target: { below } });
  return [
    one('state arrays', 'MB', state, 2),
    one('plan', 'MB', board.plan.bytes / MEGABYTE, 15),
    one('one hold', 'bytes', holdBytes(board), 400),
  ];
}

/** What the heap keeps for each of many holds, maps and heap of the board included. */
function holdBytes(board: Board): number {
  const content = board.content();
  const before = keptBytes();
  const full = new Board(board.plan, { ...content, holds: someHolds() });
  const after = keptBytes();
  if (full.holdCount !== HOLDS) throw new Error('all holds are on the board');
  return (after - before) / HOLDS;
}

function someHolds(): Hold[] {
  return Array.from({ length: HOLDS }, (_, ordinal) => ({
    hold_id: newId(),
    user_id: newId(),
    cart_token: newId(),
    ordinal,
    zone: 0,
    quantity: 1,
    created_ms: 1_800_000_000_000 + ordinal,
    until_ms: 1_800_000_600_000 + ordinal,
    source: 'web',
    ip: null,
    made_by: null,
    notes: null,
    checkout_id: null,
  }));
}

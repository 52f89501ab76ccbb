import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { checkHistory, type Fault } from './check-history.ts';
import type { FinalState, NodeBoard } from './final-state.ts';
import type { HistoryLine, Operation } from './operations.ts';
import type { Invariant, Violation } from './violation.ts';
import type { WallStep } from './wall-clock.ts';

/** The number of the format; another one is another program's. */
const FORMAT = 1;
const CHUNK_BYTES = 1024 * 1024;
/** Rows in one line, so that no line is too long to be read. */
const ROWS = 500;

/** Operations of a window that a failover has lost: nobody can say what became of them. */
type Forgotten = Readonly<{ from_ms: number; to_ms: number }>;

/** Everything about one run, as a file has it. */
export type RunHistory = {
  scenario: string;
  seed: number;
  wall_offset_ms: number;
  wall_steps?: readonly WallStep[] | undefined;
  operations: Operation[];
  events: Map<string, { state: FinalState; boards: NodeBoard[] }>;
  faults: Fault[];
  forgotten: Forgotten[];
  seen: Violation[];
  /** What could not be judged in this run, and why. */
  unjudged: Partial<Record<Invariant, string>>;
};

const TABLES = [
  'holds',
  'seats',
  'zones',
  'log',
  'checkouts',
  'attempts',
  'messages',
  'tickets',
  'refunds',
  'trail',
] as const;
type Table = (typeof TABLES)[number];

type RunLine =
  | HistoryLine
  | (Readonly<{ kind: 'run'; format: number }> &
      Pick<RunHistory, 'scenario' | 'seed' | 'wall_offset_ms' | 'wall_steps'>)
  | (Readonly<{ kind: 'fault' }> & Fault)
  | (Readonly<{ kind: 'forgotten' }> & Forgotten)
  | (Readonly<{ kind: 'state'; event: string }> & Omit<FinalState, Table>)
  | Readonly<{ kind: 'rows'; event: string; of: Table; rows: readonly unknown[] }>
  | (Readonly<{ kind: 'board'; event: string }> & NodeBoard)
  | (Readonly<{ kind: 'seen' }> & Violation)
  | Readonly<{ kind: 'unjudged'; invariant: Invariant; why: string }>;

/** Adds to the operations in a file what there was in the end, so that it can be judged alone. */
export function completeHistory(file: string, run: Omit<RunHistory, 'operations'>): void {
  const handle = openSync(file, 'a');
  const write = (line: RunLine) => void writeSync(handle, `${JSON.stringify(line)}\n`);
  const { scenario, seed, wall_offset_ms, wall_steps } = run;
  write({ kind: 'run', format: FORMAT, scenario, seed, wall_offset_ms, wall_steps });
  for (const fault of run.faults) write({ kind: 'fault', ...fault });
  for (const window of run.forgotten) write({ kind: 'forgotten', ...window });
  for (const [event, { state, boards }] of run.events) {
    const { revision, head, trailProblem, loaded, replayed, loadedDigest } = state;
    const scalars = { revision, head, trailProblem, loaded, replayed, loadedDigest };
    write({ kind: 'state', event, ...scalars });
    for (const of of TABLES) {
      for (let from = 0; from < state[of].length; from += ROWS) {
        write({ kind: 'rows', event, of, rows: state[of].slice(from, from + ROWS) });
      }
    }
    for (const board of boards) write({ kind: 'board', event, ...board });
  }
  for (const one of run.seen) write({ kind: 'seen', ...one });
  for (const [invariant, why] of Object.entries(run.unjudged)) {
    write({ kind: 'unjudged', invariant: invariant as Invariant, why });
  }
  closeSync(handle);
}

type Draft = Record<Table, unknown[]> & { scalars: Omit<FinalState, Table>; boards: NodeBoard[] };

export function readHistory(file: string): RunHistory {
  const run: RunHistory = {
    scenario: '',
    seed: 0,
    wall_offset_ms: 0,
    operations: [],
    events: new Map(),
    faults: [],
    forgotten: [],
    seen: [],
    unjudged: {},
  };
  const drafts = new Map<string, Draft>();
  let isComplete = false;
  for (const line of linesOf(file)) {
    if (line.kind === 'run') isComplete = true;
    readLine(run, drafts, line);
  }
  if (!isComplete) throw new Error(`${file} does not say what there was in the end`);
  for (const [event, { scalars, boards, ...rows }] of drafts) {
    run.events.set(event, { state: { ...rows, ...scalars } as unknown as FinalState, boards });
  }
  return run;
}

function readLine(run: RunHistory, drafts: Map<string, Draft>, line: RunLine): void {
  switch (line.kind) {
    case 'run':
      if (line.format !== FORMAT) throw new Error(`format ${line.format} is not known here`);
      run.scenario = line.scenario;
      run.seed = line.seed;
      run.wall_offset_ms = line.wall_offset_ms;
      run.wall_steps = line.wall_steps;
      return;
    case 'operation':
      return void run.operations.push(line);
    case 'fault':
      return void run.faults.push(line);
    case 'forgotten':
      return void run.forgotten.push(line);
    case 'seen':
      return void run.seen.push(line);
    case 'unjudged':
      run.unjudged[line.invariant] = line.why;
      return;
    case 'state': {
      const empty = Object.fromEntries(TABLES.map((of) => [of, []]));
      drafts.set(line.event, { ...empty, scalars: line, boards: [] } as unknown as Draft);
      return;
    }
    case 'rows':
      return void drafts.get(line.event)?.[line.of].push(...line.rows);
    case 'board':
      return void drafts.get(line.event)?.boards.push(line);
    default:
      return;
  }
}

function* linesOf(file: string): Generator<RunLine> {
  const handle = openSync(file, 'r');
  const decoder = new TextDecoder();
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest = '';
  try {
    for (;;) {
      const bytes = readSync(handle, chunk, 0, CHUNK_BYTES, null);
      if (bytes === 0) break;
      const lines = (rest + decoder.decode(chunk.subarray(0, bytes), { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as RunLine;
    }
  } finally {
    closeSync(handle);
  }
}

/** Everything that is wrong with a run, over all its events. */
export function judgeRun(run: RunHistory): Violation[] {
  const { wall_offset_ms, wall_steps, faults, seen } = run;
  const byEvent = Map.groupBy(run.operations, ({ event }) => event ?? '');
  const found = [...run.events].flatMap(([event, { state, boards }]) => {
    const operations = forget(byEvent.get(event) ?? [], run.forgotten);
    return checkHistory({ operations, state, boards, wall_offset_ms, wall_steps, faults });
  });
  return [...found, ...seen];
}

/**
 * What was told in a history that is lost is as good as untold; it may have worked anyway. Nobody
 * asked again about a wish that had its answer, so for all its copies there is no key to ask with.
 */
function forget(operations: readonly Operation[], windows: readonly Forgotten[]): Operation[] {
  const isLost = ({ invoked_ms, returned_ms }: Operation) =>
    windows.some(({ from_ms, to_ms }) => (returned_ms ?? to_ms) > from_ms && invoked_ms < to_ms);
  const wishes = new Set(operations.filter(isLost).map(({ wish }) => wish));
  return operations.map((one) => {
    if (!wishes.has(one.wish)) return one;
    if (!isLost(one)) return { ...one, key: null };
    const { told: _, ...rest } = one;
    return { ...rest, outcome: 'unknown', key: null, holds: [], revision: null };
  });
}

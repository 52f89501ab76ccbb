import { printedRandom } from '@voelgoed/testkit/builders';
import { type Op, SimulatedSale } from '@voelgoed/testkit/stores';
import { describe, expect, it } from 'vitest';
import { Board, type Change } from '#board';
import { hashRow } from './log.ts';
import type { Answer } from './registry.ts';

/** Each is another order of things and other faults. A seed that fails is printed: SEED repeats it. */
const SCHEDULES = process.env.SEED ? 1 : 600;

type Done = Answer & { kind: 'done' };
type Row = Readonly<{ revision: number; changes: readonly Change[] }>;

const logOf = ({ store }: SimulatedSale): Row[] =>
  store.event.log.map(({ revision, text }) => ({ revision, ...JSON.parse(text) }));

const answersOf = ({ attempts }: Op): Done[] =>
  attempts.flatMap((one) => (typeof one !== 'string' && one.kind === 'done' ? [one] : []));

/** Follows the log with nothing but a list of who has what: the board's own rules are not used. */
function ownersProblems(log: readonly Row[]): string[] {
  const problems: string[] = [];
  const seatOf = new Map<string, number | null>();
  const owners = new Map<number, string>();
  for (const { revision, changes } of log) {
    for (const change of changes) {
      if (change.kind === 'held') {
        for (const [id, ordinal] of change.seats ?? []) {
          if (owners.has(ordinal)) problems.push(`two owners of ${ordinal} at ${revision}`);
          owners.set(ordinal, id);
          seatOf.set(id, ordinal);
        }
        for (const [id] of change.places ?? []) seatOf.set(id, null);
      }
      if (change.kind === 'ended') {
        for (const id of change.holds) {
          const ordinal = seatOf.get(id);
          if (ordinal === undefined) problems.push(`${id} ends at ${revision}, but was not alive`);
          if (typeof ordinal === 'number') owners.delete(ordinal);
          seatOf.delete(id);
        }
      }
    }
  }
  return problems;
}

/** The log is whole, bound together, and gives the state. */
function logProblems(sale: SimulatedSale): string[] {
  const { event } = sale.store;
  const problems: string[] = [];
  const board = new Board(event.plan, event.first);
  for (const row of event.log) {
    const expected = hashRow(sale.event.eventId, board.hash, row);
    if (row.revision !== board.revision + 1 || row.hash !== expected) {
      problems.push(`row ${row.revision} does not follow ${board.revision}`);
    }
    const { text, ...rest } = row;
    board.advance({ ...rest, ...JSON.parse(text) });
  }
  const truth = event.board();
  if (board.digest !== truth.digest) problems.push('the log gives another board');
  for (const { registry } of sale.nodes) {
    const seen = sale.boards.get(registry);
    if (seen?.revision !== truth.revision || seen.digest !== truth.digest) {
      problems.push(`a node is at ${seen?.revision}, the store at ${truth.revision}`);
    }
  }
  if (truth.holdCount !== 0) problems.push('holds are left long after their time');
  return problems;
}

/** Counters against a recount of the rows. */
function countProblems({ store }: SimulatedSale): string[] {
  const live = [...store.event.holds.values()].filter(({ status }) => status === 'active');
  return store.event.zones.flatMap(({ held, blocked }, zone) => {
    const own = live.filter(({ hold }) => hold.zone === zone);
    const recount = own.reduce((sum, { hold }) => sum + hold.quantity, 0);
    const closed =
      zone > 0 ? 0 : store.event.seats.filter((one) => one.status === 'blocked').length;
    return held === recount && blocked === closed ? [] : [`counters of zone ${zone} are wrong`];
  });
}

/** Revisions at which the log says that this wish made holds. */
function effectsOf(op: Op, log: readonly Row[]): number[] {
  return log.flatMap(({ revision, changes }) =>
    changes.flatMap((change) =>
      change.kind === 'held' && change.cart_token === op.id ? [revision] : [],
    ),
  );
}

/** What clients were told against what the log says. */
function answerProblems(op: Op, log: readonly Row[]): string[] {
  const about = `${op.command.kind} ${op.id} ${JSON.stringify(op.attempts)}`;
  const bugs = op.attempts.filter((one) => typeof one === 'string' && one.startsWith('bug'));
  if (bugs.length > 0) return [`${bugs.join()} for ${about}`];
  const answers = answersOf(op);
  const problems = answers.flatMap((answer) => truthOf(answer, log));
  if (op.command.kind !== 'hold') return problems.map((problem) => `${problem}: ${about}`);
  const effects = effectsOf(op, log);
  const made = answers.filter(({ outcome }) => outcome.kind === 'held' && !outcome.existing);
  const doubt = op.attempts.includes('outcome_unknown');
  if (effects.length > 1 && op.keyed) problems.push('done twice');
  if (effects.length > 0 && made.length === 0 && !doubt) problems.push('done, but said to be not');
  if (effects.length === 0 && made.length > 0) problems.push('said to be done, but not');
  if (made.some(({ revision }) => !effects.includes(revision))) problems.push('done elsewhere');
  const last = op.attempts.at(-1);
  const settled = typeof last !== 'string' && last?.kind === 'done' && last.outcome.kind === 'held';
  if (op.keyed && doubt && effects.length === 1 && !settled) problems.push('done, and not found');
  return problems.map((problem) => `${problem}: ${about}`);
}

/** Everything that an answer says has happened is in the log at its revision. */
function truthOf({ outcome, revision }: Done, log: readonly Row[]): string[] {
  const changes = log[revision - 1]?.changes ?? [];
  if (outcome.kind === 'extended') {
    const found = changes.some(
      (change) =>
        change.kind === 'extended' &&
        change.holds.some(([id, until]) => {
          return id === outcome.hold.hold_id && until === outcome.hold.until_ms;
        }),
    );
    return found ? [] : ['an extension that the log does not have'];
  }
  if (outcome.kind === 'released') {
    const ended = changes.flatMap((change) => (change.kind === 'ended' ? change.holds : []));
    const wanted = outcome.holds.filter((one) => one.outcome === 'released');
    const missing = wanted.filter(({ hold_id }) => !ended.includes(hold_id));
    return missing.length === 0 ? [] : ['a release that the log does not have'];
  }
  return [];
}

function problemsOf(sale: SimulatedSale): string[] {
  const log = logOf(sale);
  return [
    ...sale.store.guards.map((guard) => `a guard spoke: ${guard}`),
    ...ownersProblems(log),
    ...logProblems(sale),
    ...countProblems(sale),
    ...sale.ops.flatMap((op) => answerProblems(op, log)),
  ];
}

async function problemsWith(seed: number): Promise<string[]> {
  const sale = new SimulatedSale(seed);
  try {
    await sale.run();
    return problemsOf(sale);
  } catch (error) {
    return [String(error instanceof Error ? error.stack : error)];
  }
}

describe('any order of things and faults', () => {
  it(`keeps every promise in ${SCHEDULES} schedules`, async () => {
    const { seed } = printedRandom('interleaving');
    const failures: string[] = [];
    for (let index = 0; index < SCHEDULES && failures.length < 3; index++) {
      const problems = await problemsWith(seed + index);
      if (problems.length > 0) failures.push(`SEED=${seed + index}: ${problems.join('\n')}`);
    }
    expect(failures.join('\n\n')).toBe('');
  });

  it('is the same order again with the same seed', async () => {
    const runs = [new SimulatedSale(7), new SimulatedSale(7)];
    for (const run of runs) await run.run();
    const [one, other] = runs.map(({ store }) => store.event.hash);
    expect(one).toBe(other);
  });
});

import { type Op, paymentProblems, SimulatedSale, seedsFor } from '@voelgoed/testkit/stores';
import { describe, expect, it } from 'vitest';
import { Board, type Change } from '#board';
import type { Happening } from '#telemetry';
import { hashRow } from './log.ts';
import type { Answer } from './registry.ts';

/** Each is another order of things with other faults. */
const SCHEDULES = 500;

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
      if (change.kind === 'ended' || change.kind === 'sold') {
        for (const id of change.holds) {
          const ordinal = seatOf.get(id);
          if (ordinal === undefined) problems.push(`${id} ends at ${revision}, but was not alive`);
          if (typeof ordinal === 'number') owners.delete(ordinal);
          seatOf.delete(id);
        }
      }
      if (change.kind === 'sold') {
        for (const { ticket_id, ordinal } of change.tickets) {
          if (owners.has(ordinal)) problems.push(`two owners of ${ordinal} at ${revision}`);
          if (ordinal >= 0) owners.set(ordinal, ticket_id);
        }
      }
      if (change.kind === 'ticket_ended' && change.vacates) owners.delete(change.ordinal);
      if (change.kind === 'reseated') {
        const { from, to, ticket_id } = change;
        if (owners.get(from) !== ticket_id) problems.push(`${ticket_id} had no seat ${from}`);
        if (owners.has(to)) problems.push(`two owners of ${to} at ${revision}`);
        owners.delete(from);
        owners.set(to, ticket_id);
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
    ...sale.bugs,
    ...paymentProblems(sale),
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
  const seeds = seedsFor('interleaving', SCHEDULES);

  it(
    `keeps every promise in ${seeds.length} schedules`,
    async () => {
      const failures: string[] = [];
      for (const seed of seeds) {
        const problems = failures.length < 3 ? await problemsWith(seed) : [];
        if (problems.length > 0) failures.push(`SEED=${seed}: ${problems.join('\n')}`);
      }
      expect(failures.join('\n\n')).toBe('');
    },
    60_000 + seeds.length * 50,
  );

  it('is the same order again with the same seed', async () => {
    const runs = [new SimulatedSale(7), new SimulatedSale(7)];
    for (const run of runs) await run.run();
    const [one, other] = runs.map(({ store }) => store.event.hash);
    expect(one).toBe(other);
  });

  it('meets everything it is for', async () => {
    const met = new Set<string>();
    for (let seed = 0; seed < 150; seed++) {
      const sale = new SimulatedSale(seed);
      await sale.run();
      for (const happening of sale.nodes.flatMap(({ happenings }) => happenings)) {
        met.add(wordFor(happening));
      }
      for (const attempt of sale.ops.flatMap(({ attempts }) => attempts)) met.add(said(attempt));
      for (const { changes } of logOf(sale)) for (const { kind } of changes) met.add(kind);
    }
    const wanted = [
      ...['held', 'refused', 'extended', 'released', 'blocked', 'unblocked', 'ended', 'again'],
      ...['outcome_unknown', 'event_busy', 'unavailable'],
      ...['checkout', 'payment_begun', 'sold', 'checkout_closed', 'payment_declined'],
      ...['payment_message', 'refund_due', 'ticket_ended', 'reseated', 'checkout_cancelled'],
      ...['settled true', 'settled false', 'flush nothing', 'flush failed', 'flush unknown'],
      ...['hold.refused_fast', 'feed.failed', 'board.loaded', 'flush committed'],
    ];
    expect(wanted.filter((one) => !met.has(one))).toEqual([]);
  });

  it('control: without lock and guards a seat gets two owners, and it is seen', async () => {
    const found: string[] = [];
    for (let seed = 0; seed < 50 && found.length === 0; seed++) {
      const sale = new SimulatedSale(seed, { lock: false, guards: false });
      await sale.run().catch(() => {});
      found.push(...ownersProblems(logOf(sale)).filter((one) => one.startsWith('two owners')));
    }
    expect(found).not.toEqual([]);
  });

  it('control: a refund that was forgotten, a ticket that is missing: both are seen', async () => {
    const seen = { refund: 0, ticket: 0 };
    for (let seed = 0; seed < 40; seed++) {
      const sale = new SimulatedSale(seed);
      await sale.run();
      const { refunds, tickets } = sale.store.event.sales;
      const owed = refunds.findIndex(({ ticket_id }) => ticket_id === null);
      if (owed >= 0) {
        const [refund] = refunds.splice(owed, 1);
        seen.refund++;
        expect(paymentProblems(sale)).not.toEqual([]);
        if (refund) refunds.push(refund);
      }
      expect(paymentProblems(sale)).toEqual([]);
      const [ticketId] = tickets.keys();
      if (ticketId === undefined) continue;
      seen.ticket++;
      tickets.delete(ticketId);
      expect(paymentProblems(sale)).not.toEqual([]);
    }
    expect(Math.min(seen.refund, seen.ticket)).toBeGreaterThan(1);
  });

  it('control: without the lock alone the guards speak, and nobody loses a seat', async () => {
    const spoken: string[] = [];
    for (let seed = 0; seed < 60; seed++) {
      const sale = new SimulatedSale(seed, { lock: false, guards: true });
      await sale.run();
      expect(ownersProblems(logOf(sale))).toEqual([]);
      spoken.push(...sale.store.guards);
    }
    expect(spoken.length).toBeGreaterThan(100);
  });
});

function wordFor(happening: Happening): string {
  if (happening.kind === 'flush.done') return `flush ${happening.outcome}`;
  if (happening.kind === 'flush.settled') return `settled ${happening.committed}`;
  return happening.kind;
}

function said(attempt: Answer | string): string {
  if (typeof attempt === 'string') return attempt;
  if (attempt.kind === 'done' && attempt.replayed) return 'again';
  return attempt.kind === 'done' ? attempt.outcome.kind : attempt.kind;
}

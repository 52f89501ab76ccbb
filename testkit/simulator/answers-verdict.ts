import type { Change, ChangeRow } from '@voelgoed/engine/board';
import type { Answer } from '@voelgoed/engine/registry';
import { START_MS } from '#stores';
import type { Attempt, Op } from './wishes.ts';
import type { World } from './world.ts';

type Done = Answer & { kind: 'done' };
type Told = Readonly<{ answer: Done; attempt: Attempt }>;
type Effect = Readonly<{ revision: number; items: number }>;

/** An expired seat can be taken at the moment it expires; who is shown it may learn it later. */
const SHOWN_MS = 1_000;

/** What clients were told against what the log says. */
export function answerProblems(world: World): string[] {
  const log = world.database.event.log.map(({ row }) => row);
  const effects = effectsOf(log);
  return world.ops.flatMap((op) => {
    const told = toldOf(op);
    const problems = told.flatMap((one) => [
      ...truthOf(world, one, log),
      ...staleRefusals(world, one),
    ]);
    if (op.command !== 'read' && op.command.kind === 'hold') {
      problems.push(...holdProblems(world, op, told, effects.get(op.id) ?? []));
    }
    return problems.map((problem) => `${problem}: ${wordsOf(op)}`);
  });
}

function wordsOf({ id, user, command, attempts }: Op): string {
  const answers = attempts.map(({ node, answer }) => ({ node, answer }));
  return `${id} of ${user} ${JSON.stringify(command)} ${JSON.stringify(answers)}`;
}

function toldOf({ attempts }: Op): Told[] {
  return attempts.flatMap((attempt) => {
    const { answer } = attempt;
    return answer && typeof answer !== 'string' && answer.kind === 'done'
      ? [{ answer, attempt }]
      : [];
  });
}

/** Revisions at which the log says that a wish made holds, by the wish. */
function effectsOf(log: readonly ChangeRow[]): Map<string, Effect[]> {
  const effects = new Map<string, Effect[]>();
  for (const { revision, changes } of log) {
    for (const change of changes) {
      if (change.kind !== 'held') continue;
      const known = effects.get(change.cart_token) ?? [];
      const items = (change.seats?.length ?? 0) + (change.places?.length ?? 0);
      effects.set(change.cart_token, [...known, { revision, items }]);
    }
  }
  return effects;
}

/** Said before a failover that has lost its commit. */
function isLost({ database }: World, { answer, attempt }: Told): boolean {
  return database.lost.some(({ from, to, at_ms, excused }) => {
    if (!excused) return false;
    return answer.revision >= from && answer.revision <= to && attempt.invoked_ms <= at_ms;
  });
}

function holdProblems(
  world: World,
  op: Op,
  told: readonly Told[],
  effects: readonly Effect[],
): string[] {
  const problems: string[] = [];
  const made = told.filter(({ answer: { outcome } }) => {
    return outcome.kind === 'held' && !outcome.existing;
  });
  const kept = made.filter((one) => !isLost(world, one));
  const doubt = op.attempts.some(({ answer }) => isDoubt(answer));
  if (effects.length > 1 && op.keyed) problems.push('done twice');
  if (effects.length > 0 && made.length === 0 && !doubt) problems.push('done, but said to be not');
  if (effects.length === 0 && kept.length > 0) problems.push('said to be done, but not');
  const revisions = effects.map(({ revision }) => revision);
  if (effects.length > 0 && kept.some(({ answer }) => !revisions.includes(answer.revision))) {
    problems.push('done elsewhere');
  }
  if (op.command !== 'read' && op.command.kind === 'hold' && !op.command.best) {
    const wanted = new Set(op.command.items.map((item) => JSON.stringify(item))).size;
    // Whoever had some of them already gets the rest.
    if (effects.some(({ items }) => items > wanted)) problems.push('more than was wished for');
  }
  if (world.schedule.mode === 'liveness' && op.keyed && effects.length === 1 && made.length === 0) {
    problems.push('done, and not found');
  }
  return problems;
}

/** The client cannot know what came of it. */
export function isDoubt(answer: Attempt['answer']): boolean {
  return answer === 'outcome_unknown' || answer === 'connection_lost' || answer === 'no_answer';
}

/** Everything that an answer says has happened is in the log at its revision. */
function truthOf(world: World, told: Told, log: readonly ChangeRow[]): string[] {
  const { outcome, revision } = told.answer;
  if (isLost(world, told)) return [];
  const changes = log[revision - 1]?.changes ?? [];
  if (outcome.kind === 'extended') {
    const { hold_id, until_ms } = outcome.hold;
    return changes.some((one) => isExtension(one, hold_id, until_ms))
      ? []
      : ['an extension that the log does not have'];
  }
  if (outcome.kind === 'reduced' && outcome.released > 0) {
    const { hold_id, quantity } = outcome.hold;
    const isThere = changes.some((one) => isReduction(one, hold_id, quantity));
    return isThere ? [] : ['a reduction that the log does not have'];
  }
  if (outcome.kind === 'released') {
    const ended = changes.flatMap((change) => (change.kind === 'ended' ? change.holds : []));
    const wanted = outcome.holds.filter((one) => one.outcome === 'released');
    const missing = wanted.filter(({ hold_id }) => !ended.includes(hold_id));
    return missing.length === 0 ? [] : ['a release that the log does not have'];
  }
  if (outcome.kind === 'sold') {
    const isThere = changes.some(
      (one) => one.kind === 'sold' && one.checkout_id === outcome.checkout_id,
    );
    return isThere ? [] : ['a sale that the log does not have'];
  }
  return [];
}

function isExtension(change: Change, holdId: string, until_ms: number): boolean {
  if (change.kind !== 'extended') return false;
  return change.holds.some(([id, until]) => id === holdId && until === until_ms);
}

function isReduction(change: Change, holdId: string, quantity: number): boolean {
  if (change.kind !== 'reduced') return false;
  return change.holds.some(([id, left]) => id === holdId && left === quantity);
}

/** Nobody is refused because of a hold whose time is over. */
function staleRefusals(world: World, { answer, attempt }: Told): string[] {
  const { outcome, at_ms } = answer;
  if (outcome.kind !== 'refused') return [];
  const jumps = world.schedule.faults.some(({ kind }) => kind === 'database clock is set');
  const invoked_ms = START_MS + attempt.invoked_ms;
  return outcome.items.flatMap(({ until_ms, code }) => {
    if (until_ms === undefined || code !== 'seat_held_by_another_user') return [];
    if (until_ms <= at_ms) return ['refused because of a hold that was over'];
    const isLong = !jumps && until_ms + SHOWN_MS < invoked_ms;
    return isLong ? [`refused ${invoked_ms - until_ms} ms after the hold was over`] : [];
  });
}

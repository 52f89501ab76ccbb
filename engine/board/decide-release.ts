import { holdTimes } from '#policies';
import { type Hold, isCounterHold } from './board-state.ts';
import {
  type ExtendCommand,
  type Facts,
  type LengthenCommand,
  type LengthenedOutcome,
  type Outcome,
  type ReleaseCommand,
  type ReleaseWord,
  refused,
} from './commands.ts';
import type { Draft } from './draft.ts';
import { placeOfHold } from './hold-place.ts';
import { endHolds, isPaying } from './leave-checkout.ts';
import { TASK_PIECE } from './tasks.ts';

/** By a fixed time, and never beyond the cap that counts from the hold's first moment. */
export function decideExtend(draft: Draft, command: ExtendCommand, facts: Facts): Outcome {
  const hold = draft.holdOf(command.hold_id);
  if (!hold || hold.user_id !== command.user_id) return refused('hold_not_found');
  if (hold.until_ms <= facts.now_ms) return refused('hold_expired');
  const times = holdTimes(draft.config.policy, facts.demoHoldSeconds ?? undefined);
  const cap_ms = hold.created_ms + times.most_seconds * 1_000;
  const until_ms = Math.min(hold.until_ms + times.extension_seconds * 1_000, cap_ms);
  if (until_ms <= hold.until_ms) return refused('extension_limit_reached');
  draft.record({ kind: 'extended', holds: [[hold.hold_id, until_ms]] });
  return { kind: 'extended', hold: { ...hold, until_ms }, place: placeOfHold(draft, hold) };
}

/** Holds for callers alone: how long a buyer in the shop has is for the policy to say. */
export function decideLengthen(draft: Draft, command: LengthenCommand, facts: Facts): Outcome {
  const until_ms = facts.now_ms + command.seconds * 1_000;
  const longer: [hold_id: string, until_ms: number][] = [];
  const holds = [...new Set(command.hold_ids)].map(
    (hold_id): LengthenedOutcome['holds'][number] => {
      const hold = draft.holdOf(hold_id);
      if (!hold) return { hold_id, outcome: 'not_active', until_ms: null };
      if (!isCounterHold(hold)) return { hold_id, outcome: 'shop_hold', until_ms: hold.until_ms };
      if (hold.until_ms >= until_ms)
        return { hold_id, outcome: 'unchanged', until_ms: hold.until_ms };
      longer.push([hold_id, until_ms]);
      return { hold_id, outcome: 'extended', until_ms };
    },
  );
  if (longer.length > 0) draft.record({ kind: 'extended', holds: longer });
  return { kind: 'lengthened', holds };
}

/**
 * Ends holds for a reason. A hold that has ended before is no mistake: the outcome says so for
 * each. What is more than one flush may change becomes a task.
 */
export function decideRelease(
  draft: Draft,
  command: ReleaseCommand,
  facts: Facts,
  all: () => Iterable<Hold>,
): Outcome {
  const wanted = which(draft, command, all);
  const { owner } = command;
  const outcomes = wanted.map(({ hold_id, hold }) => {
    const own = hold && (owner === null || hold.user_id === owner) ? hold : null;
    const paying = own !== null && !command.force && isPaying(draft, own);
    const found = paying ? null : own;
    const outcome = paying ? 'payment_in_progress' : wordFor(hold, found);
    // Staff end thousands at once and are told their ids; whoever had them sees what they were.
    const told = owner === null ? null : own;
    const place = told && placeOfHold(draft, told);
    return { hold_id, outcome, hold: told, place, found };
  });
  const holds = outcomes.flatMap(({ found }) => found ?? []);
  const ids = holds.map(({ hold_id }) => hold_id);
  const { reason, actor, note } = command;
  const now = ids.slice(0, TASK_PIECE);
  endHolds(draft, now, reason, note);
  if (ids.length > now.length) {
    const task_id = facts.newId();
    const task = { task_id, what: 'release', reason: note, actor } as const;
    const force = command.force ?? false;
    const rest = { holds: ids.slice(now.length), end_reason: reason, force };
    draft.record({ kind: 'task', task: { ...task, ...rest } });
  }
  const seats = holds.reduce((sum, { quantity }) => sum + quantity, 0);
  return { kind: 'released', holds: outcomes.map(({ found: _, ...told }) => told), seats };
}

function wordFor(hold: Hold | undefined, found: Hold | null): ReleaseWord {
  if (found) return 'released';
  return hold ? 'not_found' : 'not_active';
}

function which(
  draft: Draft,
  { which: asked }: ReleaseCommand,
  all: () => Iterable<Hold>,
): { hold_id: string; hold: Hold | undefined }[] {
  if (asked === 'all') return [...draft.holds(all())].map(known);
  if ('user_id' in asked) return draft.holdsOfUser(asked.user_id).map(known);
  const ids = [...new Set(asked.hold_ids)];
  return ids.map((hold_id) => ({ hold_id, hold: draft.holdOf(hold_id) }));
}

function known(hold: Hold) {
  return { hold_id: hold.hold_id, hold };
}

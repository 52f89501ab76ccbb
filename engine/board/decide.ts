import { afterStep } from '#events';
import type { Hold } from './board-state.ts';
import {
  type ChangeConfigCommand,
  type Command,
  type Facts,
  type Outcome,
  refused,
} from './commands.ts';
import { settleCompanions } from './companion-release.ts';
import { decideBlock } from './decide-block.ts';
import { decideCancelCheckout, decideStartCheckout } from './decide-checkout.ts';
import { decideHold } from './decide-hold.ts';
import { decideBeginPayment, decideMessage } from './decide-payment.ts';
import { decideReduce } from './decide-reduce.ts';
import { decideExtend, decideLengthen, decideRelease } from './decide-release.ts';
import { decideEndTicket, decideOwe, decideReseat, decideSell } from './decide-ticket.ts';
import type { Draft } from './draft.ts';

/**
 * Decides one command on a draft, which has recorded the changes when the outcome is not a refusal.
 * Pure: the same board, command and facts give the same outcome.
 */
export function decide(
  draft: Draft,
  command: Command,
  facts: Facts,
  /** Every live hold of the board below, for a release of all. */
  all: () => Iterable<Hold>,
): Outcome {
  if (isOutdated(draft, command, facts)) return { kind: 'again' };
  const outcome = decideCommand(draft, command, facts, all);
  if (draft.changes.length > 0) settleCompanions(draft);
  return outcome;
}

/** Tickets that this flush has made for the user are not among those that were read. */
function isOutdated(draft: Draft, command: Command, { owned }: Facts): boolean {
  const asks = command.kind === 'hold' || command.kind === 'start_checkout';
  return asks && draft.isTouched(command.user_id) && owned.has(command.user_id);
}

function decideCommand(
  draft: Draft,
  command: Command,
  facts: Facts,
  all: () => Iterable<Hold>,
): Outcome {
  switch (command.kind) {
    case 'hold':
      return decideHold(draft, command, facts);
    case 'extend':
      return decideExtend(draft, command, facts);
    case 'lengthen':
      return decideLengthen(draft, command, facts);
    case 'reduce':
      return decideReduce(draft, command, facts);
    case 'release':
      return decideRelease(draft, command, facts, all);
    case 'sweep':
      return { kind: 'swept' };
    case 'block':
    case 'unblock':
      return decideBlock(draft, command, facts);
    case 'change_event_state':
      return decideStep(draft, command, facts);
    case 'change_config':
      return decideConfig(draft, command);
    case 'start_checkout':
      return decideStartCheckout(draft, command, facts);
    case 'begin_payment':
      return decideBeginPayment(draft, command, facts);
    case 'cancel_checkout':
      return decideCancelCheckout(draft, command, facts);
    case 'payment_message':
      return decideMessage(draft, command, facts);
    case 'sell':
      return decideSell(draft, command, facts);
    case 'end_ticket':
      return decideEndTicket(draft, command, facts);
    case 'reseat':
      return decideReseat(draft, command, facts);
    case 'owe_tickets':
      return decideOwe(draft, command, facts);
  }
}

function decideStep(
  draft: Draft,
  { step, reason }: Command & { kind: 'change_event_state' },
  { now_ms }: Facts,
): Outcome {
  const { event } = draft.config;
  const to = afterStep(event.status, step);
  if (to === null) return refused('wrong_state', [], { status: event.status });
  if (step === 'publish' && !event.rescheduled) {
    return refused('wrong_state', [], { status: event.status, missing: 'starts_at' });
  }
  if (step === 'publish' && event.ends_ms <= now_ms) {
    return refused('wrong_state', [], { status: event.status, missing: 'ends_at' });
  }
  const rescheduled = to === 'postponed' ? false : event.rescheduled;
  draft.record({ kind: 'event', event: { ...event, status: to, rescheduled }, reason });
  return { kind: 'event_changed', from: event.status, to };
}

function decideConfig(draft: Draft, command: ChangeConfigCommand): Outcome {
  const { version } = draft.config;
  if (command.expected !== null && command.expected !== version) {
    return refused('changed_meanwhile', [], { version });
  }
  draft.record({ kind: 'config', ...command.changes });
  return { kind: 'config_changed', version: draft.config.version };
}

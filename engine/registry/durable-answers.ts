import type { Decided } from './flush.ts';
import type { Flush } from './ports.ts';
import type { Answer, QueuedWish } from './wish.ts';

/**
 * Which answers say that something is stored. A row that is visible on the primary may not be on
 * the synchronous standby: Postgres shows a commit that was still waiting for the standby when its
 * backend was terminated or the server has crashed and recovered. An answer that rests on such a
 * row is given after a commit of this node's own, which waits for the standby and for all WAL
 * before it.
 */

/** A flush whose answer to COMMIT was lost. */
export type Unsettled = Readonly<{ flush: Flush; answers: Decided['answers'] }>;

/** Its row is in the log: what its submissions are answered once that is durable. */
export function foundAgain({ flush, answers }: Unsettled, batch: readonly QueuedWish[]): Decided {
  const left = batch.filter((one) => !answers.has(one));
  return { base: flush.row.revision, flush: null, keeping: null, answers, broken: new Map(), left };
}

/** Those of a flush without a write that would be wrong if a failover lost the rows. */
export function restingOnRows(answers: Decided['answers']): QueuedWish[] {
  return [...answers].flatMap(([one, answer]) => (restsOnRows(one, answer) ? [one] : []));
}

/**
 * Everything that says yes: a replayed key, a hold or checkout that is there already, a payment
 * message that was recorded, a release that finds nothing left. A refusal promises nothing, except
 * that a buyer reads "paid", and that a provider never sends a refused message again.
 */
function restsOnRows({ wish }: QueuedWish, answer: Answer): boolean {
  if (answer.kind !== 'done') return answer.kind === 'key_reused';
  const { outcome } = answer;
  if (outcome.kind === 'swept') return false;
  if (outcome.kind !== 'refused') return true;
  return wish.command.kind === 'payment_message' || outcome.code === 'ticket_already_paid';
}

import type { Answer } from '@voelgoed/engine/registry';
import type { World } from './world.ts';

type Outcome = (Answer & { kind: 'done' })['outcome'];

/**
 * What was acknowledged is there at the end, also after a failover to the synchronous standby, and
 * also where the answer has changed nothing: repeated holds, releases that found nothing left,
 * checkouts that were there already, messages that were heard. What the answer itself has made is
 * compared with the log elsewhere.
 */
export function durabilityProblems(world: World): string[] {
  const { database, provider, ops } = world;
  if (database.lost.some(({ excused }) => excused)) return [];
  const told = ops.flatMap(({ id, attempts }) =>
    attempts.flatMap(({ answer }) => {
      if (!answer || typeof answer === 'string' || answer.kind !== 'done') return [];
      return missing(world, answer.outcome).map((what) => `acknowledged and lost: ${what} (${id})`);
    }),
  );
  const { messages } = database.event.sales;
  const unknown = provider.heard.filter(({ message_id }) => !messages.has(`bank ${message_id}`));
  const lost = unknown.map(({ message_id }) => `acknowledged and lost: ${message_id}`);
  return [...told, ...lost];
}

function missing({ database }: World, outcome: Outcome): string[] {
  const { holds, sales } = database.event;
  switch (outcome.kind) {
    case 'held':
      return outcome.holds.flatMap(({ hold_id }) => (holds.has(hold_id) ? [] : `hold ${hold_id}`));
    case 'released':
      // Whatever has ended stays so.
      return outcome.holds.flatMap(({ hold_id, outcome: word }) => {
        const isBack = word === 'not_active' && holds.get(hold_id)?.status === 'active';
        return isBack ? `the end of ${hold_id}` : [];
      });
    case 'checkout': {
      const { checkout_id } = outcome.checkout;
      return sales.checkouts.has(checkout_id) ? [] : [`checkout ${checkout_id}`];
    }
    case 'checkout_cancelled': {
      const { checkout_id } = outcome;
      const { status } = sales.checkouts.get(checkout_id) ?? {};
      return status === 'cancelled' ? [] : [`the end of checkout ${checkout_id}`];
    }
    default:
      return [];
  }
}

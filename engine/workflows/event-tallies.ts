import { type TallyRow, tallyBoards } from '#registry';
import type { Scope } from '#scope';
import type { Engine } from './change.ts';

/** How full every event of an organization is, as Postgres counts; for operators. */
export function eventTallies(engine: Engine, scope: Scope): Promise<TallyRow[]> {
  return engine.postgres.ask(scope, tallyBoards(scope.organizationId), { pool: 'jobs' });
}

/** A flush ends so many holds at most, and whoever asks may have more. */
const MOST_ROUNDS = 1_000;
const FLUSH_MS = 10_000;

/**
 * Ends at once what is due in an event, as the sweep would within a second. Nothing is taken away
 * from anybody: a hold whose time is over could be taken over already. Answers how many are left.
 */
export async function expireNow(engine: Engine, scope: Scope, eventId: string): Promise<number> {
  let before = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const tallies = await eventTallies(engine, scope);
    const due = tallies.find((row) => row.event_id === eventId)?.due_holds ?? 0;
    // What does not become less is not ours to end: somebody is paying for it.
    if (due === 0 || due >= before) return due;
    before = due;
    await engine.registry.sweep({ scope, eventId }, engine.clock.monotonic() + FLUSH_MS);
  }
  return before;
}

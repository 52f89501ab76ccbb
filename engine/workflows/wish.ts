import type { Command, Outcome } from '#board';
import { forgetOldest, isOperatingError, OperatingError, uuidv7 } from '#kit';
import type { Statement } from '#postgres';
import type { Answer, EventRef } from '#registry';
import type { Caller, Engine } from './change.ts';

/** When nobody has said how long they wait. */
const DEADLINE_MS = 3_000;
/**
 * Addresses and browsers of the last while: a row for each visit, not for each click. As many as
 * buy at once on a node; 300 bytes each.
 */
const MOST_CONTEXTS = 50_000;
const contexts = new Map<string, string>();

/** Wishes something of an event on sale, as this caller. */
export function wishFor(
  engine: Engine,
  caller: Caller,
  eventId: string,
  command: Command,
  also?: (outcome: Outcome) => readonly Statement<unknown>[],
): Promise<Answer> {
  const event: EventRef = { scope: caller.scope, eventId };
  return engine.registry.submit(event, {
    command,
    actor: caller.actor,
    context: contextOf(engine, caller),
    key: caller.idempotency,
    deadline_ms: caller.deadline_ms ?? engine.clock.monotonic() + DEADLINE_MS,
    signal: caller.signal,
    // Whether it sells again is known under the lock alone.
    exact: caller.suspended,
    ...(also ? { also } : {}),
  });
}

/**
 * Reads what an answer needs when the wish is done already. Whatever fails from here on, nobody may
 * hear that nothing was changed: asked again with the same key, the answer is there.
 */
export async function readAfterwards<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (cause) {
    if (!isOperatingError(cause)) throw cause;
    const message = 'it was done, and what came of it could not be read';
    throw new OperatingError('outcome_unknown', message, { retryable: true, cause });
  }
}

/** Where somebody called from is kept apart from the trail, because it can be erased. */
function contextOf(engine: Engine, { scope, actor, ip, userAgent }: Caller) {
  if (ip === null && userAgent === null) return null;
  // The agent comes last: whatever it says, the others are told apart.
  const name = `${scope.organizationId} ${actor.kind} ${actor.id} ${ip} ${userAgent}`;
  let id = contexts.get(name);
  if (id === undefined) {
    id = uuidv7(engine);
    contexts.set(name, id);
    forgetOldest(contexts, MOST_CONTEXTS);
  }
  return { id, userId: actor.kind === 'user' ? actor.id : null, ip, userAgent };
}

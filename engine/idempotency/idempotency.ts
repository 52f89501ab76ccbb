/**
 * Idempotency: a wish that carries a key is done once; asked again, it gets the first answer. The
 * answer is stored in the same commit as the change itself. It knows keys and answers, not what
 * they are about. Workflows call it for what belongs to no event; the registry does so for events.
 */
import { createHash } from 'node:crypto';
import { canonicalJson, NIL_ID } from '#kit';
import type { Transaction } from '#postgres';
import type { Scope } from '#scope';
import {
  dropOldKeys,
  findKey,
  findUses,
  insertKey,
  lockKey,
  writeRecord,
} from './idempotency.sql.ts';

export { forgetAnswers, writeRecord } from './idempotency.sql.ts';

/** A wish's key: whose, on which route, and with which body. */
export type IdempotencyKey = Readonly<{
  userId: string;
  route: string;
  key: string;
  bodyHash: Buffer;
}>;

export type Earlier =
  | { kind: 'new' }
  | { kind: 'done'; answer: unknown }
  /** The key was used for another body: a mistake of the caller. */
  | { kind: 'reused' };

/** What a wish is told by: where it went and what it carried. A text is taken as it is. */
export function hashBody(place: unknown, body: unknown): Buffer {
  const hash = createHash('sha256').update(canonicalJson(place)).update('\n');
  return hash.update(typeof body === 'string' ? body : canonicalJson(body ?? null)).digest();
}

export async function findEarlier(
  transaction: Transaction,
  scope: Scope,
  wish: IdempotencyKey,
): Promise<Earlier> {
  const { organizationId } = scope;
  await transaction.query(lockKey([organizationId, wish.userId, wish.route, wish.key].join(' ')));
  const [row] = await transaction.query(
    findKey(organizationId, NIL_ID, wish.userId, wish.route, wish.key),
  );
  if (!row) return { kind: 'new' };
  // An answer that rests on a row we did not write is durable only with a commit that waits.
  await transaction.query(writeRecord());
  return row.body_hash.equals(wish.bodyHash)
    ? { kind: 'done', answer: row.answer }
    : { kind: 'reused' };
}

/** Was this key used for something that was done to an event? Another body counts too. */
export async function isKnownKey(
  transaction: Transaction,
  { organizationId }: Scope,
  eventId: string,
  { userId, route, key }: IdempotencyKey,
): Promise<boolean> {
  const rows = await transaction.query(findKey(organizationId, eventId, userId, route, key));
  return rows.length > 0;
}

/** For a wish that is carried out event by event: those where it was, or that it is another. */
export async function eventsOfKey(
  transaction: Transaction,
  { organizationId }: Scope,
  { userId, route, key, bodyHash }: IdempotencyKey,
): Promise<{ kind: 'events'; eventIds: string[] } | { kind: 'reused' }> {
  const uses = await transaction.query(findUses(organizationId, userId, route, key));
  if (uses.some(({ body_hash }) => !body_hash.equals(bodyHash))) return { kind: 'reused' };
  return { kind: 'events', eventIds: uses.map(({ event_id }) => event_id) };
}

export async function keepAnswer(
  transaction: Transaction,
  scope: Scope,
  wish: IdempotencyKey,
  answer: unknown,
): Promise<void> {
  const { userId, route, key, bodyHash } = wish;
  await transaction.query(dropOldKeys(scope.organizationId));
  await transaction.query(
    insertKey(scope.organizationId, NIL_ID, userId, route, key, bodyHash, JSON.stringify(answer)),
  );
}

/**
 * Idempotency: a wish that carries a key is done once; asked again, it gets the first answer. The
 * answer is stored in the same commit as the change itself. It knows keys and answers, not what
 * they are about. Workflows call it for what belongs to no event; the registry does so for events.
 */
import { createHash } from 'node:crypto';
import type { Transaction } from '#postgres';
import type { Scope } from '#scope';
import { findKey, insertKey, lockKey } from './idempotency.sql.ts';

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

/** The event of wishes that belong to none. */
const NO_EVENT = '00000000-0000-0000-0000-000000000000';

export function hashBody(body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(body ?? null))
    .digest();
}

export async function findEarlier(
  transaction: Transaction,
  scope: Scope,
  wish: IdempotencyKey,
): Promise<Earlier> {
  const { organizationId } = scope;
  await transaction.query(lockKey([organizationId, wish.userId, wish.route, wish.key].join(' ')));
  const [row] = await transaction.query(
    findKey(organizationId, NO_EVENT, wish.userId, wish.route, wish.key),
  );
  if (!row) return { kind: 'new' };
  return row.body_hash.equals(wish.bodyHash)
    ? { kind: 'done', answer: row.answer }
    : { kind: 'reused' };
}

export async function keepAnswer(
  transaction: Transaction,
  scope: Scope,
  wish: IdempotencyKey,
  answer: unknown,
): Promise<void> {
  const { userId, route, key, bodyHash } = wish;
  await transaction.query(
    insertKey(scope.organizationId, NO_EVENT, userId, route, key, bodyHash, JSON.stringify(answer)),
  );
}

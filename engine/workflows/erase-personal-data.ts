import { eraseContext, eraseRefusals, eraseUser } from '#accounts';
import { forgetAnswers } from '#idempotency';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';

/**
 * Forgets what is personal about a user: names, address, where they called from. The opaque id
 * stays, and with it holds, tickets and the audit chain, which never contained anything else.
 */
export function erasePersonalData(
  engine: Engine,
  caller: Caller,
  userId: string,
): Promise<Done<{ user_id: string; contexts_erased: number }> | { kind: 'not_found' } | KeyReused> {
  const { organizationId } = caller.scope;
  return change(engine, caller, 'personal_data.erase', async (transaction) => {
    const [erased] = await transaction.query(eraseUser(organizationId, userId));
    if (!erased) return { kind: 'not_found' as const };
    await transaction.query(forgetAnswers(organizationId, userId));
    await transaction.query(eraseRefusals(organizationId, userId));
    const contexts = await transaction.query(eraseContext(organizationId, userId));
    const answer = { user_id: userId, contexts_erased: contexts.length };
    const entry = {
      action: 'personal_data_erased',
      entityType: 'user',
      entityId: userId,
      changes: { contexts_erased: contexts.length },
    } as const;
    return changed(answer, [entry]);
  });
}

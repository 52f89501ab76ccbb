import {
  countOwners,
  describeUser,
  findMember,
  judgeMemberChange,
  listMembers,
  lockMembers,
  type MemberRefusal,
  type MemberRow,
  type MembershipStatus,
  putMember,
  type Role,
  userIdOf,
} from '#accounts';
import type { AuditAction } from '#audit';
import { assert, NIL_ID } from '#kit';
import type { Transaction } from '#postgres';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';

export type NewMember = Readonly<{
  /** The `sub` of the tokens that this person will come with. */
  subject: string;
  email: string | null;
  name: string | null;
  role: Role;
  tier: string | null;
  validUntil: string | null;
}>;

export type MemberChange = Readonly<{
  role?: Role;
  tier?: string | null;
  status?: MembershipStatus;
  validUntil?: string | null;
}>;

type Outcome = Done<MemberRow> | MemberRefusal | { kind: 'not_found' } | KeyReused;

export function listAllMembers(
  engine: Engine,
  caller: Caller,
  page: { after?: string | undefined; limit: number },
): Promise<MemberRow[]> {
  const { scope } = caller;
  return engine.postgres.ask(
    scope,
    listMembers(scope.organizationId, page.after ?? NIL_ID, page.limit),
  );
}

/** Adding somebody who is a member already sets the membership to what is wanted. */
export function addMember(engine: Engine, caller: Caller, wanted: NewMember): Promise<Outcome> {
  const { organizationId } = caller.scope;
  const userId = userIdOf(organizationId, wanted.subject);
  return change(engine, caller, 'member.add', async (transaction) => {
    const { subject, email, name, role, tier, validUntil } = wanted;
    const before = await lockedMember(transaction, caller, userId);
    const put = { userId, role, tier, status: 'active' as const, validUntil };
    const refusal = await judge(transaction, caller, before, put);
    if (refusal) return refusal;
    await transaction.query(describeUser(organizationId, userId, subject, email, name));
    return write(transaction, caller, put, 'member_added');
  });
}

export function changeMember(
  engine: Engine,
  caller: Caller,
  userId: string,
  wanted: MemberChange,
): Promise<Outcome> {
  return change(engine, caller, 'member.change', async (transaction) => {
    const before = await lockedMember(transaction, caller, userId);
    if (!before) return { kind: 'not_found' as const };
    const put = {
      userId,
      role: wanted.role ?? before.role,
      tier: wanted.tier === undefined ? before.tier : wanted.tier,
      status: wanted.status ?? before.stored_status,
      validUntil: wanted.validUntil === undefined ? before.valid_until : wanted.validUntil,
    };
    const refusal = await judge(transaction, caller, before, put);
    if (refusal) return refusal;
    return write(transaction, caller, put, 'member_changed');
  });
}

/** The row stays: a former member is a customer, and the trail names them. */
export function revokeMember(engine: Engine, caller: Caller, userId: string): Promise<Outcome> {
  return changeMember(engine, caller, userId, { status: 'revoked' });
}

type Put = Readonly<{
  userId: string;
  role: Role;
  tier: string | null;
  status: MembershipStatus;
  validUntil: string | null;
}>;

/** One change of members at a time: what is read here stays true until the commit. */
async function lockedMember(
  transaction: Transaction,
  caller: Caller,
  userId: string,
): Promise<MemberRow | null> {
  const { organizationId } = caller.scope;
  await transaction.query(lockMembers(organizationId));
  const [member] = await transaction.query(findMember(organizationId, userId));
  return member ?? null;
}

async function judge(
  transaction: Transaction,
  caller: Caller,
  before: MemberRow | null,
  to: Put,
): Promise<MemberRefusal | null> {
  const [count] = await transaction.query(countOwners(caller.scope.organizationId));
  const from = before && {
    role: before.role,
    status: before.stored_status,
    validUntil: before.valid_until,
  };
  return judgeMemberChange({ by: caller.role, from, to, owners: count?.owners ?? 0 });
}

async function write(transaction: Transaction, caller: Caller, put: Put, action: AuditAction) {
  const { organizationId } = caller.scope;
  const { userId, role, tier, status, validUntil } = put;
  await transaction.query(putMember(organizationId, userId, role, tier, status, validUntil));
  const [answer] = await transaction.query(findMember(organizationId, userId));
  assert(answer, 'a member that was just written is there');
  const changes = { role, tier, status, valid_until: validUntil };
  const entry = { action, entityType: 'user', entityId: userId, changes } as const;
  return changed(answer, [entry]);
}

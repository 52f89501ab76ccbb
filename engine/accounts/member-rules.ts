import type { MembershipStatus } from './members.sql.ts';
import { mayGrant, type Role } from './roles.ts';

export type MemberState = Readonly<{
  role: Role;
  status: MembershipStatus;
  validUntil: string | null;
}>;

export type MemberRefusal =
  /** Nobody hands out, or takes away, a role above their own. */
  | { kind: 'not_allowed' }
  /** An organization without an owner could never be administered again. */
  | { kind: 'last_owner' };

/**
 * May a caller with this role turn a member from one state into another? An API key acts with the
 * role that its scopes are worth, decided by the caller of this rule.
 */
export function judgeMemberChange(change: {
  by: Role;
  from: MemberState | null;
  to: MemberState;
  /** Active owners without an end of validity, the member included. */
  owners: number;
}): MemberRefusal | null {
  const { by, from, to, owners } = change;
  const touched = from ? [from.role, to.role] : [to.role];
  if (!touched.every((role) => mayGrant(by, role))) return { kind: 'not_allowed' };
  const leaves = from !== null && isOwnerForGood(from) && !isOwnerForGood(to);
  return leaves && owners <= 1 ? { kind: 'last_owner' } : null;
}

function isOwnerForGood({ role, status, validUntil }: MemberState): boolean {
  return role === 'owner' && status === 'active' && validUntil === null;
}

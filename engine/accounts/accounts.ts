/**
 * Accounts: organizations (the tenants), their users, members, API keys and token issuers. It
 * knows who somebody is and what they may; it knows nothing of seats and nothing of HTTP.
 * Workflows change accounts through it, the server asks it who is calling.
 */
import type { Postgres } from '#postgres';
import { type Scope, scopeOf } from '#scope';
import { lookupOrganization } from './organizations.sql.ts';

export {
  countIssuers,
  deleteIssuer,
  type IssuerRow,
  insertIssuer,
  listIssuers,
} from './issuers.sql.ts';
export {
  endKey,
  findKey,
  findSuccessor,
  insertKey,
  insertSuccessor,
  type KeyRow,
  listKeys,
  revokeKey,
} from './keys.sql.ts';
export {
  type KeyStanding,
  makeKey,
  type NewKey,
  recordKeyUse,
  splitKey,
  standingOfKey,
} from './keys.ts';
export { judgeMemberChange, type MemberRefusal } from './member-rules.ts';
export {
  countOwners,
  findMember,
  listMembers,
  listStandings,
  lockMembers,
  type MemberRow,
  type MembershipStatus,
  putMember,
} from './members.sql.ts';
export { mayBecome, type OrganizationStatus } from './organization.ts';
export {
  findOrganization,
  insertOrganization,
  lookupOrganization,
  lookupOrganizations,
  type OrganizationRow,
  setOrganizationStatus,
} from './organizations.sql.ts';
export {
  type AccessScope,
  effectiveRole,
  isAccessScope,
  isRole,
  lowerRole,
  type Membership,
  ROLES,
  type Role,
  roleOfKey,
  SCOPES,
  scopesOf,
  scopesOfKey,
} from './roles.ts';
export {
  type ActorRow,
  actorsCalled,
  describeUser,
  eraseContext,
  eraseRefusals,
  eraseUser,
  namesOfActors,
  namesOfUsers,
} from './users.sql.ts';
export { Admission, type Standing, userIdOf } from './users.ts';

/** Turns a public handle into a scope, which is all that a request without a credential has. */
export async function scopeOfSlug(postgres: Postgres, slug: string): Promise<Scope | null> {
  const [row] = await postgres.ask(null, lookupOrganization(slug));
  return row ? scopeOf(row.organization_id) : null;
}

import { statement } from '#postgres';
import type { Role } from './roles.ts';

export type MembershipStatus = 'active' | 'revoked' | 'expired';

export type MemberRow = {
  user_id: string;
  email: string | null;
  name: string | null;
  role: Role;
  tier: string | null;
  status: MembershipStatus;
  /** As it was set; `status` also knows that a membership is over. */
  stored_status: MembershipStatus;
  valid_until: string | null;
  created_at: string;
};

const COLUMNS = `m.user_id, u.email, u.name, m.role, m.tier, m.valid_until, m.created_at,
     case when m.status = 'active' and m.valid_until <= now() then 'expired' else m.status end
       as status, m.status as stored_status`;
const JOIN = `from memberships m
     join users u on u.organization_id = m.organization_id and u.user_id = m.user_id`;

export const listMembers = statement<
  MemberRow,
  [organizationId: string, after: string, most: number]
>(
  'members.list',
  `select ${COLUMNS} ${JOIN}
   where m.organization_id = $1 and m.user_id > $2 order by m.user_id limit $3`,
);

export const findMember = statement<MemberRow, [organizationId: string, userId: string]>(
  'members.find',
  `select ${COLUMNS} ${JOIN} where m.organization_id = $1 and m.user_id = $2`,
);

/** How some users stand at this moment; who is no member is not among them. */
export const listStandings = statement<
  { user_id: string; role: Role; tier: string | null; active: boolean },
  [organizationId: string, userIds: readonly string[]]
>(
  'members.standings',
  `select user_id, role, tier, status = 'active'
     and (valid_until is null or valid_until > clock_timestamp()) as active
   from memberships where organization_id = $1 and user_id = any ($2)`,
);

/**
 * Keeps the owners still while somebody's role changes. A statement of its own: one that waits for
 * a lock goes on with the snapshot it had before, and would count owners who have left meanwhile.
 */
export const lockMembers = statement<object, [organizationId: string]>(
  'members.lock',
  `select from organizations where organization_id = $1 for no key update`,
);

/** Owners for good: one whose time ends will leave the organization without anybody. */
export const countOwners = statement<{ owners: number }, [organizationId: string]>(
  'members.count_owners',
  `select count(*) as owners from memberships
   where organization_id = $1 and role = 'owner' and status = 'active' and valid_until is null`,
);

export const putMember = statement<
  object,
  [
    organizationId: string,
    userId: string,
    role: Role,
    tier: string | null,
    status: MembershipStatus,
    validUntil: string | null,
  ]
>(
  'members.put',
  `insert into memberships (organization_id, user_id, role, tier, status, valid_until)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (organization_id, user_id) do update
   set role = excluded.role, tier = excluded.tier, status = excluded.status,
     valid_until = excluded.valid_until, changed_at = now()`,
);

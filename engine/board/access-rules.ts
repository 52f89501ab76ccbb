import { lowerRole, type Membership, type Role } from '#accounts';
import type { BoardZone } from './board-config.ts';
import type { Facts, HoldCommand } from './commands.ts';

/** Who wants in; staff who do it for a caller have judged it themselves. */
type Visitor = Pick<HoldCommand, 'user_id' | 'role' | 'made_by'>;

export type Access = 'granted' | 'denied' | 'needs_membership';

/** May this user take places in this zone? */
export function accessTo(zone: BoardZone, visitor: Visitor, facts: Facts): Access {
  if (zone.access_mode === 'public' || visitor.made_by !== null) return 'granted';
  if (zone.access_mode !== 'role_based') return personMay(zone, visitor.user_id, facts);
  const membership = facts.memberships.get(visitor.user_id);
  if (membership === undefined) return 'needs_membership';
  return zone.allowed_roles.includes(roleNow(visitor.role, membership)) ? 'granted' : 'denied';
}

/** May this person be in a zone for members or for named people? Who is named may be in both. */
export function personMay(zone: BoardZone, userId: string, facts: Facts): Access {
  if (zone.whitelist.includes(userId)) return 'granted';
  if (zone.access_mode === 'whitelist') return 'denied';
  const membership = facts.memberships.get(userId);
  if (membership === undefined) return 'needs_membership';
  const tier = membership?.active ? membership.tier : null;
  return tier !== null && tier === zone.membership_tier ? 'granted' : 'denied';
}

/** Who was a member and is not any more is a customer, whatever the token still says. */
function roleNow(claimed: Role, membership: Membership | null): Role {
  if (membership === null) return claimed;
  return membership.active ? lowerRole(claimed, membership.role) : 'customer';
}

import { lowerRole, type Membership, type Role } from '#accounts';
import type { BoardZone } from './board-config.ts';
import type { Facts, HoldCommand } from './commands.ts';

/** Who wants in; staff who do it for a caller have judged it themselves. */
type Visitor = Pick<HoldCommand, 'user_id' | 'role' | 'made_by'>;

export type Access = 'granted' | 'denied' | 'needs_membership';

/** May this user take places in this zone? */
export function accessTo(zone: BoardZone, visitor: Visitor, facts: Facts): Access {
  if (zone.access_mode === 'public' || visitor.made_by !== null) return 'granted';
  if (zone.access_mode === 'whitelist') {
    return zone.whitelist.includes(visitor.user_id) ? 'granted' : 'denied';
  }
  const membership = facts.memberships.get(visitor.user_id);
  if (membership === undefined) return 'needs_membership';
  if (zone.access_mode === 'membership_tier') {
    const tier = membership?.active ? membership.tier : null;
    return tier !== null && tier === zone.membership_tier ? 'granted' : 'denied';
  }
  return zone.allowed_roles.includes(roleNow(visitor.role, membership)) ? 'granted' : 'denied';
}

/** Who was a member and is not any more is a customer, whatever the token still says. */
function roleNow(claimed: Role, membership: Membership | null): Role {
  if (membership === null) return claimed;
  return membership.active ? lowerRole(claimed, membership.role) : 'customer';
}

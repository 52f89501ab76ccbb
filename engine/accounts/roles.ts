/**
 * From the most to the least. A role may everything that the roles below it may, but one: a viewer
 * looks at figures and does not scan, a scanner scans and sees no figures.
 */
export const ROLES = ['owner', 'admin', 'staff', 'viewer', 'scanner', 'customer'] as const;
export type Role = (typeof ROLES)[number];

/** What a credential is good for. API keys are given scopes; a role stands for a set of them. */
export const SCOPES = {
  buy: 'hold seats and pay for them, as oneself',
  'events:read': 'see events of every state',
  'events:write': 'plan and change events, open and end them',
  'events:publish': 'publish, cancel, postpone and archive events',
  'figures:read': 'see how a sale goes: places, sums and counts, never who',
  'holds:read': 'see who holds which seat',
  'holds:write': 'hold for a caller, and release holds of others',
  'seats:block': 'take seats out of the sale and put them back',
  'tickets:read': 'see tickets, checkouts and entries, and search for them',
  'tickets:write': 'sell at the door, void tickets and give them another seat',
  'tickets:scan': 'let people in and out',
  'refunds:read': 'see what is to be paid back',
  'refunds:write': 'refund tickets',
  'layouts:read': 'see venues, layouts and the seating policy',
  'layouts:write': 'make venues and draw layouts',
  'layouts:activate': 'turn layouts active and archive them',
  'policy:write': 'change the seating policy',
  'members:read': 'see the members of the organization',
  'members:write': 'add, change and revoke members',
  'keys:read': 'see the API keys, never their secrets',
  'keys:write': 'make, rotate and revoke API keys',
  'issuers:read': 'see who may sign tokens for the organization',
  'issuers:write': 'register and remove token issuers',
  'webhooks:read': 'see webhook endpoints and what was sent to them, never their secrets',
  'webhooks:write': 'make, change, test and replay webhook endpoints',
  'audit:read': 'read and verify the audit trail',
  'personal_data:erase': 'erase what is personal about a user',
} as const;
export type AccessScope = keyof typeof SCOPES;

const CUSTOMER: readonly AccessScope[] = ['buy'];
const SCANNER: readonly AccessScope[] = [...CUSTOMER, 'tickets:scan'];
const VIEWER: readonly AccessScope[] = [...CUSTOMER, 'layouts:read', 'events:read', 'figures:read'];
const STAFF: readonly AccessScope[] = [
  ...VIEWER,
  ...SCANNER,
  'members:read',
  'layouts:write',
  'events:write',
  'holds:read',
  'holds:write',
  'seats:block',
  'tickets:read',
  'tickets:write',
];
const ADMIN: readonly AccessScope[] = [
  ...STAFF,
  'layouts:activate',
  'events:publish',
  'members:write',
  'keys:read',
  'keys:write',
  'issuers:read',
  'webhooks:read',
  'webhooks:write',
  'audit:read',
  'personal_data:erase',
  'refunds:read',
];
const OWNER: readonly AccessScope[] = [...ADMIN, 'issuers:write', 'policy:write', 'refunds:write'];

const SCOPES_OF: Readonly<Record<Role, ReadonlySet<AccessScope>>> = {
  owner: new Set(OWNER),
  admin: new Set(ADMIN),
  staff: new Set(STAFF),
  viewer: new Set(VIEWER),
  scanner: new Set(SCANNER),
  customer: new Set(CUSTOMER),
};

export function scopesOf(role: Role): ReadonlySet<AccessScope> {
  return SCOPES_OF[role];
}

/** A scope that was split off another one: keys from before have it by the older one. */
const INCLUDED: Readonly<Partial<Record<AccessScope, AccessScope>>> = {
  'holds:read': 'figures:read',
};

/** What the stored scopes of an API key are good for; words of another version say nothing. */
export function scopesOfKey(stored: readonly string[]): ReadonlySet<AccessScope> {
  const scopes = stored.filter(isAccessScope);
  return new Set(scopes.flatMap((scope) => [scope, INCLUDED[scope] ?? scope]));
}

/**
 * What an API key counts as when it hands out roles: an owner if it may all that an owner may, else
 * an admin, who makes staff and what is below.
 */
export function roleOfKey(scopes: ReadonlySet<AccessScope>): Role {
  return scopesOf('owner').isSubsetOf(scopes) ? 'owner' : 'admin';
}

export function isRole(text: unknown): text is Role {
  return ROLES.some((role) => role === text);
}

export function isAccessScope(text: string): text is AccessScope {
  return Object.hasOwn(SCOPES, text);
}

/** What both of them may. A viewer and a scanner have only the customer in common. */
export function lowerRole(one: Role, other: Role): Role {
  const lower = ROLES.indexOf(one) > ROLES.indexOf(other) ? one : other;
  const higher = lower === one ? other : one;
  return scopesOf(lower).isSubsetOf(scopesOf(higher)) ? lower : 'customer';
}

/** Strictly above: an admin makes staff, but neither owners nor more than they are themselves. */
export function mayGrant(giver: Role, given: Role): boolean {
  return giver === 'owner' || ROLES.indexOf(given) > ROLES.indexOf(giver);
}

export type Membership = Readonly<{
  role: Role;
  tier: string | null;
  /** Not revoked, not expired, valid until later than now. */
  active: boolean;
}>;

/**
 * The role that counts: the lower of what the token says and what the membership allows. A token by
 * a registered issuer is worth admin at most, and nothing beyond customer without a membership; the
 * operator's own secret may sign any role. Who was a member and is not any more is a customer.
 */
export function effectiveRole(claim: {
  role: Role;
  signedBy: 'operator' | 'issuer';
  membership: Membership | null;
}): Role {
  const claimed = claim.signedBy === 'issuer' ? lowerRole(claim.role, 'admin') : claim.role;
  if (claim.membership === null) return claim.signedBy === 'operator' ? claimed : 'customer';
  return claim.membership.active ? lowerRole(claimed, claim.membership.role) : 'customer';
}

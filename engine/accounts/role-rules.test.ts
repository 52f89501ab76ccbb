import { describe, expect, it } from 'vitest';
import { judgeMemberChange } from './member-rules.ts';
import {
  effectiveRole,
  isAccessScope,
  isRole,
  lowerRole,
  type Membership,
  mayGrant,
  ROLES,
  type Role,
  roleOfKey,
  scopesOf,
  scopesOfKey,
} from './roles.ts';

describe('roles', () => {
  it('each may everything that the roles below it may, and something more', () => {
    const apart = new Set<Role>(['viewer', 'scanner']);
    for (const [index, role] of ROLES.entries()) {
      const below = ROLES[index + 1];
      if (below === undefined || (apart.has(role) && apart.has(below))) continue;
      expect(scopesOf(below).isSubsetOf(scopesOf(role)), role).toBe(true);
      expect(scopesOf(role).size, role).toBeGreaterThan(scopesOf(below).size);
    }
    expect([...scopesOf('customer')]).toEqual(['buy']);
    for (const role of apart) {
      expect(scopesOf('customer').isSubsetOf(scopesOf(role)), role).toBe(true);
      expect(scopesOf(role).isSubsetOf(scopesOf('staff')), role).toBe(true);
    }
  });

  it('a viewer sees figures, not who is behind them, and does not scan', () => {
    const viewer = scopesOf('viewer');
    expect(viewer.has('figures:read')).toBe(true);
    for (const scope of ['holds:read', 'tickets:read', 'tickets:scan'] as const) {
      expect(viewer.has(scope), scope).toBe(false);
    }
    expect([...scopesOf('scanner')]).toEqual(['buy', 'tickets:scan']);
  });

  it('are granted by those above them, and by owners', () => {
    const granted = (giver: Role) => ROLES.filter((role) => mayGrant(giver, role));
    expect(granted('owner')).toEqual(ROLES);
    expect(granted('admin')).toEqual(['staff', 'viewer', 'scanner', 'customer']);
    expect(granted('customer')).toEqual([]);
  });

  it('have a lower one of two, whichever comes first', () => {
    expect(lowerRole('owner', 'scanner')).toBe('scanner');
    expect(lowerRole('scanner', 'owner')).toBe('scanner');
    expect(lowerRole('staff', 'staff')).toBe('staff');
    // Neither may what the other may: what is left is what everybody may.
    expect(lowerRole('viewer', 'scanner')).toBe('customer');
    expect(lowerRole('scanner', 'viewer')).toBe('customer');
  });

  it('and scopes are told from other words', () => {
    expect([isRole('viewer'), isRole('Viewer'), isRole(null)]).toEqual([true, false, false]);
    expect([isAccessScope('buy'), isAccessScope('toString')]).toEqual([true, false]);
  });

  it('an API key counts as an owner only with every scope of one', () => {
    const owner = [...scopesOf('owner')];
    expect(roleOfKey(new Set(owner))).toBe('owner');
    expect(roleOfKey(new Set(owner.slice(1)))).toBe('admin');
  });

  it('a key from before a scope was split off keeps what it was good for', () => {
    expect([...scopesOfKey(['holds:read', 'a word of a newer release'])]).toEqual([
      'holds:read',
      'figures:read',
    ]);
    expect([...scopesOfKey(['events:read'])]).toEqual(['events:read']);
    const before = [...scopesOf('owner')].filter((scope) => scope !== 'figures:read');
    expect(roleOfKey(scopesOfKey(before))).toBe('owner');
  });
});

describe('the role that counts', () => {
  const member = (role: Role, active = true): Membership => ({ role, tier: null, active });

  it.each<[string, Role, 'operator' | 'issuer', Membership | null, Role]>([
    ['the operator may sign any role', 'owner', 'operator', null, 'owner'],
    ['an issuer signs customers where nobody is a member', 'admin', 'issuer', null, 'customer'],
    ['an issuer makes no owner', 'owner', 'issuer', member('owner'), 'admin'],
    ['a token is worth no more than the membership', 'owner', 'operator', member('staff'), 'staff'],
    ['a membership is worth no more than the token', 'viewer', 'issuer', member('admin'), 'viewer'],
    ['who was a member is a customer', 'owner', 'operator', member('owner', false), 'customer'],
  ])('%s', (_, role, signedBy, membership, expected) => {
    expect(effectiveRole({ role, signedBy, membership })).toBe(expected);
  });
});

describe('a change of a member', () => {
  const state = (role: Role, more: object = {}) =>
    ({ role, status: 'active', validUntil: null, ...more }) as const;
  const judge = (change: Partial<Parameters<typeof judgeMemberChange>[0]>) =>
    judgeMemberChange({
      ...{ by: 'owner', from: state('owner'), to: state('admin'), owners: 2 },
      ...change,
    })?.kind ?? null;

  it('needs a role above the old one and above the new one', () => {
    const by = 'admin' as const;
    expect(judge({ by, from: state('staff'), to: state('viewer') })).toBeNull();
    expect(judge({ by, from: null, to: state('staff') })).toBeNull();
    expect(judge({ by, from: null, to: state('admin') })).toBe('not_allowed');
    expect(judge({ by, from: state('admin'), to: state('viewer') })).toBe('not_allowed');
    expect(judge({ by, from: state('viewer'), to: state('owner') })).toBe('not_allowed');
  });

  it('leaves an organization at least one owner for good', () => {
    expect(judge({ owners: 2 })).toBeNull();
    expect(judge({ owners: 1 })).toBe('last_owner');
    const revoked = state('owner', { status: 'revoked' });
    const limited = state('owner', { validUntil: '2027-01-01T00:00:00Z' });
    for (const to of [revoked, limited]) expect(judge({ owners: 1, to })).toBe('last_owner');
    // Who was no owner for good takes none away.
    for (const from of [revoked, limited, state('staff'), null]) {
      expect(judge({ owners: 1, from })).toBeNull();
    }
    expect(judge({ owners: 1, to: state('owner') })).toBeNull();
  });
});

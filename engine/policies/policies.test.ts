import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changePolicy,
  DEFAULT_POLICY,
  effectivePolicy,
  holdRate,
  holdSeconds,
  holdsPerIp,
  holdsPerNetwork,
  holdsPerShare,
  holdTimes,
  LOCKED_FIELDS,
  POLICY_FIELD_NAMES,
  POLICY_FIELDS,
  type PolicyFieldName,
  type PolicyOutcome,
  permitsAccessMode,
  permitsCategory,
  permitsMix,
  permitsZoneType,
  permittedOverrides,
  readPolicy,
  type SeatingPolicy,
  ZONE_TYPES,
} from './policies.ts';

function accepted(outcome: PolicyOutcome): SeatingPolicy {
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.problems));
  return outcome.policy;
}

function codes(outcome: PolicyOutcome): Record<string, string> {
  if (outcome.kind === 'policy') return {};
  return Object.fromEntries(outcome.problems.map(({ path, code }) => [path, code]));
}

function policyWith(changes: Partial<SeatingPolicy>): SeatingPolicy {
  return accepted(changePolicy(DEFAULT_POLICY, changes, 'platform'));
}

describe('the fields', () => {
  it('have the defaults of the specification', () => {
    expect(DEFAULT_POLICY).toMatchObject({
      kind: 'seating_policy',
      allow_reserved_seating: true,
      allow_ga_seating: true,
      allow_hybrid_ga_reserved: true,
      allow_vip_zones: false,
      enforce_accessibility_rules: true,
      companion_release_occupancy_threshold: 85,
      max_wheelchair_seats_per_booking: 1,
      accessibility_audit_enabled: true,
      max_seats_per_booking: 10,
      orphan_avoidance_strict: true,
      group_adjacency_strict: false,
      default_hold_ttl_minutes: 10,
      max_holds_per_user: null,
      max_holds_per_ip: null,
      max_group_split: 2,
      prefer_clustering_over_selection: false,
      locked_fields: [],
      max_hold_total_minutes: 30,
      hold_extension_minutes: 5,
      hold_rate_seats: 10,
      hold_rate_minutes: 5,
    });
  });

  it('each say in one sentence what they do, and keep their own default', () => {
    for (const name of POLICY_FIELD_NAMES) {
      expect(POLICY_FIELDS[name].sentence).toMatch(/^[A-Z].*\.$/);
      const repeated = changePolicy(
        DEFAULT_POLICY,
        { [name]: POLICY_FIELDS[name].default },
        'owner',
      );
      expect(accepted(repeated)).toEqual(DEFAULT_POLICY);
    }
    expect(LOCKED_FIELDS.choices).toEqual(POLICY_FIELD_NAMES);
  });

  it('cannot be changed by whoever holds the policy', () => {
    const policy = policyWith({ locked_fields: ['allow_vip_zones'] });
    expect(Object.isFrozen(policy)).toBe(true);
    expect(Object.isFrozen(policy.locked_fields)).toBe(true);
    expect(Object.isFrozen(DEFAULT_POLICY.allowed_access_modes)).toBe(true);
  });
});

describe('a change', () => {
  it('keeps what it does not name', () => {
    const policy = accepted(changePolicy(DEFAULT_POLICY, { max_seats_per_booking: 4 }, 'owner'));
    expect(policy).toEqual({ ...DEFAULT_POLICY, max_seats_per_booking: 4 });
  });

  it('reports every problem at once with its path and code', () => {
    const outcome = changePolicy(
      DEFAULT_POLICY,
      {
        allow_vip_zones: 'yes',
        max_seats_per_booking: 0,
        max_group_split: 1.5,
        max_holds_per_user: '3',
        companion_release_occupancy_threshold: 101,
        allowed_access_modes: ['public', 'secret'],
        locked_fields: ['no_such_field'],
        colour: 'blue',
        'a b': 1,
      },
      'platform',
    );
    expect(codes(outcome)).toEqual({
      allow_vip_zones: 'wrong_type',
      max_seats_per_booking: 'out_of_range',
      max_group_split: 'not_integer',
      max_holds_per_user: 'wrong_type',
      companion_release_occupancy_threshold: 'out_of_range',
      'allowed_access_modes[1]': 'unknown_value',
      'locked_fields[0]': 'unknown_value',
      colour: 'unknown_field',
      '["a b"]': 'unknown_field',
    });
  });

  it('takes null only where a limit can be switched off', () => {
    expect(policyWith({ hold_rate_seats: null }).hold_rate_seats).toBeNull();
    const outcome = changePolicy(DEFAULT_POLICY, { max_seats_per_booking: null }, 'owner');
    expect(codes(outcome)).toEqual({ max_seats_per_booking: 'wrong_type' });
  });

  it('moves hold times into their range instead of refusing them', () => {
    const policy = policyWith({
      default_hold_ttl_minutes: 90,
      hold_extension_minutes: -3,
      max_hold_total_minutes: 9_999,
    });
    expect(policy.default_hold_ttl_minutes).toBe(60);
    expect(policy.hold_extension_minutes).toBe(1);
    expect(policy.max_hold_total_minutes).toBe(240);
  });

  it('keeps lists in one order, so that equal policies are equal', () => {
    const policy = policyWith({ allowed_access_modes: ['whitelist', 'public', 'whitelist'] });
    expect(policy.allowed_access_modes).toEqual(['public', 'whitelist']);
  });

  it('lists a bounded number of problems', () => {
    const strange = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`field_${n}`, n]));
    const outcome = changePolicy(DEFAULT_POLICY, strange, 'owner');
    expect(outcome.kind === 'refused' && outcome.problems.length).toBe(100);
  });

  it('is refused or complete and never throws, whatever is sent', () => {
    fc.assert(
      fc.property(fc.anything(), (input) => {
        const outcome = changePolicy(DEFAULT_POLICY, input, 'owner');
        if (outcome.kind === 'refused') expect(outcome.problems.length).toBeGreaterThan(0);
        else expect(Object.keys(outcome.policy).sort()).toEqual(Object.keys(DEFAULT_POLICY).sort());
      }),
    );
  });

  it('does not take fields from a prototype', () => {
    const sent = JSON.parse('{"__proto__": {"allow_vip_zones": true}, "constructor": 1}');
    const outcome = changePolicy(DEFAULT_POLICY, sent, 'owner');
    expect(Object.entries(codes(outcome))).toEqual([
      ['__proto__', 'unknown_field'],
      ['constructor', 'unknown_field'],
    ]);
  });
});

describe('a stored policy', () => {
  it('has the default of a field that is younger than it', () => {
    const { max_group_split: _younger, ...stored } = policyWith({ max_seats_per_booking: 4 });
    expect(accepted(readPolicy(stored))).toEqual({ ...DEFAULT_POLICY, max_seats_per_booking: 4 });
  });

  it('can be read by the version before the one that wrote it', () => {
    const stored = { ...DEFAULT_POLICY, field_of_tomorrow: 1 };
    expect(accepted(readPolicy(stored))).toEqual(DEFAULT_POLICY);
  });

  it('is refused when it is damaged', () => {
    expect(codes(readPolicy({ max_group_split: 'two' }))).toEqual({
      max_group_split: 'wrong_type',
    });
    expect(codes(readPolicy([]))).toEqual({ '': 'wrong_type' });
  });
});

describe('a locked field', () => {
  const locked = policyWith({ locked_fields: ['enforce_accessibility_rules'] });

  it('cannot be changed by the owner, but by the platform', () => {
    const change = { enforce_accessibility_rules: false };
    expect(codes(changePolicy(locked, change, 'owner'))).toEqual({
      enforce_accessibility_rules: 'policy_locked',
    });
    const changed = accepted(changePolicy(locked, change, 'platform'));
    expect(changed.enforce_accessibility_rules).toBe(false);
  });

  it('does not keep the owner from sending back the policy as it was read', () => {
    const read = JSON.parse(JSON.stringify(locked));
    const policy = accepted(changePolicy(locked, { ...read, max_group_split: 3 }, 'owner'));
    expect(policy).toEqual({ ...locked, max_group_split: 3 });
  });

  it('cannot be unlocked by the owner', () => {
    const outcome = changePolicy(locked, { locked_fields: [] }, 'owner');
    expect(codes(outcome)).toEqual({ locked_fields: 'policy_locked' });
  });

  it('cannot be overridden for an event, not even with its own value', () => {
    for (const value of [true, false]) {
      const outcome = effectivePolicy(locked, { enforce_accessibility_rules: value });
      expect(codes(outcome)).toEqual({ enforce_accessibility_rules: 'policy_locked' });
    }
  });

  it('reaches events that override it already', () => {
    const overrides = { enforce_accessibility_rules: false, max_group_split: 1 };
    const { kept, dropped } = permittedOverrides(locked, overrides);
    expect(dropped).toEqual(['enforce_accessibility_rules']);
    const policy = accepted(effectivePolicy(locked, kept));
    expect(policy).toEqual({ ...locked, max_group_split: 1 });
  });
});

describe('the effective policy of an event', () => {
  it("is the organization's where nothing is overridden", () => {
    for (const nothing of [undefined, null, {}]) {
      expect(accepted(effectivePolicy(DEFAULT_POLICY, nothing))).toEqual(DEFAULT_POLICY);
    }
  });

  it('takes the overrides of the specification', () => {
    const policy = accepted(
      effectivePolicy(DEFAULT_POLICY, {
        enforce_accessibility_rules: false,
        orphan_avoidance_strict: false,
        default_hold_ttl_minutes: 5,
      }),
    );
    expect(policy).toEqual({
      ...DEFAULT_POLICY,
      enforce_accessibility_rules: false,
      orphan_avoidance_strict: false,
      default_hold_ttl_minutes: 5,
    });
  });

  it('refuses overrides of locks, of organization-wide limits and of nothing we know', () => {
    const outcome = effectivePolicy(DEFAULT_POLICY, {
      locked_fields: [],
      hold_rate_seats: 100,
      orphans: 1,
    });
    expect(codes(outcome)).toEqual({
      locked_fields: 'policy_locked',
      hold_rate_seats: 'not_overridable',
      orphans: 'unknown_field',
    });
  });

  it('differs from the organization in overridden fields only, and never in locked ones', () => {
    const names = fc.constantFrom<PolicyFieldName>(...POLICY_FIELD_NAMES);
    const values = fc.oneof(fc.boolean(), fc.integer(), fc.constant(null), fc.constant(['public']));
    fc.assert(
      fc.property(fc.array(names), fc.dictionary(names, values), (locks, overrides) => {
        const organization = policyWith({ locked_fields: locks });
        const outcome = effectivePolicy(organization, overrides);
        if (outcome.kind === 'refused') return;
        for (const name of POLICY_FIELD_NAMES) {
          if (Object.hasOwn(overrides, name)) expect(locks).not.toContain(name);
          else expect(outcome.policy[name]).toEqual(organization[name]);
        }
      }),
    );
  });
});

describe('hold times', () => {
  it('are kept in seconds', () => {
    expect(holdTimes(DEFAULT_POLICY)).toEqual({
      hold_seconds: 600,
      extension_seconds: 300,
      most_seconds: 1_800,
    });
  });

  it('never let the total shorten the hold itself', () => {
    const policy = policyWith({ default_hold_ttl_minutes: 60, max_hold_total_minutes: 30 });
    expect(holdTimes(policy).most_seconds).toBe(3_600);
  });

  it('are replaced by the seconds of a demo', () => {
    expect(holdTimes(DEFAULT_POLICY, 2)).toEqual({
      hold_seconds: 2,
      extension_seconds: 2,
      most_seconds: 6,
    });
  });

  it('that a request asks for are moved into the range', () => {
    expect([0, 0.5, 1, 7.5, 60, 61, Infinity].map(holdSeconds)).toEqual([
      60, 60, 60, 450, 3_600, 3_600, 3_600,
    ]);
    expect(() => holdSeconds(Number.NaN)).toThrow('a hold time is a number');
  });
});

describe('limits', () => {
  it('give a bucket that one booking fits into', () => {
    expect(holdRate(DEFAULT_POLICY)).toEqual({ seats: 10, seconds: 300, capacity: 10 });
    const large = policyWith({ max_seats_per_booking: 50 });
    expect(holdRate(large)?.capacity).toBe(50);
  });

  it('are off when either half of the rate is null', () => {
    expect(holdRate(policyWith({ hold_rate_seats: null }))).toBeNull();
    expect(holdRate(policyWith({ hold_rate_minutes: null }))).toBeNull();
  });

  it('count guests by address even when the policy has no limit', () => {
    expect(holdsPerIp(DEFAULT_POLICY, { guest: false })).toBeNull();
    expect(holdsPerIp(DEFAULT_POLICY, { guest: true })).toBe(40);
    const policy = policyWith({ max_holds_per_ip: 7 });
    expect(holdsPerIp(policy, { guest: true })).toBe(7);
    expect(holdsPerIp(policy, { guest: false })).toBe(7);
  });

  it('give a network as much as four addresses, and the share of the event that is set', () => {
    expect(holdsPerNetwork(7)).toBe(28);
    expect(holdsPerNetwork(null)).toBeNull();
    const share = (percent: number | null, capacity: number) =>
      holdsPerShare(policyWith({ max_network_share_percent: percent }), () => capacity);
    expect([share(null, 500), share(10, 505), share(1, 30)]).toEqual([null, 50, 1]);
    const { max_network_share_percent: _, ...older } = DEFAULT_POLICY;
    expect(holdsPerShare(older as SeatingPolicy, () => 500)).toBeNull();
  });
});

describe('what a policy permits', () => {
  const allowed = (policy: SeatingPolicy) => ZONE_TYPES.filter((t) => permitsZoneType(policy, t));

  it('decides which zone types may be created', () => {
    expect(allowed(DEFAULT_POLICY)).toEqual(['reserved_seating', 'ga_seated', 'ga_standing']);
    expect(allowed(policyWith({ allow_vip_zones: true }))).toEqual(ZONE_TYPES);
    expect(allowed(policyWith({ allow_vip_zones: true, allow_ga_seating: false }))).toEqual([
      'reserved_seating',
      'vip_reserved',
    ]);
    expect(allowed(policyWith({ allow_reserved_seating: false }))).toEqual([
      'ga_seated',
      'ga_standing',
    ]);
  });

  it('decides about access modes and categories', () => {
    const policy = policyWith({
      allowed_access_modes: ['public'],
      allowed_seat_categories: ['standard'],
    });
    expect(permitsAccessMode(policy, 'public')).toBe(true);
    expect(permitsAccessMode(policy, 'whitelist')).toBe(false);
    expect(permitsCategory(policy, 'standard')).toBe(true);
    expect(permitsCategory(policy, 'wheelchair')).toBe(false);
  });

  it('decides whether seats and general admission may be mixed', () => {
    const pure = policyWith({ allow_hybrid_ga_reserved: false });
    expect(permitsMix(pure, ['reserved_seating', 'vip_reserved'])).toBe(true);
    expect(permitsMix(pure, ['ga_seated', 'ga_standing'])).toBe(true);
    expect(permitsMix(pure, ['reserved_seating', 'ga_standing'])).toBe(false);
    expect(permitsMix(DEFAULT_POLICY, ['reserved_seating', 'ga_standing'])).toBe(true);
  });
});

import { anEngine, anOrganization, newId } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUuid, seededRandom, systemClock } from '#kit';
import { recordingTelemetry } from '#telemetry';
import {
  Admission,
  effectiveRole,
  judgeMemberChange,
  makeKey,
  putMember,
  ROLES,
  roleOfKey,
  scopesOf,
  splitKey,
  userIdOf,
} from './accounts.ts';

const database = useDatabase();
const aRole = fc.constantFrom(...ROLES);
const rank = (role: (typeof ROLES)[number]) => ROLES.indexOf(role);

describe('roles', () => {
  it('contain what the roles below them may', () => {
    const ladder = ROLES.filter((role) => role !== 'scanner');
    for (const [index, role] of ladder.entries()) {
      const below = ladder[index + 1];
      if (below) expect(scopesOf(below).isSubsetOf(scopesOf(role))).toBe(true);
    }
  });

  it('a key hands out roles as an owner only with all of an owner’s scopes', () => {
    expect(roleOfKey(scopesOf('owner'))).toBe('owner');
    expect(roleOfKey(scopesOf('admin'))).toBe('admin');
    expect(roleOfKey(new Set(['members:write']))).toBe('admin');
  });

  it('a membership never gives more than the token says, nor the token more than it', () => {
    const membership = fc.option(
      fc.record({ role: aRole, tier: fc.constant(null), active: fc.boolean() }),
      { nil: null },
    );
    const signedBy = fc.constantFrom('operator' as const, 'issuer' as const);
    fc.assert(
      fc.property(aRole, signedBy, membership, (role, by, member) => {
        const effective = effectiveRole({ role, signedBy: by, membership: member });
        expect(rank(effective)).toBeGreaterThanOrEqual(rank(role));
        if (member?.active) expect(rank(effective)).toBeGreaterThanOrEqual(rank(member.role));
        if (member && !member.active) expect(effective).toBe('customer');
        if (by === 'issuer') expect(effective).not.toBe('owner');
        if (by === 'issuer' && !member) expect(effective).toBe('customer');
      }),
    );
  });

  it('nobody but an owner touches somebody at or above their own role', () => {
    const status = fc.constantFrom('active' as const, 'revoked' as const);
    const validUntil = fc.constantFrom(null, '2030-01-01T00:00:00Z');
    const state = fc.record({ role: aRole, status, validUntil });
    fc.assert(
      fc.property(aRole, fc.option(state, { nil: null }), state, (by, from, to) => {
        const verdict = judgeMemberChange({ by, from, to, owners: 2 });
        const highest = Math.min(rank(to.role), from ? rank(from.role) : Number.MAX_SAFE_INTEGER);
        const allowed = by === 'owner' || highest > rank(by);
        expect(verdict).toEqual(allowed ? null : { kind: 'not_allowed' });
      }),
    );
  });

  it('the last owner stays', () => {
    const from = { role: 'owner' as const, status: 'active' as const, validUntil: null };
    const leaving = { by: 'owner' as const, from, to: { ...from, status: 'revoked' as const } };
    expect(judgeMemberChange({ ...leaving, owners: 1 })).toEqual({ kind: 'last_owner' });
    expect(judgeMemberChange({ ...leaving, owners: 2 })).toBeNull();
    const same = { by: 'owner' as const, from, to: from, owners: 1 };
    expect(judgeMemberChange(same)).toBeNull();
    const limited = { ...from, validUntil: '2030-01-01T00:00:00Z' };
    expect(judgeMemberChange({ ...same, to: limited })).toEqual({ kind: 'last_owner' });
  });
});

describe('keys', () => {
  it('are found again in their own text, and in nothing else', () => {
    const source = { clock: systemClock, random: seededRandom(5) };
    const key = makeKey(source);
    expect(splitKey(key.text)?.keyId).toBe(key.keyId);
    expect(isUuid(key.keyId)).toBe(true);
    expect(key.text).not.toContain(key.secretHash.toString('hex'));
    for (const text of ['', 'vk_', 'vk__', key.text.slice(0, -1), `${key.text}A`, `x${key.text}`]) {
      expect(splitKey(text)).toBeNull();
    }
  });
});

describe('users', () => {
  it('have one id per organization and subject; a UUID stays what it is', () => {
    const organization = newId();
    expect(userIdOf(organization, 'piet')).toBe(userIdOf(organization, 'piet'));
    expect(userIdOf(organization, 'piet')).not.toBe(userIdOf(newId(), 'piet'));
    expect(userIdOf(organization, 'piet')).not.toBe(userIdOf(organization, 'anna'));
    const own = newId();
    expect(userIdOf(organization, own.toUpperCase())).toBe(own);
  });

  it('are admitted in batches, each once, with their standing', async () => {
    const telemetry = recordingTelemetry();
    const postgres = database.open({ telemetry });
    const [one, two] = await Promise.all([anOrganization(postgres), anOrganization(postgres)]);
    const before = telemetry.happenings.length;
    const admission = new Admission(postgres);
    const asked = Array.from({ length: 300 }, (_, n) =>
      admission.admit((n % 2 ? one : two).organizationId, `user ${n % 100}`),
    );
    const standings = await Promise.all(asked);
    expect(standings.every((standing) => standing?.user === 'active')).toBe(true);
    const statements = telemetry.happenings
      .slice(before)
      .filter((one) => one.kind === 'postgres.statement' && one.name === 'users.admit');
    expect(statements).toHaveLength(2);
    const rows = await database.asSuperuser(
      'select count(*)::int as users from users where organization_id = any ($1)',
      [[one.organizationId, two.organizationId]],
    );
    expect(rows).toEqual([{ users: 100 }]);
  });

  it('are told apart from members, and from nobody', async () => {
    const scope = await anOrganization(database.postgres);
    const { organizationId } = scope;
    const admission = new Admission(database.postgres);
    expect(await admission.admit(organizationId, 'anna')).toEqual({
      organization: 'active',
      user: 'active',
      membership: null,
      version: 0,
      left_ms: null,
    });
    const anna = userIdOf(organizationId, 'anna');
    const past = '2020-01-01T00:00:00Z';
    await anEngine(database.postgres).postgres.transaction(scope, { name: 'test' }, (one) =>
      one.query(putMember(organizationId, anna, 'staff', 'gold', 'active', past)),
    );
    expect((await admission.admit(organizationId, 'anna'))?.membership).toEqual({
      role: 'staff',
      tier: 'gold',
      active: false,
    });
    expect(await admission.admit(newId(), 'anna')).toBeNull();
  });

  it('fail together when the database is away, and are admitted afterwards', async () => {
    const postgres = database.open({ appUrl: 'postgresql://nobody@127.0.0.1:1/nothing' });
    const admission = new Admission(postgres);
    const asked = [admission.admit(newId(), 'a'), admission.admit(newId(), 'b')];
    const settled = await Promise.allSettled(asked);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

import { scopesOf } from '@voelgoed/engine/accounts';
import { systemClock } from '@voelgoed/engine/kit';
import type { Scope } from '@voelgoed/engine/scope';
import { anOrganization, newId } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { type CallOptions, call, tokenFor, useNode } from '@voelgoed/testkit/servers';
import { beforeEach, describe, expect, it } from 'vitest';

const PLATFORM_SECRET = 'the platform secret of the accounts tests';
const database = useDatabase();
const node = useNode(database, { PLATFORM_SECRET });

let scope: Scope;
let owner: string;

beforeEach(async () => {
  scope = await anOrganization(database.postgres);
  owner = tokenFor(scope.organizationId, { role: 'owner' });
});

const ask = (route: string, options: CallOptions = {}) =>
  call(node().address, route, { token: owner, ...options });

const addMember = (body: object, options: CallOptions = {}) =>
  ask('POST /api/admin/members', { body, ...options });

describe('members', () => {
  it('are added, listed, changed and revoked', async () => {
    const added = await addMember({ subject: 'piet', email: 'piet@x.test', role: 'staff' });
    expect(added.status).toBe(201);
    const id = String(added.data.user_id);
    const changed = await ask(`PATCH /api/admin/members/${id}`, {
      body: { tier: 'voelgoed_vriendinne', valid_until: '2020-01-01T00:00:00Z' },
    });
    expect(changed.data).toMatchObject({
      role: 'staff',
      tier: 'voelgoed_vriendinne',
      status: 'expired',
    });
    const revoked = await ask(`DELETE /api/admin/members/${id}`);
    expect(revoked.data.status).toBe('revoked');
    const { list } = await ask('GET /api/admin/members');
    expect(list).toEqual([expect.objectContaining({ user_id: id, email: 'piet@x.test' })]);
  });

  it('lower what a token is worth: revoked is a customer, within seconds', async () => {
    const added = await addMember({ subject: 'anna', role: 'admin' });
    const anna = tokenFor(scope.organizationId, { role: 'admin', subject: 'anna' });
    expect((await ask('GET /api/admin/members', { token: anna })).status).toBe(200);
    await ask(`DELETE /api/admin/members/${added.data.user_id}`);
    await eventually(
      async () => (await ask('GET /api/admin/members', { token: anna })).status === 403,
      { within_ms: 7_000, every_ms: 200 },
    );
  });

  it('cannot be given more than the giver has', async () => {
    const admin = tokenFor(scope.organizationId, { role: 'admin', subject: 'admin' });
    const refused = await addMember({ subject: 'x', role: 'owner' }, { token: admin });
    expect([refused.status, refused.body.error]).toEqual([403, 'forbidden']);
    const equal = await addMember({ subject: 'x', role: 'admin' }, { token: admin });
    expect(equal.status).toBe(403);
    const boss = await addMember({ subject: 'boss', role: 'owner' });
    const demoted = await ask(`PATCH /api/admin/members/${boss.data.user_id}`, {
      token: admin,
      body: { role: 'customer' },
    });
    expect(demoted.status).toBe(403);
  });

  it('keep at least one owner, also when two leave at once', async () => {
    const one = await addMember({ subject: 'one', role: 'owner' });
    const two = await addMember({ subject: 'two', role: 'owner' });
    const leave = (id: unknown) => ask(`DELETE /api/admin/members/${id}`);
    const replies = await Promise.all([leave(one.data.user_id), leave(two.data.user_id)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    const refused = replies.find(({ status }) => status === 400);
    expect(refused?.body.details).toEqual({ reason: 'last_owner' });
  });

  it('stay revoked when somebody changes them at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const added = await addMember({ subject: `racer ${round}`, role: 'staff' });
      const route = `/api/admin/members/${added.data.user_id}`;
      await Promise.all([
        ask(`DELETE ${route}`),
        ask(`PATCH ${route}`, { body: { tier: 'gold' } }),
      ]);
      const { list } = await ask('GET /api/admin/members');
      const member = list.find(({ user_id }) => user_id === added.data.user_id);
      expect(member?.status).toBe('revoked');
    }
  });

  it('who are the last owner cannot be given an end', async () => {
    const only = await addMember({ subject: 'only', role: 'owner' });
    const limit = { body: { valid_until: '2040-01-01T00:00:00Z' } };
    const reply = await ask(`PATCH /api/admin/members/${only.data.user_id}`, limit);
    expect(reply.body.details).toEqual({ reason: 'last_owner' });
  });

  it('can be renewed when their time was over', async () => {
    const past = { valid_until: '2020-01-01T00:00:00Z' };
    const added = await addMember({ subject: 'late', role: 'staff', ...past });
    expect(added.data.status).toBe('expired');
    const renewed = await ask(`PATCH /api/admin/members/${added.data.user_id}`, {
      body: { valid_until: '2040-01-01T00:00:00Z' },
    });
    expect(renewed.data.status).toBe('active');
  });

  it('are unknown to other organizations', async () => {
    const added = await addMember({ subject: 'piet', role: 'staff' });
    const other = await anOrganization(database.postgres);
    const token = tokenFor(other.organizationId);
    for (const route of [
      `PATCH /api/admin/members/${added.data.user_id}`,
      `DELETE /api/admin/members/${added.data.user_id}`,
      `DELETE /api/admin/users/${added.data.user_id}/personal-data`,
    ]) {
      const body = route.startsWith('PATCH') ? { body: { role: 'viewer' } } : {};
      const reply = await ask(route, { token, ...body });
      expect([route, reply.status]).toEqual([route, 404]);
    }
    expect((await ask('GET /api/admin/members', { token })).list).toEqual([]);
  });

  it('are paged', async () => {
    for (let n = 0; n < 5; n++) await addMember({ subject: `m${n}`, role: 'viewer' });
    const seen: unknown[] = [];
    for (let after = ''; ; ) {
      const page = await ask(`GET /api/admin/members?limit=2${after && `&after=${after}`}`);
      seen.push(...page.list.map((member) => member.user_id));
      if (page.list.length < 2) break;
      after = String(page.list.at(-1)?.user_id);
    }
    expect(new Set(seen).size).toBe(5);
  });
});

describe('who one is', () => {
  it('is told to everybody with a credential, with what it is good for', async () => {
    const mine = await ask('GET /api/me');
    expect(mine.data).toMatchObject({
      kind: 'user',
      role: 'owner',
      scopes: [...scopesOf('owner')].sort(),
      organization: { organization_id: scope.organizationId, status: 'active' },
    });
    const token = tokenFor(scope.organizationId, { role: 'scanner' });
    const theirs = await ask('GET /api/me', { token });
    const nameOf = async (subject: string) => {
      const token = tokenFor(scope.organizationId, { subject });
      return (await ask('GET /api/me', { token })).data.name;
    };
    expect(await nameOf('sarie')).toBe('sarie');
    expect(await nameOf(newId())).toBeNull();
    expect(theirs.data).toMatchObject({ role: 'scanner', scopes: ['buy', 'tickets:scan'] });
    const made = await ask('POST /api/admin/api-keys', {
      body: { name: 'door', scopes: ['tickets:scan'] },
    });
    const key = await ask('GET /api/me', { token: String(made.data.key) });
    expect(key.data).toMatchObject({ kind: 'key', scopes: ['tickets:scan'] });
    expect(key.data).toMatchObject({ id: made.data.key_id, name: 'door' });
  });
});

describe('API keys', () => {
  const create = (body: object, options: CallOptions = {}) =>
    ask('POST /api/admin/api-keys', { body, ...options });

  it('open what their scopes say, show their text once and tell when they were used', async () => {
    const made = await create({ name: 'Shop', scopes: ['members:read'] });
    expect(made.status).toBe(201);
    const key = String(made.data.key);
    expect(key).toMatch(/^vk_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/);
    expect((await ask('GET /api/admin/members', { token: key })).status).toBe(200);
    expect((await ask('GET /api/admin/api-keys', { token: key })).status).toBe(403);
    const listed = await eventually(async () => {
      const { list } = await ask('GET /api/admin/api-keys');
      return list.find((one) => one.key_id === made.data.key_id && one.last_used_at !== null);
    });
    expect(JSON.stringify(listed)).not.toContain(key.slice(-43));
  });

  it('are refused with one character changed', async () => {
    const made = await create({ name: 'Shop', scopes: ['members:read'] });
    const key = String(made.data.key);
    const last = key.endsWith('A') ? 'E' : 'A';
    const reply = await ask('GET /api/admin/members', { token: key.slice(0, -1) + last });
    expect(reply.status).toBe(401);
  });

  it('rotate with two live keys, and never three', async () => {
    const old = await create({ name: 'Shop', scopes: ['members:read'] });
    const route = `POST /api/admin/api-keys/${old.data.key_id}/rotate`;
    const next = await ask(route, { body: { overlap_hours: 1 } });
    expect(next.data).toMatchObject({ replaces: old.data.key_id, scopes: ['members:read'] });
    for (const token of [old.data.key, next.data.key].map(String)) {
      expect((await ask('GET /api/admin/members', { token })).status).toBe(200);
    }
    const again = await ask(route);
    expect(again.status).toBe(400);
    expect(again.body.details).toEqual({ replaced_by: next.data.key_id });
    const third = await ask(`POST /api/admin/api-keys/${next.data.key_id}/rotate`);
    expect(third.status).toBe(201);
    // The first has ended with the second rotation; this node may remember it for a few seconds.
    const { list } = await ask('GET /api/admin/api-keys');
    const first = list.find((one) => one.key_id === old.data.key_id);
    expect(Date.parse(String(first?.expires_at))).toBeLessThanOrEqual(systemClock.now());
  });

  it('have successors that live no longer than they were meant to', async () => {
    const old = await create({ name: 'Short', scopes: ['members:read'], expires_in_days: 1 });
    const next = await ask(`POST /api/admin/api-keys/${old.data.key_id}/rotate`);
    const days = (Date.parse(String(next.data.expires_at)) - systemClock.now()) / 86_400_000;
    expect(days).toBeGreaterThan(0.9);
    expect(days).toBeLessThan(1.1);
  });

  it('can be rotated again when their successor was revoked', async () => {
    const old = await create({ name: 'Shop', scopes: ['members:read'] });
    const route = `POST /api/admin/api-keys/${old.data.key_id}/rotate`;
    const next = await ask(route);
    await ask(`DELETE /api/admin/api-keys/${next.data.key_id}`);
    expect((await ask(route)).status).toBe(201);
  });

  it('are neither rotated nor revoked by somebody who may less', async () => {
    const strong = await create({ name: 'Strong', scopes: ['issuers:write'] });
    const weak = await create({ name: 'Weak', scopes: ['keys:write'] });
    const token = String(weak.data.key);
    const route = `/api/admin/api-keys/${strong.data.key_id}`;
    expect((await ask(`POST ${route}/rotate`, { token })).status).toBe(403);
    expect((await ask(`DELETE ${route}`, { token })).status).toBe(403);
  });

  it('are refused when their time is over', async () => {
    const made = await create({ name: 'Old', scopes: ['members:read'], expires_in_days: 1 });
    await database.asSuperuser(
      `update api_keys set expires_at = now() - interval '1 second' where key_id = $1`,
      [made.data.key_id],
    );
    const reply = await ask('GET /api/admin/members', { token: String(made.data.key) });
    expect(reply.status).toBe(401);
    const rotated = await ask(`POST /api/admin/api-keys/${made.data.key_id}/rotate`);
    expect(rotated.status).toBe(404);
  });

  it('with members:write make staff, and nobody above', async () => {
    const made = await create({ name: 'HR', scopes: ['members:write'] });
    const token = String(made.data.key);
    expect((await addMember({ subject: 's', role: 'staff' }, { token })).status).toBe(201);
    expect((await addMember({ subject: 't', role: 'admin' }, { token })).status).toBe(403);
  });

  it('end at once when they are rotated without an overlap', async () => {
    const old = await create({ name: 'Shop', scopes: ['members:read'] });
    await ask(`POST /api/admin/api-keys/${old.data.key_id}/rotate`, { body: { overlap_hours: 0 } });
    const reply = await ask('GET /api/admin/members', { token: String(old.data.key) });
    expect(reply.status).toBe(401);
  });

  it('are refused soon after they were revoked, and revoking twice is harmless', async () => {
    const made = await create({ name: 'Shop', scopes: ['members:read'] });
    const token = String(made.data.key);
    expect((await ask('GET /api/admin/members', { token })).status).toBe(200);
    const revoke = `DELETE /api/admin/api-keys/${made.data.key_id}`;
    expect((await ask(revoke)).status).toBe(200);
    expect((await ask(revoke)).status).toBe(200);
    await eventually(async () => (await ask('GET /api/admin/members', { token })).status === 401, {
      within_ms: 7_000,
      every_ms: 200,
    });
    const trail = await ask(`GET /api/admin/audit?entity_id=${made.data.key_id}`);
    expect(trail.list.map(({ action }) => action)).toEqual(['api_key_revoked', 'api_key_created']);
  });

  it('cannot be made for more than one may oneself, nor for what is no scope', async () => {
    const admin = tokenFor(scope.organizationId, { role: 'admin', subject: 'admin' });
    const beyond = await create({ name: 'x', scopes: ['issuers:write'] }, { token: admin });
    expect(beyond.status).toBe(403);
    const unknown = await create({ name: 'x', scopes: ['everything'] });
    expect(unknown.body.details).toEqual({
      problems: [{ path: 'body/scopes', message: '"everything" is not a scope' }],
    });
  });
});

describe('an Idempotency-Key', () => {
  const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

  it('makes one change of many copies, and never repeats a secret', async () => {
    const body = { name: 'Shop', scopes: ['members:read'] };
    const copies = await Promise.all(
      Array.from({ length: 5 }, () =>
        ask('POST /api/admin/api-keys', { body, ...withKey('once') }),
      ),
    );
    expect(new Set(copies.map(({ data }) => data.key_id)).size).toBe(1);
    expect(copies.filter(({ data }) => data.key !== null)).toHaveLength(1);
    const replayed = copies.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
    expect(replayed).toHaveLength(4);
    expect((await ask('GET /api/admin/api-keys')).list).toHaveLength(1);
  });

  it('is refused for another body, and is another wish for another user or route', async () => {
    const first = await addMember({ subject: 'a', role: 'viewer' }, withKey('k'));
    const other = await addMember({ subject: 'b', role: 'viewer' }, withKey('k'));
    expect([first.status, other.status]).toEqual([201, 422]);
    expect(other.body.error).toBe('idempotency_key_reused');
    const someone = tokenFor(scope.organizationId, { subject: 'someone else' });
    const theirs = await addMember(
      { subject: 'b', role: 'viewer' },
      { token: someone, ...withKey('k') },
    );
    expect(theirs.status).toBe(201);
  });

  it('does not keep a refusal', async () => {
    const id = newId();
    const route = `DELETE /api/admin/members/${id}`;
    expect((await ask(route, withKey('k'))).status).toBe(404);
    expect((await ask(route, withKey('k'))).headers.get('idempotent-replayed')).toBeNull();
  });

  it('has 1 to 255 characters', async () => {
    const body = { subject: 'a', role: 'viewer' };
    expect((await addMember(body, withKey('x'.repeat(256)))).body.error).toBe('invalid_request');
  });
});

describe('the platform', () => {
  const platform = (route: string, body?: object) =>
    ask(route, { token: PLATFORM_SECRET, ...(body ? { body } : {}) });
  const wanted = (slug: string) => ({ slug, name: 'New', owner: { email: 'first@new.test' } });

  it('makes an organization whose first key may everything', async () => {
    const slug = `new-${newId().slice(-8)}`;
    const made = await platform('POST /api/platform/organizations', wanted(slug));
    expect(made.status).toBe(201);
    const token = String(made.data.key);
    const keys = await ask('GET /api/admin/api-keys', { token });
    expect(keys.list).toHaveLength(1);
    expect(new Set(keys.list[0]?.scopes as string[])).toEqual(scopesOf('owner'));
    const members = await ask('GET /api/admin/members', { token });
    expect(members.list).toEqual([
      expect.objectContaining({ role: 'owner', email: 'first@new.test' }),
    ]);
    const taken = await platform('POST /api/platform/organizations', wanted(slug));
    expect(taken.body.details).toEqual({ problems: [{ path: 'body/slug', message: 'is taken' }] });
  });

  it('makes one organization of several copies, and issues a lost key anew', async () => {
    const body = wanted(`once-${newId().slice(-8)}`);
    const headers = { 'idempotency-key': newId() };
    const make = () =>
      ask('POST /api/platform/organizations', { token: PLATFORM_SECRET, body, headers });
    const [first, second] = await Promise.all([make(), make()]);
    expect([first?.status, second?.status]).toEqual([201, 201]);
    const keys = [first?.data.key, second?.data.key];
    expect(keys.filter((key) => key === null)).toHaveLength(1);
    const organization = first?.data.organization as { organization_id: string };
    const route = `POST /api/platform/organizations/${organization.organization_id}/keys`;
    const issued = await platform(route);
    const reply = await ask('GET /api/admin/members', { token: String(issued.data.key) });
    expect(reply.list).toHaveLength(1);
  });

  it('suspends, resumes and archives, each within seconds and only as it can be', async () => {
    const id = scope.organizationId;
    const step = (name: string) => platform(`POST /api/platform/organizations/${id}/${name}`);
    const status = async (route: string) => (await ask(route)).status;
    expect((await step('suspend')).data.status).toBe('suspended');
    expect(await status(`DELETE /api/admin/members/${newId()}`)).toBe(403);
    expect((await step('suspend')).status).toBe(400);
    expect((await step('resume')).data.status).toBe('active');
    expect((await step('archive')).data.status).toBe('archived');
    expect((await step('resume')).status).toBe(400);
    await eventually(async () => (await status('GET /api/admin/members')) === 401, {
      within_ms: 7_000,
      every_ms: 200,
    });
    expect((await step('nothing')).status).toBe(404);
    expect((await platform(`GET /api/platform/organizations/${newId()}`)).status).toBe(404);
  });

  it('lists organizations by slug', async () => {
    const page = await platform('GET /api/platform/organizations?limit=2');
    expect(page.list).toHaveLength(2);
    const [first, second] = page.list.map(({ slug }) => String(slug));
    expect((first ?? '') < (second ?? '')).toBe(true);
  });
});

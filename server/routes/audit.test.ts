import { scopesOf } from '@voelgoed/engine/accounts';
import { headSigner } from '@voelgoed/engine/audit';
import type { Scope } from '@voelgoed/engine/scope';
import { anOrganization, newId } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { call, tokenFor, useNode } from '@voelgoed/testkit/servers';
import { testServices } from '@voelgoed/testkit/services';
import { beforeEach, describe, expect, it } from 'vitest';

const database = useDatabase();
const node = useNode(database);

let scope: Scope;
let token: string;

beforeEach(async () => {
  scope = await anOrganization(database.postgres);
  token = tokenFor(scope.organizationId);
  for (const subject of ['a', 'b', 'c']) {
    const body = { subject, role: 'staff' };
    const headers = { 'user-agent': 'canary agent' };
    await call(node().address, 'POST /api/admin/members', { token, body, headers });
  }
});

const verify = async (query = '') =>
  (await call(node().address, `GET /api/admin/audit/verify${query}`, { token })).data;

/** As somebody who has the whole database, and wants to leave no trace. */
const tamper = (text: string, ...values: unknown[]) => database.asSuperuser(text, values);

describe('the audit chain', () => {
  it('is whole: the organization and three members', async () => {
    expect(await verify()).toEqual({ ok: true, rows: 4, first_bad: null });
  });

  it.each([
    ['one bit of a change', `changes = jsonb_set(changes, '{role}', '"stafg"')`],
    ['the time', `at = at + interval '1 microsecond'`],
    ['the actor', `actor_id = '${newId()}'`],
    ['the action', `action = 'member_removed'`],
    ['the hash', `hash = decode(repeat('00', 32), 'hex')`],
    ['the context', `context_id = null`],
  ])('names the row when %s was altered', async (_, change) => {
    await tamper(
      `update audit_log set ${change} where organization_id = $1 and sequence = 3`,
      scope.organizationId,
    );
    expect(await verify()).toEqual({
      ok: false,
      rows: 2,
      first_bad: { sequence: 3, problem: 'altered' },
    });
  });

  it('is verified in parts, each beginning where the last ended', async () => {
    const first = await verify('?limit=3');
    expect(first).toMatchObject({ ok: true, rows: 3, next: { after: 3 } });
    const next = first.next as { after: number; hash: string };
    const rest = `?after=3&hash=${next.hash}&limit=3`;
    expect(await verify(rest)).toEqual({ ok: true, rows: 1, first_bad: null });
    await tamper(
      `update audit_log set action = 'x' where organization_id = $1 and sequence = 4`,
      scope.organizationId,
    );
    expect((await verify('?limit=3')).next).toEqual(next);
    expect((await verify(rest)).first_bad).toEqual({ sequence: 4, problem: 'altered' });
  });

  it('is found by time', async () => {
    const list = async (query: string) =>
      (await call(node().address, `GET /api/admin/audit?${query}`, { token })).list;
    const rows = await list('');
    const third = String(rows[1]?.at);
    expect((await list(`from=${third}`)).map(({ sequence }) => sequence)).toEqual([4, 3]);
    expect((await list(`to=${third}`)).map(({ sequence }) => sequence)).toEqual([2, 1]);
    expect(await list('from=2099-01-01T00:00:00Z')).toEqual([]);
  });

  it('names a row that was taken out, also the last', async () => {
    const remove = 'delete from audit_log where organization_id = $1 and sequence = $2';
    await tamper(remove, scope.organizationId, 4);
    expect((await verify()).first_bad).toEqual({ sequence: 4, problem: 'missing' });
    await tamper(remove, scope.organizationId, 2);
    expect((await verify()).first_bad).toEqual({ sequence: 2, problem: 'missing' });
  });

  it('names a row that was added behind the end', async () => {
    await tamper(
      `insert into audit_log select organization_id, chain_id, 5, at, actor_kind, actor_id,
         actor_role, action, entity_type, entity_id, changes, context_id, hash
       from audit_log where organization_id = $1 and sequence = 4`,
      scope.organizationId,
    );
    expect((await verify()).first_bad).toEqual({ sequence: 5, problem: 'unexpected' });
  });

  it('has a signed head that a rewritten history cannot fit', async () => {
    const head = (await call(node().address, 'GET /api/admin/audit/head', { token })).data;
    const { public_key, ...statement } = head;
    const signer = headSigner(testServices().authSecret);
    expect(public_key).toBe(signer.publicKey);
    expect(signer.verify(statement as never)).toBe(true);
    expect(signer.verify({ ...statement, count: 5 } as never)).toBe(false);
    expect(await verify(`?after=${head.count}&hash=${head.hash}`)).toEqual({
      ok: true,
      rows: 0,
      first_bad: null,
    });
    expect((await verify(`?after=99&hash=${head.hash}`)).first_bad).toEqual({
      sequence: 5,
      problem: 'missing',
    });
    const other = 'ab'.repeat(32);
    expect((await verify(`?after=${head.count}&hash=${other}`)).ok).toBe(false);
    expect((await verify(`?after=2&hash=${other}`)).first_bad).toEqual({
      sequence: 3,
      problem: 'altered',
    });
  });

  it('cannot be changed by the role that writes it', async () => {
    const change = { name: '', values: [], long: false };
    for (const text of [
      `update audit_log set action = 'x'`,
      'delete from audit_log',
      'truncate audit_log',
    ]) {
      const attempt = database.postgres.transaction(scope, { name: 'test' }, (one) =>
        one.query({ ...change, text }),
      );
      await expect(attempt, text).rejects.toThrow('permission denied');
    }
  });

  it('survives the erasure of what is personal', async () => {
    const me = tokenFor(scope.organizationId, { subject: 'forget me' });
    const added = await call(node().address, 'POST /api/admin/members', {
      token: me,
      body: { subject: 'forget me', email: 'forget@me.test', name: 'Forget Me', role: 'staff' },
      headers: { 'idempotency-key': 'a kept answer' },
    });
    const route = `DELETE /api/admin/users/${added.data.user_id}/personal-data`;
    const erased = await call(node().address, route, { token });
    expect(erased.data).toEqual({ user_id: added.data.user_id, contexts_erased: 1 });
    const [user] = await tamper('select * from users where user_id = $1', added.data.user_id);
    expect(user).toMatchObject({ subject: null, email: null, name: null });
    const kept = await tamper('select answer::text from idempotency_keys');
    expect(JSON.stringify(kept)).not.toContain('forget@me.test');
    expect((await verify()).ok).toBe(true);
    const trail = await call(node().address, 'GET /api/admin/audit', { token });
    expect(JSON.stringify(trail.list)).not.toMatch(/forget/i);
    const theirs = trail.list.find(({ actor_id }) => actor_id === added.data.user_id);
    expect(theirs).toMatchObject({ action: 'member_added', ip_address: null, user_agent: null });
    expect(theirs).toMatchObject({ actor_name: null, actor_erased: true });
  });
});

describe('the trail', () => {
  it('is found by actor, entity, action and time', async () => {
    const find = async (query: string) =>
      (await call(node().address, `GET /api/admin/audit?${query}`, { token })).list;
    const [newest] = await find('limit=1');
    expect(newest).toMatchObject({
      sequence: 4,
      action: 'member_added',
      ip_address: '127.0.0.1',
      user_agent: 'canary agent',
    });
    expect(await find('action=organization_created')).toHaveLength(1);
    expect(await find(`actor_id=${newest?.actor_id}`)).toHaveLength(3);
    expect(await find(`entity_id=${newest?.entity_id}`)).toHaveLength(1);
    expect(await find(`before=${newest?.sequence}`)).toHaveLength(3);
    expect((await find('before=2')).map(({ sequence }) => sequence)).toEqual([1]);
  });

  it('names those who acted, and finds them by any part of their name', async () => {
    const at = node().address;
    const ask = (route: string, body?: object, as = token) =>
      call(at, route, { token: as, ...(body ? { body } : {}) });
    const sarie = { subject: 'sarie', name: 'Sarie Botha', role: 'admin' };
    const added = await ask('POST /api/admin/members', sarie);
    const hers = tokenFor(scope.organizationId, { subject: 'sarie', role: 'admin' });
    const anna = { subject: 'anna', email: 'anna@x.test', role: 'staff' };
    await ask('POST /api/admin/members', anna, hers);
    const scopes = [...scopesOf('owner')];
    const key = await ask('POST /api/admin/api-keys', { name: 'Sarie’s till', scopes });
    const bens = { subject: 'ben', name: 'Ben', role: 'scanner' };
    await ask('POST /api/admin/members', bens, String(key.data.key));
    const find = async (query: string) => {
      const { list } = await ask(`GET /api/admin/audit?${query}`);
      return list.map(({ actor_kind, actor_name }) => [actor_kind, actor_name]);
    };
    expect((await find('limit=2'))[0]).toEqual(['key', 'Sarie’s till']);
    expect(await find('actor=botha')).toEqual([['user', 'Sarie Botha']]);
    expect(await find(`actor=${added.data.user_id}`)).toEqual([['user', 'Sarie Botha']]);
    expect(await find('actor=sarie')).toEqual([
      ['key', 'Sarie’s till'],
      ['user', 'Sarie Botha'],
    ]);
    // Someone called exactly so hides those who are only partly.
    await ask('POST /api/admin/members', { ...sarie, subject: 'other', name: 'Sarie' });
    expect(await find('actor=SARIE')).toEqual([]);
    expect(await ask('GET /api/admin/audit?actor=nel')).toMatchObject({
      status: 404,
      body: { error: 'not_found', message: 'No member and no API key is called so.' },
    });
    const both = await ask(`GET /api/admin/audit?actor=nel&actor_id=${added.data.user_id}`);
    expect(both).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('names no customer for those who may not read tickets', async () => {
    const theirs = await anOrganization(database.postgres);
    const { organizationId } = theirs;
    const thandi = { subject: 'thandi', name: 'Thandi', role: 'customer' };
    const owner = tokenFor(organizationId);
    const added = await call(node().address, 'POST /api/admin/members', {
      token: owner,
      body: thandi,
    });
    await tamper(
      `update audit_log set actor_role = 'customer', actor_id = $1 where organization_id = $2`,
      added.data.user_id,
      organizationId,
    );
    const body = { name: 'auditor', scopes: ['audit:read'] };
    const key = await call(node().address, 'POST /api/admin/api-keys', { token: owner, body });
    const seenBy = async (who: string) => {
      const route = 'GET /api/admin/audit?action=member_added';
      const [entry] = (await call(node().address, route, { token: who })).list;
      return entry?.actor_name;
    };
    expect(await seenBy(owner)).toBe('Thandi');
    expect(await seenBy(String(key.data.key))).toBeNull();
  });

  it('asks for more of a name that a hundred have', async () => {
    const theirs = await anOrganization(database.postgres);
    await tamper(
      `insert into api_keys (organization_id, key_id, name, secret_hash, scopes)
       select $1, gen_random_uuid(), 'till ' || n, sha256(n::text::bytea), '{buy}'
       from generate_series(1, 101) n`,
      theirs.organizationId,
    );
    const owner = tokenFor(theirs.organizationId);
    const vague = await call(node().address, 'GET /api/admin/audit?actor=till', { token: owner });
    expect(vague).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('has nothing of another organization', async () => {
    const other = await anOrganization(database.postgres);
    const theirs = tokenFor(other.organizationId);
    const { list } = await call(node().address, 'GET /api/admin/audit', { token: theirs });
    expect(list.map(({ action }) => action)).toEqual(['organization_created']);
  });
});

import { rm } from 'node:fs/promises';
import { withClient } from '@voelgoed/engine/postgres';
import { call, startProcess } from '@voelgoed/testkit/servers';
import { aTestFolder } from '@voelgoed/testkit/services';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runningPostgres } from '#embedded';

/** One server with logs at their loudest; everything secret is then looked for in all it leaves. */
const AUTH_SECRET = 'canary-auth-secret-0123456789abcdef';
const PLATFORM_SECRET = 'canary-platform-secret-0123456789abcdef';
let folder: string;
let server: ReturnType<typeof startProcess>;
const secrets: string[] = [AUTH_SECRET, PLATFORM_SECRET];
const hooks: string[] = [];

beforeAll(async () => {
  folder = await aTestFolder('secrets');
  server = startProcess('server/processes/start.ts', {
    DATA_DIR: folder,
    PORT: '0',
    REDIS_URL: '',
    LOG_LEVEL: 'trace',
    ALLOW_INTERNAL_ADDRESSES: '1',
    AUTH_SECRET,
    PLATFORM_SECRET,
  });
  const address = (await server.says(/is ready: (http:\S+)/))[1] ?? '';
  const made = await call(address, 'POST /api/platform/organizations', {
    token: PLATFORM_SECRET,
    body: { slug: 'canary', name: 'Canary', owner: { email: 'canary@person.test' } },
  });
  const session = await call(address, 'POST /api/demo/sessions', { body: { role: 'owner' } });
  const key = String(made.data.key);
  const token = String(session.data.token);
  secrets.push(key, key.slice(-43), token, token.split('.')[2] ?? '');
  const url = 'http://127.0.0.1:9/canary-in-the-path';
  const endpoint = await call(address, 'POST /api/admin/webhooks', { token, body: { url } });
  const webhook = `/api/admin/webhooks/${endpoint.data.webhook_id}`;
  const rotated = await call(address, `POST ${webhook}/rotate`, { token, body: {} });
  await call(address, `POST ${webhook}/test`, { token });
  hooks.push(...[endpoint, rotated].map(({ data }) => String(data.secret).slice('whsec_'.length)));
  secrets.push(...hooks);
  for (const credential of [key, token, `${token}x`, PLATFORM_SECRET]) {
    await call(address, 'GET /api/admin/members', { token: credential });
    await call(address, 'POST /api/admin/api-keys', {
      token: credential,
      body: { name: 'x', scopes: ['buy'] },
      headers: { 'idempotency-key': 'again' },
    });
  }
  // Lines are written together: the last request's must be there before they are looked through.
  await server.says(/(?:"route":"\/api\/admin\/api-keys".*?){4}/s);
}, 60_000);

afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.exited;
  await rm(folder, { recursive: true, force: true });
});

describe('secrets', () => {
  it('are in no log line', () => {
    expect(server.output()).toContain('/api/admin/members');
    for (const secret of secrets) expect(server.output()).not.toContain(secret);
    expect(server.output()).not.toContain('canary@person.test');
    expect(server.output()).not.toContain('canary-in-the-path');
    expect(hooks.filter((secret) => secret.length === 43)).toHaveLength(2);
  });

  it('are not in the database: a dump opens nothing', async () => {
    const dump = await withClient(await superuserUrl(), dumpAll);
    expect(dump).toContain('canary');
    for (const secret of secrets) expect(dump).not.toContain(secret);
  });
});

async function superuserUrl(): Promise<string> {
  const url = new URL((await runningPostgres(folder)) ?? '');
  url.username = 'postgres';
  return url.href;
}

/** Every row of every table, the stored role passwords included, as text. */
async function dumpAll(client: pg.Client): Promise<string> {
  const tables = await client.query<{ name: string }>(
    `select relname::text as name from pg_class join pg_namespace n on n.oid = relnamespace
     where nspname = 'public' and relkind = 'r'`,
  );
  const parts = [JSON.stringify((await client.query('select * from pg_authid')).rows)];
  for (const { name } of tables.rows) {
    const { rows } = await client.query(`select t::text as row from ${name} t`);
    parts.push(JSON.stringify(rows));
  }
  return parts.join('\n');
}

import { systemClock } from '@voelgoed/engine/kit';
import { anOrganization, newId } from '@voelgoed/testkit/builders';
import { useDemoDatabase } from '@voelgoed/testkit/demos';
import { call, sendRaw, tokenFor, useNode } from '@voelgoed/testkit/servers';
import { beforeAll, describe, expect, it } from 'vitest';

const database = useDemoDatabase();
const node = useNode(database, { DEMO: '1', CORS_ORIGINS: 'https://shop.example' });
let token: string;

beforeAll(async () => {
  token = tokenFor((await anOrganization(database.postgres)).organizationId);
});

/** Any bytes as the body of a route that takes JSON. */
async function send(body: string | Uint8Array<ArrayBuffer>, type = 'application/json') {
  const reply = await fetch(`${node().address}/api/admin/members`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body,
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

const nested = (depth: number) => `{"subject":${'['.repeat(depth)}${']'.repeat(depth)}}`;

describe('bad input', () => {
  it.each([
    ['broken JSON', '{"subject":', 'The body is not valid JSON.'],
    ['not an object', '[]', 'The request is not valid.'],
    ['a body of null', 'null', 'The request is not valid.'],
    ['nesting without end', nested(5_000), 'The body is nested deeper than 32 levels.'],
    ['brackets in a text are not nesting', `{"subject":"${'['.repeat(99)}"}`, /not valid/],
    ['U+0000', '{"subject":"a\\u0000b","role":"staff"}', /no text can have/],
    ['half a pair', '{"subject":"\\ud800","role":"staff"}', /no text can have/],
    ['U+0000 in a name', '{"\\u0000":1}', /no text can have/],
    ['a poisoned prototype', '{"__proto__":{"role":"owner"}}', /not allowed: __proto__/],
    ['an escaped one', '{"\\u005f_proto__":{}}', /not allowed: __proto__/],
    ['a name that is said twice', '{"subject":"a","role":"staff","role":"owner"}', /name twice/],
    ['one that is spelled otherwise', '{"subject":"a","\\u0072ole":1,"role":2}', /name twice/],
    ['a constructor', '{"constructor":{"prototype":{}}}', /not allowed: constructor/],
    ['an unknown field', '{"subject":"a","role":"staff","x":1}', 'The request is not valid.'],
  ])('%s: 400 with a sentence', async (_, body, message) => {
    const reply = await send(body);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toBe('invalid_request');
    expect(reply.body.message).toEqual(
      message instanceof RegExp ? expect.stringMatching(message) : message,
    );
  });

  it('bytes that are no UTF-8: 400', async () => {
    const reply = await send(new Uint8Array([0x22, 0xc3, 0x28, 0x22]));
    expect(reply.body.message).toBe('The body is not valid UTF-8.');
  });

  it('another content type: 400', async () => {
    expect((await send('<x/>', 'text/xml')).body.error).toBe('invalid_request');
  });

  it('more than 64 kB: 413', async () => {
    const reply = await send(JSON.stringify({ subject: 'x'.repeat(70_000) }));
    expect([reply.status, reply.body.error]).toEqual([413, 'body_too_large']);
  });

  it('names every problem at once', async () => {
    const reply = await send('{"email":"no","role":"boss","extra":1}');
    expect(reply.body.details).toEqual({
      problems: expect.arrayContaining([
        { path: 'body', message: "must have required property 'subject'" },
        { path: 'body', message: 'has an unknown field "extra"' },
        { path: 'body/email', message: 'must match format "email"' },
        {
          path: 'body/role',
          message: 'must be one of owner, admin, staff, viewer, scanner, customer',
        },
      ]),
    });
  });

  it.each([
    ['an id that is none', 'DELETE /api/admin/members/abc'],
    ['a broken escape', 'DELETE /api/admin/members/%zz'],
    ['U+0000 in a path', 'DELETE /api/admin/members/%00'],
    ['U+0000 in a query', 'GET /api/admin/audit?action=%00'],
    ['an unknown parameter', 'GET /api/admin/audit?colour=red'],
    ['a number that is none', 'GET /api/admin/members?limit=many'],
    ['a number too large', 'GET /api/admin/members?limit=100000'],
    ['a number beyond all numbers', 'GET /api/admin/audit?before=1e400'],
    ['a number that no database takes', 'GET /api/admin/audit?before=99999999999999999999'],
    ['a UUID in other clothes', `DELETE /api/admin/members/urn:uuid:${newId()}`],
  ])('%s: 400', async (_, route) => {
    const reply = await call(node().address, route, { token });
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
  });

  it.each([
    '0000-01-01T00:00:00Z',
    '2024-01-01T00:00:00+23:59',
    '0050-01-01T00:00:00Z',
    '9999-12-31T23:59:59-14:00',
    '2024-02-30T00:00:00Z',
    '2024-01-01T24:00:00Z',
    'yesterday',
  ])('a time that is none (%s): 400', async (valid_until) => {
    const reply = await send(JSON.stringify({ subject: 'x', role: 'viewer', valid_until }));
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
  });

  it('thousands of problems are answered with one, quickly', async () => {
    const algorithms = Array.from({ length: 12_000 }, () => 1);
    const body = { issuer: 'x', jwks_uri: 'https://x.example', audience: 'x', algorithms };
    const reply = await call(node().address, 'POST /api/admin/issuers', { token, body });
    expect(reply.status).toBe(400);
    expect((reply.body.details as { problems: object[] }).problems).toHaveLength(1);
  });

  it.each([
    ['no Host', 'GET /nope HTTP/1.1\r\nconnection: close\r\n\r\n', /400 Bad Request/],
    ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n', /This is not a proxy/],
    ['an odd expectation', 'GET / HTTP/1.1\r\nhost: x\r\nexpect: banana\r\n\r\n', /expectation/],
  ])('%s: an answer in the format', async (_, text, said) => {
    const answer = await sendRaw(node().address, text);
    expect(answer).toMatch(said);
    expect(answer).toMatch(/"error":"(invalid_request|not_found)"/);
  });

  it('a very long path: 404 or 400, never an error of ours', async () => {
    const reply = await call(node().address, `GET /api/${'x'.repeat(4_000)}`, { token });
    expect([400, 404]).toContain(reply.status);
  });

  it.each([
    ['a body that never ends', 'content-type: application/json\r\n', /did not arrive in time/],
    ['a body that nobody reads', '', /Unsupported Media Type|content type/i],
  ])('%s: the connection is ended with a sentence', { timeout: 30_000 }, async (_, more, said) => {
    const head = `POST /api/demo/sessions HTTP/1.1\r\nhost: x\r\n${more}content-length: 9\r\n\r\n{`;
    const started = systemClock.monotonic();
    const answer = await sendRaw(node().address, head);
    expect(answer).toMatch(said);
    expect(answer).toContain('"error":"invalid_request"');
    expect(systemClock.monotonic() - started).toBeLessThan(10_000);
  });
});

describe('a connection', () => {
  it('on which no request came ends without an answer, which the next would be given', {
    timeout: 30_000,
  }, async () => {
    // Browsers open connections ahead. What comes before their first request is taken for its
    // answer: that was a 400 to a request that nothing was wrong with.
    expect(await sendRaw(node().address, '')).toBe('');
    // Half a request is told what is wrong with it, as before.
    expect(await sendRaw(node().address, 'GET /health/live HTTP/1.1\r\nhost: x\r\n')).toMatch(
      /did not arrive in time/,
    );
  });
});

describe('headers', () => {
  it('protect every reply, and pages more', async () => {
    const { headers } = await call(node().address, 'GET /health/live');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toBeNull();
    const page = await call(node().address, 'GET /docs/');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    const shop = await call(node().address, 'GET /');
    expect(shop.headers.get('content-security-policy')).toContain("script-src 'self';");
  });

  it('let the pages of configured origins in, and no others', async () => {
    const preflight = (origin: string) =>
      call(node().address, 'OPTIONS /api/admin/members', {
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const shop = await preflight('https://shop.example');
    expect(shop.status).toBe(204);
    expect(shop.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(shop.headers.get('access-control-allow-headers')).toContain('idempotency-key');
    const other = await preflight('https://evil.example');
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('let a configured page read a refusal, too', async () => {
    const headers = { origin: 'https://shop.example' };
    const refused = await call(node().address, 'GET /api/admin/members', { headers });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(refused.headers.get('cache-control')).toBe('no-cache, no-store');
  });

  it('never take an address from a client that is no trusted proxy', async () => {
    const route = 'POST /api/admin/members';
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const body = { subject: 'far away', role: 'viewer' };
    await call(node().address, route, { token, body, headers });
    const { list } = await call(node().address, 'GET /api/admin/audit?limit=1', { token });
    expect(list[0]?.ip_address).toBe('127.0.0.1');
  });
});

describe('a trusted proxy', () => {
  const proxied = useNode(database, { DEMO: '1', TRUSTED_PROXIES: '127.0.0.1' });

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['[2001:db8::1]:80', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['garbage', '127.0.0.1'],
  ])('tells whose request it is: %s', async (forwarded, seen) => {
    const headers = { 'x-forwarded-for': forwarded };
    const body = { subject: 'far away', role: 'viewer' };
    const { address } = proxied();
    const reply = await call(address, 'POST /api/admin/members', { token, body, headers });
    expect(reply.status).toBe(201);
    const { list } = await call(address, 'GET /api/admin/audit?limit=1', { token });
    expect(list[0]?.ip_address).toBe(seen);
  });
});

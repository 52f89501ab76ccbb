import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { manualClock } from '@voelgoed/engine/kit';
import { scopeOf } from '@voelgoed/engine/scope';
import { createApiKey } from '@voelgoed/engine/workflows';
import { aCaller, anEngine, anOrganization, done, newId } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchOutside, isInternalAddress, isPublicHttps } from '#outgoing';
import { Authenticator, signToken } from './tokens.ts';

const database = useDatabase();
const SECRET = 'a secret for the tests of tokens, long enough';
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ISSUER = 'https://login.example';

let server: Server;
let fetches = 0;
let answer: () => { status: number; body: string };

beforeEach(async () => {
  fetches = 0;
  const jwk = { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'known', alg: 'RS256' };
  answer = () => ({ status: 200, body: JSON.stringify({ keys: [jwk] }) });
  server = createServer((_, reply) => {
    fetches++;
    const { status, body } = answer();
    reply.writeHead(status).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function setUp(clock = manualClock()) {
  const { organizationId } = await anOrganization(database.postgres);
  const { port } = server.address() as AddressInfo;
  const row = {
    issuer_id: newId(),
    issuer: ISSUER,
    jwks_uri: `http://127.0.0.1:${port}/`,
    audience: 'seats',
    algorithms: ['RS256'],
    created_at: '',
  };
  const authenticator = new Authenticator({
    secret: SECRET,
    postgres: database.postgres,
    clock,
    issuers: async () => [row],
    allowInternalIssuers: true,
  });
  const use = (token: string) => authenticator.authenticate(`Bearer ${token}`);
  const now = () => Math.floor(clock.now() / 1_000);
  const rs256 = (kid = 'known', claims: object = {}) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const payload = { sub: 'x', org: organizationId, iss: ISSUER, aud: 'seats', exp: now() + 600 };
    const text = `${part({ alg: 'RS256', kid })}.${part({ ...payload, ...claims })}`;
    return `${text}.${sign('sha256', Buffer.from(text), rsa.privateKey).toString('base64url')}`;
  };
  return { clock, organizationId, authenticator, use, now, rs256 };
}

describe('a token that was verified before', () => {
  it('is refused once its time is over, to the second of the tolerance', async () => {
    const { clock, organizationId, use, now } = await setUp();
    const expires = now() + 100;
    const token = signToken(SECRET, { subject: 'x', organizationId, role: 'staff', expires });
    expect(await use(token)).not.toBeNull();
    clock.advance(129_000);
    expect(await use(token)).not.toBeNull();
    clock.advance(1_000);
    expect(await use(token)).toBeNull();
  });

  it('of an issuer is refused once the issuer has withdrawn the key', async () => {
    const { clock, use, rs256 } = await setUp();
    const token = rs256('known', { exp: 4_000_000_000 });
    expect(await use(token)).not.toBeNull();
    answer = () => ({ status: 200, body: JSON.stringify({ keys: [] }) });
    clock.advance(700_000);
    expect(await use(token)).toBeNull();
  });
});

describe('a token of our own', () => {
  it.each([
    ['as we sign it', {}, true],
    ['with an extension that must be understood', { crit: ['exp'], exp: 1 }, false],
    ['with none that must be understood', { crit: [] }, false],
  ])('%s', async (_, more, isGood) => {
    const { organizationId, use, now } = await setUp();
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { sub: 'x', org: organizationId, role: 'staff', exp: now() + 100 };
    const text = `${part({ alg: 'HS256', typ: 'JWT', ...more })}.${part(claims)}`;
    const mac = createHmac('sha256', SECRET).update(text).digest('base64url');
    expect((await use(`${text}.${mac}`)) !== null).toBe(isGood);
  });
});

describe('whose a credential is', () => {
  it('is known without asking once it was good, and not if it is wrong', async () => {
    const { organizationId, authenticator, use, now } = await setUp();
    const expires = now() + 100;
    const token = signToken(SECRET, { subject: 'x', organizationId, role: 'staff', expires });
    const caller = aCaller({ scope: scopeOf(organizationId) });
    const wanted = { name: 'till', scopes: ['holds:read'] as const, expiresInDays: null };
    const engine = anEngine(database.postgres);
    const { key } = done(await createApiKey(engine, caller, wanted));
    if (key === null) throw new Error('a key is shown once');
    const wrong = `${key.slice(0, -3)}xyz`;
    const known = (text: string) => authenticator.organizationOf(`Bearer ${text}`);
    expect([token, key].map(known)).toEqual([null, null]);
    for (const text of [token, key, wrong]) await use(text);
    expect([token, key].map(known)).toEqual([organizationId, organizationId]);
    expect(known(wrong)).toBeNull();
    await engine.registry.stop();
  });
});

describe('the keys of an issuer', () => {
  it('are fetched once for many tokens, and not for every invented key id', async () => {
    const { use, rs256 } = await setUp();
    const tokens = Array.from({ length: 20 }, (_, n) => rs256('known', { sub: `u${n}` }));
    const seen = await Promise.all(tokens.map(use));
    expect(seen.every((principal) => principal !== null)).toBe(true);
    await Promise.all(Array.from({ length: 20 }, (_, n) => use(rs256(`invented ${n}`))));
    expect(fetches).toBe(1);
  });

  it('are asked for again when a new one appears, after a while', async () => {
    const { clock, use, rs256 } = await setUp();
    await use(rs256());
    const jwk = { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'new', alg: 'RS256' };
    answer = () => ({ status: 200, body: JSON.stringify({ keys: [jwk] }) });
    expect(await use(rs256('new'))).toBeNull();
    clock.advance(31_000);
    expect(await use(rs256('new'))).not.toBeNull();
  });

  it.each([
    ['an error', { status: 500, body: '' }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['too much', { status: 200, body: 'x'.repeat(300_000) }],
    ['a redirect', { status: 302, body: '' }],
  ])('that cannot be had (%s) are our trouble, not the caller’s', async (_, bad) => {
    const { clock, use, rs256 } = await setUp();
    const good = answer;
    answer = () => bad;
    await expect(use(rs256())).rejects.toMatchObject({ code: 'unavailable' });
    await expect(use(rs256())).rejects.toMatchObject({ code: 'unavailable' });
    expect(fetches).toBe(1);
    answer = good;
    clock.advance(6_000);
    expect(await use(rs256())).not.toBeNull();
  });

  it('are used on when they cannot be fetched again', async () => {
    const { clock, use, rs256 } = await setUp();
    await use(rs256());
    answer = () => ({ status: 500, body: '' });
    clock.advance(700_000);
    expect(await use(rs256())).not.toBeNull();
  });
});

describe('addresses', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    '::',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fe80::1',
    'fec0::1',
    '2002:7f00:1::',
    '2001:db8::1',
    'not an address',
  ])('%s is internal', (address) => expect(isInternalAddress(address)).toBe(true));

  it.each(['8.8.8.8', '2a00:1450:4001:82a::200e', '::ffff:8.8.8.8'])('%s is public', (address) =>
    expect(isInternalAddress(address)).toBe(false),
  );

  it('are named by public https alone', () => {
    expect(isPublicHttps('https://login.example/keys')).toBe(true);
    for (const text of [
      'http://login.example',
      'https://localhost',
      'https://127.0.0.1',
      'https://[::1]/',
      'https://2130706433/',
      'https://user@login.example',
      'https://:secret@login.example',
      'https://metadata.internal',
      'ftp://login.example',
      'nonsense',
    ]) {
      expect([text, isPublicHttps(text)]).toEqual([text, false]);
    }
  });

  it('are looked up when they are used: a public name may lead home', async () => {
    const limits = { signal: AbortSignal.timeout(2_000), body_bytes: 10, allowInternal: false };
    await expect(fetchOutside('https://localhost.localdomain/', limits)).rejects.toThrow();
    await expect(fetchOutside('http://127.0.0.1/', limits)).rejects.toThrow('public https');
  });
});

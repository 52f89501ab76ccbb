import type { AddressInfo } from 'node:net';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { sendRaw } from '@voelgoed/testkit/servers';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { createMetrics } from '#metrics';
import type { Authenticator, Principal } from '#tokens';
import { addressOf, createHttp, type Http, type QuickRoute, refuse } from './http.ts';

const PRINCIPAL: Principal = {
  kind: 'user',
  id: newId(),
  organizationId: newId(),
  organization: 'active',
  role: 'customer',
  scopes: new Set(['buy']),
  membership: null,
  eventId: null,
};
/** Everybody is known. */
const authenticator = { remembered: () => PRINCIPAL } as unknown as Authenticator;
const stopping: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stopping.splice(0)) await stop();
});

async function serve(
  route: Partial<QuickRoute>,
  known = authenticator,
  prepare: (http: Http) => unknown = () => {},
) {
  const metrics = createMetrics();
  const http = await createHttp({
    gate: null,
    logger: pino({ level: 'silent' }),
    metrics,
    telemetry: silentTelemetry,
    trustedProxies: ['127.0.0.1'],
    corsOrigins: [],
    deadline_ms: 150,
    guard: { authenticator: known, platformSecret: null, scopeOfEvent: async () => null },
  });
  http.serveQuickly({
    url: '/quick',
    match: (path) => (path === '/quick' ? { event_id: newId() } : null),
    hasShape: (body) => body !== undefined,
    refuse: () => false,
    handle: async (_, reply) => reply.send({ data: 'held' }),
    ...route,
  });
  prepare(http);
  await http.listen({ host: '127.0.0.1', port: 0 });
  stopping.push(() => http.close());
  const { port } = http.server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  return { http, metrics, ask: () => fetch(`${address}/quick`, { method: 'POST' }), address };
}

describe('a route before the framework', () => {
  it.each<[string, Partial<QuickRoute>]>([
    [
      'while it looks',
      {
        refuse: () => {
          throw new Error('a bug');
        },
      },
    ],
    [
      'before it waits',
      {
        handle: () => {
          throw new Error('a bug');
        },
      },
    ],
    ['later', { handle: () => Promise.reject(new Error('a bug')) }],
  ])('that breaks %s is answered, and the next one is served', async (_, route) => {
    const { ask } = await serve(route);
    for (let count = 0; count < 2; count++) {
      const reply = await ask();
      expect([reply.status, ((await reply.json()) as { error: string }).error]).toEqual([
        500,
        'internal',
      ]);
    }
  });

  it('whose credential cannot even be looked at goes the usual way', async () => {
    const broken = {
      remembered: () => {
        throw new Error('a bug');
      },
    } as unknown as Authenticator;
    const { ask } = await serve({}, broken);
    // The framework has no such route here, and says so.
    expect((await ask()).status).toBe(404);
  });

  it('that takes too long is told once, and what comes later changes nothing', async () => {
    const { ask, metrics } = await serve({
      handle: async (_, reply) => {
        // Until it is said that it took too long, and not until that has left.
        while (!reply.sent) await new Promise((later) => setImmediate(later));
        reply.code(201);
        reply.header('x-late', 'yes');
        return refuse(reply, 'forbidden', 'too late');
      },
    });
    const reply = await ask();
    const { error } = (await reply.json()) as { error: string };
    expect([reply.status, error]).toEqual([503, 'outcome_unknown']);
    expect(reply.headers.get('x-late')).toBeNull();
    const counted = await metrics.text();
    expect(counted).toContain(
      'http_request_seconds_count{method="POST",route="/quick",status="503"} 1',
    );
  });

  it('learns that whoever asked has gone', async () => {
    const asked = Promise.withResolvers<{ readonly aborted: boolean }>();
    const done = Promise.withResolvers<void>();
    const { address } = await serve({
      handle: async ({ gone }) => {
        asked.resolve(gone);
        await done.promise;
      },
    });
    const leaving = new AbortController();
    const reply = fetch(`${address}/quick`, { method: 'POST', signal: leaving.signal });
    const gone = await asked.promise;
    expect(gone.aborted).toBe(false);
    leaving.abort();
    await expect(reply).rejects.toThrow();
    await eventually(() => gone.aborted);
    done.resolve();
  });

  it('says that the node is closing', async () => {
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const { http, ask } = await serve({
      handle: async (_, reply) => {
        asked.resolve();
        await go.promise;
        return reply.send({ data: 'held' });
      },
    });
    const replied = ask();
    await asked.promise;
    const closed = http.close();
    await eventually(() => !http.server.listening);
    go.resolve();
    const reply = await replied;
    expect([reply.status, reply.headers.get('connection')]).toEqual([200, 'close']);
    await closed;
  });

  it('is not there for other methods, paths and kinds of bodies', async () => {
    const { address } = await serve({});
    const said = async (line: string, more = 'content-length: 0\r\n') =>
      (
        await sendRaw(address, `${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`)
      ).split('\r\n')[0];
    for (const line of ['GET /quick', 'POST /quick?a=1', 'POST /QUICK', 'PUT /quick']) {
      expect(await said(line)).toContain('404');
    }
    expect(await said('POST /quick')).toContain('200');
    const json = 'content-type: application/json\r\n';
    const tooLong = 16 * 1024 + 1;
    for (const body of [
      'content-type: text/plain\r\ncontent-length: 2\r\n\r\n{}',
      `${json}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`,
      `${json}content-length: ${tooLong}\r\n\r\n${'{}'.padEnd(tooLong)}`,
      json,
    ]) {
      expect([body, await said('POST /quick', body)]).toEqual([
        body,
        expect.stringContaining('404'),
      ]);
    }
  });

  it('leaves an empty body to the framework as it was, also if that has to ask first', async () => {
    let looks = 0;
    const forgetful = {
      // Known to those who look first, and then not any more.
      remembered: () => (looks++ === 0 ? PRINCIPAL : undefined),
      authenticate: async () => {
        for (let turn = 0; turn < 5; turn++) await new Promise((later) => setImmediate(later));
        return PRINCIPAL;
      },
    } as unknown as Authenticator;
    const usual = { config: { access: { kind: 'buyer' } } } as const;
    const { address } = await serve({ hasShape: () => false }, forgetful, (http) =>
      http.post('/quick', usual, async (_, reply) => reply.send({ data: 'as usual' })),
    );
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${address}/quick`, { method: 'POST', headers });
    expect([reply.status, await reply.json()]).toEqual([200, { data: 'as usual' }]);
    expect(looks).toBe(2);
  });
});

describe('where somebody called from', () => {
  it('is nowhere once the connection is reset', () => {
    const request = { ip: undefined, socket: { remoteAddress: undefined } };
    expect(addressOf(request as unknown as Parameters<typeof addressOf>[0])).toBeNull();
  });
});

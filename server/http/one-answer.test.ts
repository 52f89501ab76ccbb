import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { OperatingError, systemClock } from '@voelgoed/engine/kit';
import { recordingTelemetry } from '@voelgoed/engine/telemetry';
import { eventually } from '@voelgoed/testkit/eventually';
import { sendRaw } from '@voelgoed/testkit/servers';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { createMetrics } from '#metrics';
import type { Authenticator } from '#tokens';
import { createHttp, type Http } from './http.ts';

const stopping: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stopping.splice(0)) await stop();
});

const DEADLINE_MS = 60;
const OPEN = {
  config: { access: { kind: 'open' } },
  schema: { tags: ['x'], summary: 'x' },
} as const;

async function serve(register: (http: Http) => void) {
  const telemetry = recordingTelemetry();
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const authenticator = {} as Authenticator;
  const http = await createHttp({
    gate: null,
    logger,
    metrics: createMetrics(),
    telemetry,
    trustedProxies: [],
    corsOrigins: [],
    deadline_ms: DEADLINE_MS,
    guard: { authenticator, platformSecret: null, scopeOfEvent: async () => null },
  });
  register(http);
  const address = await http.listen({ host: '127.0.0.1', port: 0 });
  stopping.push(() => http.close());
  const dropped = () => telemetry.happenings.filter(({ kind }) => kind === 'http.answer_dropped');
  return { http, address, dropped, lines };
}

/** The loop stands still. */
function stall(ms: number): void {
  for (const until = systemClock.monotonic() + ms; systemClock.monotonic() < until; );
}

describe('a response', () => {
  it('that is streamed when its deadline ends is cut off, and gets no second answer', async () => {
    const { address } = await serve((http) => {
      http.get('/', OPEN, (_request, reply) => {
        const slow = new Readable({ read() {} });
        slow.push('{"line":1}\n');
        reply.type('application/x-ndjson').send(slow);
      });
    });
    const reply = await fetch(address);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'application/x-ndjson',
    ]);
    // A client must not take what it has got for all there is.
    await expect(reply.text()).rejects.toThrow();
    const raw = await sendRaw(address, `GET / HTTP/1.1\r\n${HOST}\r\n`);
    expect(raw).toContain('{"line":1}');
    expect(raw).not.toContain('"error"');
  });

  it('says at once that it has ended, and its bytes leave with those of its turn', async () => {
    const order: string[] = [];
    const { address } = await serve((http) => {
      http.get('/', OPEN, (request, reply) => {
        reply.raw.once('finish', () => order.push('left'));
        reply.send({ data: request.id });
        order.push(`sent: ${reply.sent}`, `ended: ${reply.raw.writableEnded}`);
      });
    });
    expect((await fetch(address)).status).toBe(200);
    expect(order).toEqual(['sent: true', 'ended: true', 'left']);
  });

  it('is the first one, whole: a second one is dropped, counted and not thrown', async () => {
    const { address, dropped, lines } = await serve((http) => {
      http.get('/', OPEN, (_request, reply) => {
        reply.code(503).header('retry-after', '1').send({ error: 'unavailable' });
        reply.code(201).header('location', '/there').header('retry-after', '9').send({ ok: true });
        // Nor past the framework.
        reply.raw.writeHead(202, { location: '/there' }).end('{"ok":true}');
        expect([reply.statusCode, reply.raw.write('more')]).toEqual([503, false]);
      });
    });
    const reply = await fetch(address);
    expect([reply.status, await reply.text()]).toEqual([503, '{"error":"unavailable"}']);
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(reply.headers.get('location')).toBeNull();
    expect(dropped()).toEqual([
      { kind: 'http.answer_dropped', at: 'framework' },
      { kind: 'http.answer_dropped', at: 'response' },
    ]);
    expect(lines).toEqual([]);
  });

  it('that cannot be written is answered by 500, in the same turn', async () => {
    const { address } = await serve((http) => {
      http.get('/', OPEN, async (_request, reply) => reply.header('location', 'a\nb').send('x'));
      http.get('/later', OPEN, async () => ({ data: 'still here' }));
    });
    expect((await fetch(address)).status).toBe(500);
    expect((await fetch(`${address}/later`)).status).toBe(200);
  });
});

describe('an answer in the moment of the deadline', () => {
  it('is one and whole, whichever was first, and the other is counted', async () => {
    const { address, dropped } = await serve((http) => {
      const steps = { ...OPEN, schema: { querystring: { type: 'object' } } };
      http.get<{ Querystring: { step: string } }>('/', steps, async (request) => {
        await systemClock.sleep(DEADLINE_MS - 4 + Number(request.query.step));
        // Until both timers are due.
        stall(2);
        return { data: 'done' };
      });
    });
    const seen = new Map<string, number>();
    for (let round = 0; round < 5; round++) {
      const asked = Array.from({ length: 20 }, (_, step) => fetch(`${address}/?step=${step / 4}`));
      for (const reply of await Promise.all(asked)) {
        const { data, error } = (await reply.json()) as { data?: string; error?: string };
        const answer = `${reply.status} ${data ?? error}`;
        seen.set(answer, (seen.get(answer) ?? 0) + 1);
      }
    }
    expect([...seen.keys()].sort()).toEqual(['200 done', '503 unavailable']);
    // Each handler whose request was answered by the deadline has answered as well.
    expect(dropped()).toHaveLength(seen.get('503 unavailable') ?? 0);
  });

  it('has no header of the answer that was begun, and a late error is no line', async () => {
    const { address, lines, dropped } = await serve((http) => {
      http.get('/', OPEN, async (_request, reply) => {
        reply.header('etag', '"x"').header('cache-control', 'public').type('text/plain');
        await systemClock.sleep(3 * DEADLINE_MS);
        throw new OperatingError('unavailable', 'too late', { retryable: true });
      });
      http.get('/bug', OPEN, async () => {
        await systemClock.sleep(3 * DEADLINE_MS);
        throw new TypeError('a bug');
      });
    });
    const reply = await fetch(address);
    const { etag, ...headers } = Object.fromEntries(reply.headers);
    expect([reply.status, etag]).toEqual([503, undefined]);
    expect(headers).toMatchObject({
      'cache-control': 'no-cache, no-store',
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    await eventually(() => dropped().length === 1);
    expect(lines).toEqual([]);
    await fetch(`${address}/bug`);
    await eventually(() => dropped().length === 2 && lines.length === 1);
    expect(lines[0]).toContain('a request failed by a bug after its answer');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ ids: { request: 'GET /bug' } });
  });
});

const HOST = 'host: x\r\n';

describe('bytes that are no request', () => {
  const GARBAGE = 'this is no HTTP\r\n\r\n';

  it('are not answered into the answer of a request before them', async () => {
    const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
    const { address } = await serve((http) => {
      http.get('/slow', OPEN, async () => {
        await mayGo;
        return { data: 'done' };
      });
    });
    // A change under way: "not valid" would be read as its answer.
    const text = sendRaw(address, `GET /slow HTTP/1.1\r\n${HOST}\r\n${GARBAGE}`);
    expect(await text).toBe('');
    go();
  });

  it('end a stream, and are not written into it', async () => {
    const { address } = await serve((http) => {
      http.get('/stream', OPEN, (_request, reply) => {
        reply.hijack();
        reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
        reply.raw.write('data: 1\n\n');
      });
    });
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write(`GET /stream HTTP/1.1\r\n${HOST}\r\n`);
    await once(socket, 'data');
    socket.write(GARBAGE);
    await once(socket, 'close');
    expect(text).toContain('HTTP/1.1 200 OK');
    expect(text).not.toContain('400');
  });

  it('are refused where no request waits, and where they are the request’s own body', async () => {
    const { address } = await serve((http) => {
      http.post('/', OPEN, async () => ({ data: 'done' }));
    });
    const headers = 'transfer-encoding: chunked\r\ncontent-type: application/json\r\n';
    const chunked = `POST / HTTP/1.1\r\n${HOST}${headers}\r\n`;
    for (const bytes of [GARBAGE, `${chunked}zz\r\n`]) {
      const text = await sendRaw(address, bytes);
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
      expect(text).toContain('"error":"invalid_request"');
    }
  });
});

describe('the Host header', () => {
  const ask = (...hosts: string[]) =>
    `GET / HTTP/1.1\r\n${hosts.map((host) => `${host}\r\n`).join('')}connection: close\r\n\r\n`;

  it.each([
    ['once', ask('Host: x'), 200],
    ['not at all, in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 200],
    ['not at all', ask(), 400],
    ['twice', ask('Host: x', 'hOST: evil.example'), 400],
    ['twice the same', ask('Host: x', 'Host: x'), 400],
  ])('%s', async (_, bytes, status) => {
    const { address } = await serve((http) => {
      http.get('/', OPEN, async () => ({ data: 'done' }));
    });
    const text = await sendRaw(address, bytes);
    expect(text).toContain(`HTTP/1.1 ${status} `);
    if (status === 400) expect(text).toContain('"error":"invalid_request"');
  });
});

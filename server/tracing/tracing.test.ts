import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@voelgoed/testkit/eventually';
import { useReceivers } from '@voelgoed/testkit/receivers';
import { call, startTestNode, tokenFor } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readTraceparent, traceparentOf } from './tracing.ts';

type Span = {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code: number };
};

const spans: Span[] = [];
let answer = 200;
/** A collector: keeps what it is sent, as a real one would read it. */
const collector = createServer((request, reply) => {
  let text = '';
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    expect([request.method, request.url]).toEqual(['POST', '/v1/traces']);
    const { resourceSpans } = JSON.parse(text);
    for (const { scopeSpans } of resourceSpans) {
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    reply.writeHead(answer, { 'content-type': 'application/json' }).end('{}');
  });
});

let endpoint = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterAll(async () => {
  const closed = new Promise((resolve) => collector.close(resolve));
  collector.closeAllConnections();
  await closed;
});

const receivers = useReceivers();
const { database, scope, show } = useShows();
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  spans.length = 0;
  answer = 200;
});

async function aNode(environment: Record<string, string>) {
  const node = await startTestNode(database, { ALLOW_INTERNAL_ADDRESSES: '1', ...environment });
  stops.push(node.stop);
  return node;
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const traceparent = `00-${TRACE}-${PARENT}-01`;

/** To the end: an answer that nobody reads keeps its connection. */
async function read(url: string, headers: Record<string, string> = {}): Promise<void> {
  await (await fetch(url, { headers })).text();
}

async function reserve(address: string, eventId: string, seat: string, headers: object) {
  const token = tokenFor(scope().organizationId, { role: 'customer', subject: seat });
  const path = `/api/events/${eventId}/seats/${seat}/reserve`;
  const reply = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  await reply.text();
  return reply.status;
}

const named = (name: string) =>
  eventually(() => spans.find((span) => span.name === name), { within_ms: 5_000 });

describe('a trace', () => {
  it('goes from the request through the flush to Postgres and Redis', async () => {
    const { address } = await aNode({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRACES_PERCENT: '0' });
    const { eventId, seats } = await show();
    await read(`${address}/api/events/${eventId}/availability`);
    expect(await reserve(address, eventId, seats[0] ?? '', { traceparent })).toBe(201);
    const root = await named('POST /api/events/:event_id/seats/:seat_id/reserve');
    expect(root).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, kind: 2 });
    const flush = spans.find(({ name }) => name === 'flush');
    expect(flush).toMatchObject({ traceId: TRACE, parentSpanId: root.spanId });
    const inside = spans.filter(({ parentSpanId }) => parentSpanId === flush?.spanId);
    const names = inside.map(({ name }) => name);
    expect(names).toContain('postgres flush.lock');
    expect(names).toContain('postgres commit');
    expect(spans.some(({ name }) => name.startsWith('redis '))).toBe(true);
    for (const span of spans) {
      expect(span.traceId).toBe(TRACE);
      expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
      expect(BigInt(span.startTimeUnixNano)).toBeLessThanOrEqual(BigInt(span.endTimeUnixNano));
      expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(root.endTimeUnixNano));
    }
  });

  it('is begun for a share of the requests, and never against the caller', async () => {
    const { address } = await aNode({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/`,
      TRACES_PERCENT: '100',
    });
    await read(`${address}/health/live`);
    expect((await named('GET /health/live')).parentSpanId).toBe('');
    const unwanted = `00-${TRACE}-${PARENT}-00`;
    await read(`${address}/openapi.json`, { traceparent: unwanted });
    await read(`${address}/metrics`, { traceparent: 'nonsense' });
    await named('GET /metrics');
    expect(spans.map(({ name }) => name)).not.toContain('GET /openapi.json');
  });

  it('is passed on to whom we ask meanwhile', async () => {
    const { address } = await aNode({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    const seen: unknown[] = [];
    const receiver = await receivers();
    const token = tokenFor(scope().organizationId);
    const made = await call(address, 'POST /api/admin/webhooks', {
      token,
      body: { url: receiver.url },
    });
    receiver.answer((_, reply) => {
      seen.push(reply.req.headers.traceparent);
      return 204;
    });
    const test = `POST /api/admin/webhooks/${made.data.webhook_id}/test`;
    expect((await call(address, test, { token, headers: { traceparent } })).status).toBe(200);
    expect(seen).toEqual([expect.stringMatching(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`))]);
  });

  it('is lost, and nothing else, when the collector fails', async () => {
    answer = 500;
    const { address } = await aNode({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    const { eventId, seats } = await show();
    expect(await reserve(address, eventId, seats[0] ?? '', { traceparent })).toBe(201);
    await eventually(async () => {
      const text = await (await fetch(`${address}/metrics`)).text();
      return text.includes('voelgoed_job_failed_total{work="traces"} ');
    });
  });

  it('is made for nobody when no collector is named', async () => {
    const { address } = await aNode({});
    const { eventId, seats } = await show();
    expect(await reserve(address, eventId, seats[0] ?? '', { traceparent })).toBe(201);
    expect(spans).toEqual([]);
  });
});

describe('a traceparent', () => {
  it('is read as the standard says', () => {
    const read = readTraceparent(traceparent);
    expect(read).toEqual({ traceId: TRACE, spanId: PARENT, sampled: true });
    expect(read && traceparentOf(read)).toBe(traceparent);
    expect(readTraceparent(`01-${TRACE}-${PARENT}-01-more`)).toMatchObject({ traceId: TRACE });
  });

  it.each([
    undefined,
    '',
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
  ])('is not %s', (text) => {
    expect(readTraceparent(text)).toBeNull();
  });
});

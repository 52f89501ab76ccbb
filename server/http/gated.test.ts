import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetrics } from '#metrics';
import { Gate } from '#overload';
import { gated } from './gated.ts';

const ID = '0199f0f0-0000-7000-8000-000000000000';
const HOLD = `/api/events/${ID}/holds`;

describe('a server behind a gate that is full', () => {
  const metrics = createMetrics();
  const gate = new Gate({
    clock: systemClock,
    random: systemRandom,
    organizationOfEvent: () => null,
    organizationOfHeader: () => null,
  });
  const corsOrigins = ['https://shop.example'];
  const server = createServer(
    gated({ gate, metrics, corsOrigins }, (_, reply) => void reply.end('in')),
  );
  let address = '';
  beforeAll(async () => {
    // Payments are always let in, and these are never answered.
    for (let count = 0; count < 20_000; count++) {
      gate.enter('POST', '/webhooks/payments/demo', undefined);
    }
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it('answers at once, says when to come back, and counts it', async () => {
    const reply = await fetch(`${address}${HOLD}`, { method: 'POST', body: '{"items":[]}' });
    expect(reply.status).toBe(503);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const error = (await reply.json()) as { request_id: string };
    expect(error).toEqual({
      error: 'overloaded',
      message: 'Too many requests at the moment. Please try again.',
      details: {},
      request_id: reply.headers.get('x-request-id'),
    });
    const labels = 'method="POST",route="overloaded: hold",status="503"';
    expect(await metrics.text()).toContain(`voelgoed_http_request_seconds_count{${labels}} 1\n`);
  });

  it('lets pages of allowed origins read it, and no others', async () => {
    const from = (origin: string) =>
      fetch(`${address}${HOLD}`, { method: 'POST', headers: { origin } });
    const ours = await from('https://shop.example');
    expect(ours.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(ours.headers.get('access-control-expose-headers')).toContain('retry-after');
    const other = await from('https://other.example');
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('lets in payments and whoever looks after the node', async () => {
    const paid = await fetch(`${address}/webhooks/payments/demo`, { method: 'POST' });
    expect(await paid.text()).toBe('in');
    expect((await fetch(`${address}/health/ready`)).status).toBe(200);
    expect((await fetch(`${address}/api/events/${ID}/stream`)).status).toBe(503);
  });
});

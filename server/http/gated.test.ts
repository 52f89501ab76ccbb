import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import { eventually } from '@voelgoed/testkit/eventually';
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
    use: () => 1,
  });
  const corsOrigins = ['https://shop.example'];
  const shed: string[] = [];
  const counts = { metrics, telemetry: metrics.telemetry, shed: (id: string) => shed.push(id) };
  const server = createServer(
    gated({ gate, corsOrigins, ...counts }, (_, reply) => void reply.end('in')),
  );
  let address = '';
  beforeAll(async () => {
    // Payments are always let in, and these are never answered.
    for (let count = 0; count < 20_000; count++) {
      const pass = gate.enter('POST', '/webhooks/payments/demo', undefined);
      if ('place' in pass) pass.place?.begin();
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
    const counted = await metrics.text();
    expect(counted).toContain(`voelgoed_http_request_seconds_count{${labels}} 1\n`);
    expect(counted).toContain('voelgoed_refusals_total{code="overloaded"} 1\n');
    expect(shed).toEqual([ID]);
    await fetch(`${address}/api/events/${ID}/availability`);
    expect(shed).toEqual([ID]);
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

/** Says to the server whatever it is told, and reads nothing. */
async function slowClient(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  socket.write(text);
  return socket;
}

describe('a server with slow clients', () => {
  const gate = new Gate({
    clock: systemClock,
    random: systemRandom,
    organizationOfEvent: () => null,
    organizationOfHeader: () => null,
    use: () => 1,
  });
  const metrics = createMetrics();
  const begun: string[] = [];
  const large = Buffer.alloc(32 * 1024 * 1024);
  const work = new Set<ServerResponse>();
  const door = { gate, metrics, telemetry: metrics.telemetry, corsOrigins: [] };
  const server = createServer(
    gated(door, (request, response) => {
      begun.push(request.url ?? '');
      request.resume();
      if (request.url === '/work') work.add(response);
      else if (request.url === '/large') response.end(large);
      else request.once('end', () => response.end('in'));
    }),
  );
  let port = 0;
  const sockets: Socket[] = [];
  const say = async (text: string) => {
    const socket = await slowClient(port, text);
    sockets.push(socket);
    return socket;
  };
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('gives no place to a body that is still on its way', async () => {
    const head = 'POST /body HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n';
    await say(`${head}{`);
    await eventually(() => expect(begun).toContain('/body'));
    expect(gate.underWay).toBe(0);
  });

  it('gives none to whoever has not read a large answer yet', async () => {
    await say('GET /large HTTP/1.1\r\nHost: here\r\n\r\n');
    await eventually(() => expect(begun).toContain('/large'));
    expect(gate.underWay).toBe(0);
  });

  it('gives one while it works, to each of those that came on one connection', async () => {
    const ask = 'POST /work HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n{}';
    const socket = await say(ask.repeat(3));
    await eventually(() => expect(gate.underWay).toBe(3));
    socket.destroy();
    await eventually(() => expect(gate.underWay).toBe(0));
  });
});

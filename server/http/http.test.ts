import { once } from 'node:events';
import { connect } from 'node:net';
import { systemClock } from '@voelgoed/engine/kit';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { sendRaw, startTestNode, useNode } from '@voelgoed/testkit/servers';
import { describe, expect, it } from 'vitest';

const database = useDatabase();
const node = useNode(database);

const UUID = /^[0-9a-f-]{36}$/;

describe('the error format', () => {
  it('is the same for an unknown route', async () => {
    const reply = await fetch(`${node().address}/nope?x=1`, { method: 'POST' });
    expect(reply.status).toBe(404);
    expect(reply.headers.get('cache-control')).toBe('no-cache, no-store');
    expect(await reply.json()).toEqual({
      error: 'not_found',
      message: 'There is no POST /nope.',
      details: {},
      request_id: expect.stringMatching(UUID),
    });
  });

  it('names the request as its header does, and takes no name from outside', async () => {
    const reply = await fetch(`${node().address}/nope`, { headers: { 'x-request-id': 'mine' } });
    const { request_id } = (await reply.json()) as { request_id: string };
    expect(request_id).not.toBe('mine');
    expect(reply.headers.get('x-request-id')).toBe(request_id);
  });

  it.each([
    ['not HTTP at all', 'hello there\r\n\r\n', 'This is not a valid HTTP request.'],
    [
      'headers over 8 kB',
      `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(9_000)}\r\n\r\n`,
      'The headers are larger than 8 kB.',
    ],
  ])('is the same for %s', async (_, text, message) => {
    const [head = '', body = ''] = (await sendRaw(node().address, text)).split('\r\n\r\n');
    expect(head).toContain('400 Bad Request');
    expect(JSON.parse(body)).toMatchObject({ error: 'invalid_request', message, details: {} });
  });
});

const isReady = async (address: string) => (await fetch(`${address}/health/ready`)).status === 200;

describe('health', () => {
  it('says which part is wrong, as 503 with Retry-After', async () => {
    const applied = await database.asOwner('delete from schema_migrations returning *');
    // It is asked once in a second, and answers from memory in between.
    const reply = await eventually(async () => {
      const one = await fetch(`${node().address}/health/ready`);
      return one.status === 503 ? one : null;
    });
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(await reply.json()).toMatchObject({
      error: 'unavailable',
      details: { parts: { postgres: 'waits for migration 0001_foundation', redis: 'ok' } },
    });
    for (const row of applied) {
      await database.asOwner(
        'insert into schema_migrations (id, name, run_on) values ($1, $2, $3)',
        [row.id, row.name, row.run_on],
      );
    }
    await eventually(() => isReady(node().address));
  });

  it('counts requests by route', async () => {
    await fetch(`${node().address}/health/live`);
    const metrics = await (await fetch(`${node().address}/metrics`)).text();
    expect(metrics).toMatch(
      /voelgoed_http_request_seconds_count\{method="GET",route="\/health\/live",status="200"\} \d+/,
    );
    expect(metrics).toMatch(/voelgoed_postgres_statement_seconds_count\{statement="migrations/);
  });
});

describe('draining', () => {
  it('finishes what is under way and takes nothing new', async () => {
    const second = await startTestNode(database);
    // On a busy machine it may not have asked all its parts when it begins to listen.
    await eventually(() => isReady(second.address));
    const { hostname, port } = new URL(second.address);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const ask = 'GET /health/ready HTTP/1.1\r\nhost: x\r\n';
    socket.write(`${ask}\r\n${ask}`);
    await eventually(() => answer.includes('"ready"'));
    const stopped = second.stop();
    await eventually(() =>
      fetch(second.address)
        .then(() => false)
        .catch(() => true),
    );
    answer = '';
    socket.write('\r\n');
    await eventually(() => answer.includes('"stopping"'));
    expect(answer).toContain('503 Service Unavailable');
    expect(answer.toLowerCase()).toContain('connection: close');
    await stopped;
  });

  it('does not wait for a connection on which nobody ever said anything', async () => {
    const third = await startTestNode(database);
    const { hostname, port } = new URL(third.address);
    const socket = connect(Number(port), hostname);
    const closed = once(socket, 'close');
    await once(socket, 'connect');
    const started = systemClock.monotonic();
    await third.stop();
    await closed;
    expect(systemClock.monotonic() - started).toBeLessThan(5_000);
  });
});

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type PlayOptions, playTogether } from './play-together.ts';
import { SALE_ACTS } from './plays.ts';

type Asked = Readonly<{ line: string; headers: IncomingMessage['headers']; body: string }>;

const EVENT = 'event';
let close: () => Promise<unknown> = async () => {};
afterEach(() => close());

/** A server that remembers what it was asked, and answers as it is told. */
async function aServer(answer: (asked: Asked) => [number, string?, Record<string, string>?]) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const one = { line: `${request.method} ${request.url}`, headers: request.headers, body };
      asked.push(one);
      const [status, text = '', headers = {}] = answer(one);
      response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => new Promise((resolve) => server.close(resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const seatIds = Array.from({ length: 40 }, (_, index) => `seat-${index}`);
  const aim = { address, eventId: EVENT, seatIds, keys: false };
  const play = (options: PlayOptions) => playTogether(aim, ['one', 'two', 'three'], options);
  return { asked, play };
}

const held = (asked: Asked) => asked.line.endsWith('/reserve');

describe('the mixture of an on-sale', () => {
  it('is 70 looks, 20 holds, 5 given back and 5 checked out in a hundred', () => {
    const count = (act: string) => SALE_ACTS.filter((one) => one === act).length;
    expect(SALE_ACTS).toHaveLength(20);
    expect(['browse', 'hold', 'release', 'checkout'].map(count)).toEqual([14, 4, 1, 1]);
  });

  it('never gives back or checks out what was not held before', () => {
    let holds = 0;
    for (const act of SALE_ACTS) {
      if (act === 'hold') holds++;
      if (act === 'release' || act === 'checkout') holds--;
      expect(holds).toBeGreaterThanOrEqual(0);
    }
  });

  it('is what arrives at a server', async () => {
    const { asked, play } = await aServer((one) => {
      if (held(one)) return [201, `{"data":{"hold_id":"h${one.line.length}"}}`];
      if (one.line === 'POST /api/checkouts') return [201, '{"data":{"checkout_id":"c"}}'];
      return [200, '{"data":{}}', { etag: '"1"' }];
    });
    const report = await play({ play: { kind: 'on-sale' }, connections: 1, lasts_ms: 30_000 });
    // Ten visits take forty seats; then there is nothing left to hold.
    const visits = asked.slice(0, 200);
    const count = (test: (one: Asked) => boolean) => visits.filter(test).length;
    expect(count(held)).toBe(40);
    expect(count(({ line }) => line.startsWith('DELETE /api/holds/h'))).toBe(10);
    expect(count(({ line }) => line === 'POST /api/checkouts')).toBe(10);
    expect(count(({ line }) => line.startsWith('GET '))).toBe(140);
    expect(Object.values(report.steps).map(({ strange }) => strange)).toEqual([0, 0, 0, 0]);
  });
});

describe('a play', () => {
  it('asks for each seat once, as somebody else each time, and ends with the seats', async () => {
    const { asked, play } = await aServer(() => [201, '{}']);
    const report = await play({ play: { kind: 'reserve' }, connections: 4, lasts_ms: 30_000 });
    expect(new Set(asked.map(({ line }) => line)).size).toBe(40);
    expect(new Set(asked.map(({ headers }) => headers.authorization)).size).toBe(3);
    expect(report.steps.hold?.latencies_ms).toHaveLength(40);
    expect(report.seconds).toBeLessThan(30);
    expect(asked[0]?.body).toBe('{"source":"web"}');
  });

  it('counts what nobody expected', async () => {
    const { play } = await aServer(({ line }) => [line.includes('seat-7/') ? 503 : 201, '{}']);
    const report = await play({ play: { kind: 'reserve' }, connections: 2, lasts_ms: 30_000 });
    expect(report.steps.hold?.strange).toBe(1);
    expect(report.statuses).toEqual({ 201: 39, 503: 1 });
  });

  it('has its connections hold and give back seats of their own', async () => {
    const free = new Set(Array.from({ length: 40 }, (_, index) => `seat-${index}`));
    let twice = 0;
    const { asked, play } = await aServer(({ line }) => {
      const seat = /seat-\d+/.exec(line)?.[0] ?? '';
      if (line.startsWith('DELETE')) {
        free.add(seat);
        return [200, '{}'];
      }
      if (!free.delete(seat)) twice++;
      return [201, `{"hold_id":"${seat}"}`];
    });
    await play({ play: { kind: 'turnover' }, connections: 7, lasts_ms: 500 });
    expect(asked.length).toBeGreaterThan(14);
    expect(twice).toBe(0);
  });

  it('fills in what another server wants to know', async () => {
    const { asked, play } = await aServer(() => [202, '{}']);
    const body = '{"id":"{seat}","by":"{user}"}';
    const foreign = { kind: 'foreign', path: '/hold/{seat}', body, status: 202 } as const;
    const report = await play({ play: foreign, connections: 1, lasts_ms: 30_000 });
    expect(asked).toHaveLength(40);
    expect(asked[3]).toMatchObject({ line: 'POST /hold/seat-3' });
    expect(asked[3]?.body).toMatch(/^\{"id":"seat-3","by":"[0-9a-f-]{36}"\}$/);
    expect(report.steps.hold?.strange).toBe(0);
  });

  it('asks again with the tag it was given, and takes 304 for an answer', async () => {
    const { asked, play } = await aServer(({ headers }) =>
      headers['if-none-match'] === '"7"' ? [304] : [200, '{}', { etag: '"7"' }],
    );
    const read = { kind: 'read', path: '/api/events/{event}', again: true } as const;
    const report = await play({ play: read, connections: 1, lasts_ms: 500 });
    expect(asked[0]).toMatchObject({ line: `GET /api/events/${EVENT}` });
    // An empty token would be refused; whoever only looks has none.
    expect(asked[0]?.headers.authorization).toBeUndefined();
    // The first look is before anything is counted.
    expect(report.statuses[200]).toBeUndefined();
    expect(report.statuses[304]).toBeGreaterThan(1);
    expect(report.steps.read?.strange).toBe(0);
  });
});

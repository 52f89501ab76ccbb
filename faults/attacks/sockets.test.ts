import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { systemClock } from '@voelgoed/engine/kit';
import { anEngine, anOrganization, aPublishedEvent } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, startProcess, tokenFor } from '@voelgoed/testkit/servers';
import { testServices } from '@voelgoed/testkit/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen, openBare, sayBare, statusesIn } from './attacks.ts';

/** A node as a process of its own: its memory is its own, and so is its time. */
const database = useDatabase();
let server: ReturnType<typeof startProcess>;
let address: string;
let token: string;

beforeAll(async () => {
  const { authSecret, redisUrl } = testServices();
  server = startProcess('server/processes/start.ts', {
    DATABASE_URL: database.ownerUrl,
    AUTH_SECRET: authSecret,
    REDIS_URL: redisUrl,
    PORT: '0',
    DEMO: '0',
  });
  address = (await server.says(/is ready: (http:\S+)/))[1] ?? '';
  const { organizationId } = await anOrganization(database.postgres);
  token = tokenFor(organizationId, { seconds: 3_600 });
});

afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.exited;
});

const HOST = 'host: x\r\n';
const CLOSE = 'connection: close\r\n';
const members = (more = '') =>
  `POST /api/admin/members HTTP/1.1\r\n${HOST}authorization: Bearer ${token}\r\n${more}`;
const JSON_TYPE = 'content-type: application/json\r\n';
const post = (...headers: string[]) =>
  `POST /nope HTTP/1.1\r\n${HOST}${headers.map((one) => `${one}\r\n`).join('')}\r\n`;
/** What a smuggler wants to be taken for a request. */
const INNER = `GET /smuggled HTTP/1.1\r\n${HOST}${CLOSE}\r\n`;

/** Somebody else, who asks for something real: answered, and soon. */
async function neighbourIsServed(): Promise<void> {
  const started = systemClock.monotonic();
  const { status } = await call(address, 'GET /api/admin/members', { token });
  expect(status).toBe(200);
  expect(systemClock.monotonic() - started).toBeLessThan(3_000);
}

type Shape = readonly [name: string, bytes: string | Buffer, statuses: readonly number[]];

/** Shapes on which two programs in a row might disagree where a request ends. */
const SMUGGLED: readonly Shape[] = [
  [
    'length and chunks',
    `${post('content-length: 4', 'transfer-encoding: chunked')}0\r\n\r\n${INNER}`,
    [400],
  ],
  ['two lengths', `${post('content-length: 0', 'content-length: 9')}${INNER}`, [400]],
  ['two equal lengths', `${post('content-length: 0', 'content-length: 0')}${INNER}`, [400]],
  ['a list of lengths', `${post('content-length: 0, 9')}${INNER}`, [400]],
  ['a negative length', `${post('content-length: -1')}${INNER}`, [400]],
  ['a length with a sign', `${post('content-length: +0')}${INNER}`, [400]],
  ['a length in hex', `${post('content-length: 0x0')}${INNER}`, [400]],
  ['a length beyond all numbers', post('content-length: 99999999999999999999999'), [400]],
  // Refused by its path or by its body, whichever is seen first, and by one of them alone.
  ['chunks in disguise', `${post('transfer-encoding: xchunked')}0\r\n\r\n${INNER}`, [404, 400]],
  [
    'chunks said twice',
    `${post('transfer-encoding: chunked', 'transfer-encoding: identity')}0\r\n\r\n${INNER}`,
    [400],
  ],
  ['a space before the colon', `${post('transfer-encoding : chunked')}0\r\n\r\n${INNER}`, [400]],
  ['a header over two lines', `${post('transfer-encoding:', ' chunked')}0\r\n\r\n${INNER}`, [400]],
  ['bare line feeds', `GET /nope HTTP/1.1\nhost: x\n\n${INNER}`, [400]],
  ['a bare carriage return', `GET /nope HTTP/1.1\r\nhost: x\rx-a: 1\r\n\r\n${INNER}`, [400]],
  ['a NUL in a header', `GET /nope HTTP/1.1\r\n${HOST}x-a: a\0b\r\n\r\n${INNER}`, [400]],
  [
    'a chunk that is no number',
    `${post('transfer-encoding: chunked')}zz\r\n\r\n${INNER}`,
    [404, 400],
  ],
  [
    'a chunk of all there is',
    `${post('transfer-encoding: chunked')}ffffffffffffffffff\r\n${INNER}`,
    [404, 400],
  ],
];

/** Lines that are not ours to answer, or that try to be somewhere else. */
const ODD: readonly Shape[] = [
  ['no method', ` /nope HTTP/1.1\r\n${HOST}\r\n`, [400]],
  ['an unknown method', `STEAL /nope HTTP/1.1\r\n${HOST}\r\n`, [400]],
  ['a lower case method', `get /nope HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, [400]],
  ['HTTP/2 in clear', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ['HTTP/0.9', 'GET /nope\r\n\r\n', [400, 404]],
  ['HTTP/9.9', `GET /nope HTTP/9.9\r\n${HOST}\r\n`, [400]],
  ['a TLS hello', Buffer.from('16030100a5010000a10303', 'hex'), [400]],
  ['an absolute target', `GET http://evil.example/nope HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, [404]],
  ['a target without a slash', `GET nope HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, [400, 404]],
  ['a space in the target', `GET /a b HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, [400]],
  ['dots up', `GET /../../etc/passwd HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, [404]],
  ['escaped dots up', `GET /%2e%2e%2f%2e%2e%2fetc/passwd HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, [404]],
  ['a broken escape', `GET /api/%zz HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, [400, 404]],
  ['two hosts', `GET /nope HTTP/1.1\r\n${HOST}host: evil.example\r\n${CLOSE}\r\n`, [400]],
  ['no host', `GET /nope HTTP/1.1\r\n${CLOSE}\r\n`, [400]],
  ['a host that is none', `GET /nope HTTP/1.1\r\nhost: a b/c?d#e@f\r\n${CLOSE}\r\n`, [404]],
  ['an odd expectation', `GET /nope HTTP/1.1\r\n${HOST}expect: gold\r\n\r\n`, [400]],
  [
    'an upgrade to another protocol',
    `GET /nope HTTP/1.1\r\n${HOST}upgrade: websocket\r\nconnection: upgrade, close\r\n\r\n`,
    [404],
  ],
  ['a very long target', `GET /${'a'.repeat(9_000)} HTTP/1.1\r\n${HOST}\r\n`, [400]],
  ['one giant header', `GET /nope HTTP/1.1\r\n${HOST}x: ${'y'.repeat(100_000)}\r\n\r\n`, [400]],
  ['thousands of headers', `GET /nope HTTP/1.1\r\n${HOST}${'a: 1\r\n'.repeat(3_000)}\r\n`, [400]],
];

describe('malformed HTTP', () => {
  it.each([...SMUGGLED, ...ODD])(
    '%s: refused, and nothing behind it is heard',
    async (...shape) => {
      const [name, bytes, statuses] = shape;
      const { text } = await sayBare(address, bytes, 4_000);
      const [first, ...more] = statusesIn(text);
      expect([name, statuses]).toEqual([name, expect.arrayContaining([first])]);
      expect(text).not.toContain('GET /smuggled');
      expect(more.filter((status) => status < 400)).toEqual([]);
      const body = text.slice(text.indexOf('\r\n\r\n') + 4);
      expect(body).toContain('"request_id"');
      expect(text).toMatch(/x-content-type-options: nosniff/i);
    },
  );

  it('the control: the same request said properly is heard twice', async () => {
    const proper = `${post('content-length: 0')}${INNER}`;
    const { text } = await sayBare(address, proper, 4_000);
    expect(statusesIn(text)).toEqual([404, 404]);
    expect(text).toContain('GET /smuggled');
  });

  it('many requests at once on one connection are answered in their order', async () => {
    const one = `GET /health/live HTTP/1.1\r\n${HOST}\r\n`;
    const { text } = await sayBare(address, `${one.repeat(500)}${INNER}`, 10_000);
    const statuses = statusesIn(text);
    expect(statuses).toHaveLength(501);
    expect(statuses.slice(0, 500).every((status) => status === 200)).toBe(true);
  });

  it('waits for nobody who expects to be asked to go on, and goes on', async () => {
    const body = '{"subject":"late","role":"viewer"}';
    const head = members(`${JSON_TYPE}expect: 100-continue\r\n${CLOSE}`);
    const socket = openBare(address);
    socket.write(`${head}content-length: ${body.length}\r\n\r\n`);
    const heard = listen(socket, 5_000);
    await once(socket, 'data');
    socket.write(body);
    expect(statusesIn((await heard).text)).toEqual([100, 201]);
  });
});

describe('too much', () => {
  it('a body of a gigabyte is refused by its length, before it is sent', async () => {
    const { text, ended } = await sayBare(
      address,
      members(`${JSON_TYPE}content-length: 1000000000\r\n\r\n`),
      6_000,
    );
    expect([statusesIn(text), ended]).toEqual([[413], true]);
  });

  it('a body in chunks without end is refused when it is too long', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const socket = openBare(address);
    socket.write(members(`${JSON_TYPE}transfer-encoding: chunked\r\n\r\n`));
    for (let count = 0; count < 40; count++) socket.write(chunk);
    const { text, ended } = await listen(socket, 6_000);
    expect([statusesIn(text), ended]).toEqual([[413], true]);
  });

  it('a small body that unpacks to a large one is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000, 0x20));
    const head = members(`${JSON_TYPE}content-encoding: gzip\r\n${CLOSE}`);
    const { text } = await sayBare(
      address,
      [`${head}content-length: ${bomb.length}\r\n\r\n`, bomb],
      6_000,
    );
    expect(statusesIn(text)).toEqual([400]);
  });

  it('a file with a million empty lines is no request', async () => {
    const { text } = await sayBare(address, `${'\r\n'.repeat(500_000)}x\r\n\r\n`, 8_000);
    expect(statusesIn(text).every((status) => status === 400)).toBe(true);
    await neighbourIsServed();
  });
});

const MEMORY = /^voelgoed_nodejs_(?:heap_size_used|external_memory)_bytes (\S+)$/gm;

async function memory_mb(): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  const parts = [...text.matchAll(MEMORY)].map(([, bytes]) => Number(bytes));
  expect(parts).toHaveLength(2);
  return parts.reduce((sum, bytes) => sum + bytes, 0) / 2 ** 20;
}

/** Something that is no request, behind one. */
const CONNECT = `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`;

/** An answer that the buffers of a connection do not take: a map of 6 MB. */
async function aLargeAnswer(): Promise<string> {
  const engine = anEngine(database.postgres);
  const scope = await anOrganization(database.postgres);
  const seats = Array.from({ length: 30_000 }, (_, index) => {
    const [y, x] = [Math.floor(index / 100), index % 100];
    const coordinates = { x: x * 10, y: y * 12 };
    return { label: `R${y}-${x}`, row: `R${y}`, number: x + 1, coordinates };
  });
  const zones = [{ name: 'Stalls', zone_type: 'reserved_seating', seats }];
  const { eventId } = await aPublishedEvent(engine, scope, { config: { seat_size: 9, zones } });
  const path = `/api/events/${eventId}/seatmap`;
  const bytes = async () => (await (await fetch(`${address}${path}`)).arrayBuffer()).byteLength;
  // A node that is busy answers the first by 503.
  await eventually(async () => (await bytes()) > 5e6, { within_ms: 20_000 });
  return `GET ${path} HTTP/1.1\r\n${HOST}\r\n`;
}

/** The node has met no exception that no code caught. */
async function expectNoBug(): Promise<void> {
  await neighbourIsServed();
  expect(server.output()).not.toContain('cannot run');
  const text = await (await fetch(`${address}/metrics`)).text();
  const counts = [...text.matchAll(/^voelgoed_bug_uncaught_total.* (\d+)$/gm)];
  expect(counts.map(([, count]) => count)).toEqual(counts.map(() => '0'));
}

/** The node’s end of a connection: is it open? (`01` is ESTABLISHED.) */
async function isOpenAtNode({ localPort = 0 }: Socket): Promise<boolean> {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  const ends = new RegExp(`:${hex(Number(new URL(address).port))} \\S+:${hex(localPort)} 01 `);
  return ends.test(await readFile('/proc/net/tcp', 'utf8'));
}

describe('CONNECT behind an answer that is not read', { timeout: 60_000 }, () => {
  let large: string;

  beforeAll(async () => {
    large = await aLargeAnswer();
  });

  /** The answer has been given, and is on its way. */
  async function begun(): Promise<Socket> {
    const socket = openBare(address);
    socket.write(large);
    await once(socket, 'data');
    return socket.pause();
  }

  it('and a reset is no exception', async () => {
    const many = `GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`.repeat(60);
    for (const before of ['', many]) {
      const socket = openBare(address).pause();
      await once(socket, 'connect');
      socket.write(`${before}${CONNECT}`, () => socket.resetAndDestroy());
      await once(socket, 'close');
    }
    for (const wait_ms of [0, 1, 5, 20, 80]) {
      const socket = await begun();
      socket.write(CONNECT);
      await systemClock.sleep(wait_ms);
      socket.resetAndDestroy();
    }
    await expectNoBug();
  });

  it('and a client that never reads loses its connection', async () => {
    const socket = await begun();
    socket.write(CONNECT);
    try {
      expect(await isOpenAtNode(socket)).toBe(true);
      const isGone = async () => !(await isOpenAtNode(socket));
      await eventually(isGone, { within_ms: 12_000, every_ms: 200 });
    } finally {
      socket.destroy();
    }
    await expectNoBug();
  });
});

describe('slow and half open', () => {
  it('neighbours are served all along, the slow are let go, and memory comes back', async () => {
    const before = await memory_mb();
    const drip = async (socket: ReturnType<typeof openBare>, text: string) => {
      while (!socket.destroyed && socket.writable) {
        socket.write(text);
        await systemClock.sleep(500);
      }
    };
    const started = systemClock.monotonic();
    const heads = Array.from({ length: 150 }, () => openBare(address));
    const bodies = Array.from({ length: 150 }, () => openBare(address));
    const silent = Array.from({ length: 100 }, () => openBare(address));
    const unread = Array.from({ length: 50 }, () => openBare(address).pause());
    for (const socket of heads) {
      socket.write(`GET /nope HTTP/1.1\r\n${HOST}`);
      void drip(socket, 'x-a: 1\r\n');
    }
    for (const socket of bodies) {
      socket.write(members(`${JSON_TYPE}content-length: 60000\r\n\r\n`));
      void drip(socket, ' ');
    }
    // They ask for much and read nothing.
    for (const socket of unread) {
      socket.write(`GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`.repeat(30));
    }
    const opened = [...heads, ...bodies, ...silent, ...unread];
    try {
      const slow = [...heads, ...bodies].map((socket) => listen(socket, 20_000));
      let served = 0;
      const all = Promise.all(slow);
      let over = false;
      void all.then(() => {
        over = true;
      });
      while (!over) {
        await neighbourIsServed();
        served++;
        await systemClock.sleep(200);
      }
      const heard = await all;
      expect(heard.filter(({ ended }) => !ended)).toEqual([]);
      expect(heard.map(({ text }) => statusesIn(text)[0])).toEqual(heard.map(() => 400));
      expect(systemClock.monotonic() - started).toBeLessThan(18_000);
      expect(served).toBeGreaterThan(10);
    } finally {
      for (const socket of opened) socket.destroy();
    }
    await eventually(async () => (await memory_mb()) < before + 60, {
      within_ms: 20_000,
      every_ms: 500,
    });
    await neighbourIsServed();
  });
});

import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPoster, fetchOutside, leadsInside, type Resolve } from './outgoing.ts';

/** What would be a neighbour of ours: it must not hear anything. */
let neighbour: Server;
let port: number;
const heard: string[] = [];

beforeAll(async () => {
  neighbour = createServer((request, reply) => {
    heard.push(String(request.url));
    if (request.url === '/redirect') return reply.writeHead(302, { location: '/inside' }).end();
    if (request.url === '/long') return reply.writeHead(500).end('x'.repeat(1_000_000));
    if (request.url === '/never') return undefined;
    if (request.url === '/upgrade') {
      const head = { upgrade: 'something', connection: 'upgrade' };
      return reply.writeHead(101, head).end();
    }
    return reply.end('hello');
  });
  await new Promise<void>((done) => neighbour.listen(0, '127.0.0.1', done));
  port = (neighbour.address() as AddressInfo).port;
});

afterAll(async () => {
  neighbour.closeAllConnections();
  await new Promise((done) => neighbour.close(done));
});

const letter = (url: string) => ({ url, headers: {}, body: '{}', signal: null });
const strict = createPoster({ allowInternal: false });
const open = createPoster({ allowInternal: true, limit_ms: 500 });
afterAll(() => open.close());

/** Every spelling of an address that is not on the public internet. */
const INSIDE = [
  'http://example.com/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:a00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://0.0.0.0/',
  'https://10.1.2.3/',
  'https://100.64.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://localhost/',
  'https://db.internal/',
  'https://user:pass@example.com/',
  'ftp://example.com/',
];

describe('addresses inside', () => {
  it.each(INSIDE)('%s is refused when it is given and when it is used', async (url) => {
    expect(await leadsInside(url)).toBe(true);
    await expect(strict.post(letter(url))).rejects.toThrow('not a public https address');
  });

  it('an address outside is not', async () => {
    for (const url of ['https://93.184.216.34/', 'https://[2606:2800:220:1::1]/x?y=z']) {
      expect(await leadsInside(url)).toBe(false);
    }
  });
});

/** A name that was outside when it was looked at and is inside when it is connected to. */
function changingItsMind(): Resolve {
  const answers = ['93.184.216.34', '127.0.0.1'];
  return async () => {
    const address = answers.length > 1 ? answers.shift() : answers[0];
    return [{ address: address ?? '', family: 4 }];
  };
}

describe('names', () => {
  it('that lead inside are refused, also beside an address outside', async () => {
    const both: Resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '::ffff:10.0.0.1', family: 6 },
    ];
    expect(await leadsInside('https://hook.example/', both)).toBe(true);
  });

  it('that change their mind gain nothing: what was looked up is connected to', async () => {
    const resolve = changingItsMind();
    const url = `https://hook.example:${port}/rebound`;
    expect(await leadsInside(url, resolve)).toBe(false);
    const poster = createPoster({ allowInternal: false, resolve });
    await expect(poster.post(letter(url))).rejects.toThrow('leads into an internal network');
    expect(heard).not.toContain('/rebound');
  });

  it('that lead nowhere are accepted: somebody may be about to set them up', async () => {
    const nowhere: Resolve = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await leadsInside('https://soon.example/', nowhere)).toBe(false);
  });

  it('control: where the inside is allowed, the same address is reached', async () => {
    expect(await open.post(letter(`http://127.0.0.1:${port}/rebound`))).toMatchObject({
      status: 200,
      body: 'hello',
    });
    expect(heard).toContain('/rebound');
  });
});

describe('answers', () => {
  it('that redirect are not followed', async () => {
    expect(await open.post(letter(`http://127.0.0.1:${port}/redirect`))).toMatchObject({
      status: 302,
    });
    expect(heard).not.toContain('/inside');
  });

  it('are read up to a small size', async () => {
    const { status, body } = await open.post(letter(`http://127.0.0.1:${port}/long`));
    expect([status, body.length]).toEqual([500, 2_048]);
  });

  it('that do not come are given up', async () => {
    const url = `http://127.0.0.1:${port}/never`;
    await expect(open.post(letter(url))).rejects.toThrow('no answer within 0.5 s');
  });

  it('that ask for another protocol are answers, too, and end', async () => {
    const url = `http://127.0.0.1:${port}/upgrade`;
    expect(await open.post(letter(url))).toMatchObject({ status: 101 });
    const limits = { signal: AbortSignal.timeout(500), body_bytes: 100, allowInternal: true };
    await expect(fetchOutside(url, limits)).rejects.toThrow('another protocol');
  });

  it('that trickle are given up, too', async () => {
    const drip = createSocketServer((socket) => {
      socket.on('error', () => {});
      socket.resume();
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nx');
    });
    await new Promise<void>((done) => drip.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(drip.address() as AddressInfo).port}/`;
    await expect(open.post(letter(url))).rejects.toThrow('no answer within 0.5 s');
    await new Promise((done) => drip.close(done));
  });

  it('come over a connection that is kept, and over a new one when it was closed', async () => {
    const url = `http://127.0.0.1:${port}/again`;
    await open.post(letter(url));
    neighbour.closeAllConnections();
    expect(await open.post(letter(url))).toMatchObject({ status: 200 });
  });
});

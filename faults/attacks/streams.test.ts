import { eventually } from '@voelgoed/testkit/eventually';
import { tokenFor } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { Viewer } from '@voelgoed/testkit/viewers';
import { afterEach, describe, expect, it } from 'vitest';
import { listen, openBare, statusesIn } from './attacks.ts';

const PER_ADDRESS = 25;
const PER_USER = 20;
/** The test itself is the proxy, so that it can come from everywhere. */
const { buyer, node, scope, show } = useShows({
  STREAMS_PER_ADDRESS: String(PER_ADDRESS),
  TRUSTED_PROXIES: '127.0.0.1',
  SHED_LOAD: '0',
});

const open: { destroy(): unknown }[] = [];

afterEach(async () => {
  hangUp(0);
  await eventually(async () => (await listening()) === 0, { within_ms: 5_000 });
});

/** All but the first few. */
function hangUp(first: number): void {
  for (const one of open.splice(first)) one.destroy();
}

async function listening(): Promise<number> {
  const text = await (await fetch(`${node().address}/metrics`)).text();
  return Number(/^voelgoed_stream_clients (\d+)$/m.exec(text)?.[1]);
}

type Ask = { ip?: string; headers?: string; query?: string; until?: RegExp };
/** The first frame is there, or a refusal. */
const FRAME = /event: \w+\n.*\n\n|"request_id"/s;

/** A stream on a bare connection; what came until its first words are there. */
function opened(eventId: string, asked: Ask = {}): Promise<string> {
  const { ip = '192.0.2.1', headers = '', query = '', until = FRAME } = asked;
  const socket = openBare(node().address);
  open.push(socket);
  const path = `/api/events/${eventId}/stream${query}`;
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${ip}\r\n${headers}\r\n`);
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      if (until.test(text)) resolve(text);
    });
    socket.on('close', () => resolve(text));
  });
}

const statusOf = async (text: Promise<string>) => statusesIn(await text)[0];

describe('streams', () => {
  it('are so many for an address, and a place is free as soon as one is left', async () => {
    const { eventId } = await show();
    const many = await Promise.all(
      Array.from({ length: PER_ADDRESS + 15 }, () => statusOf(opened(eventId))),
    );
    expect(many.filter((status) => status === 200)).toHaveLength(PER_ADDRESS);
    expect(many.filter((status) => status === 429)).toHaveLength(15);
    expect(await statusOf(opened(eventId, { ip: '192.0.2.2' }))).toBe(200);
    // One network of IPv6 is one address, and a longer list of proxies makes no new one.
    const hosts = Array.from({ length: PER_ADDRESS + 1 }, (_, host) => `2001:db8::${host + 1}`);
    const statuses = await Promise.all(hosts.map((ip) => statusOf(opened(eventId, { ip }))));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(await statusOf(opened(eventId, { ip: '203.0.113.5, 192.0.2.1' }))).toBe(429);
    hangUp(0);
    await eventually(async () => (await statusOf(opened(eventId))) === 200, { within_ms: 5_000 });
  });

  it('are so many for a user, wherever they come from', async () => {
    const { eventId } = await show();
    const headers = `authorization: Bearer ${buyer('eve').token}\r\n`;
    const statuses = await Promise.all(
      Array.from({ length: PER_USER + 5 }, (_, at) =>
        statusOf(opened(eventId, { ip: `198.51.100.${at}`, headers })),
      ),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(PER_USER);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });

  it('storms of comers and goers leave nothing behind, and others see every change', async () => {
    const { eventId, seats } = await show();
    const viewer = new Viewer({
      address: () => node().address,
      path: `/api/events/${eventId}/stream`,
      headers: { 'x-forwarded-for': '203.0.113.77' },
    });
    await eventually(() => viewer.map.revision >= 1);
    // Those who never read: they are connected, and let everything pile up.
    for (let count = 0; count < 20; count++) {
      const socket = openBare(node().address).pause();
      open.push(socket);
      const path = `/api/events/${eventId}/stream`;
      const from = `x-forwarded-for: 198.18.0.${count}\r\n`;
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${from}\r\n`.repeat(3));
    }
    const ann = buyer();
    for (let round = 0; round < 6; round++) {
      const storm = Array.from({ length: 60 }, (_, at) =>
        opened(eventId, { ip: `198.19.${round}.${at}` }),
      );
      const wish = round % 2 ? ann.ask(`DELETE /api/events/${eventId}/holds`) : undefined;
      expect((await (wish ?? ann.reserve(eventId, seats[round] ?? ''))).status).toBeLessThan(300);
      await Promise.race(storm);
      hangUp(20);
    }
    await ann.reserve(eventId, seats[9] ?? '');
    await eventually(() => viewer.map.stateOf(9) === 1, { within_ms: 3_000 });
    expect(viewer.mistakes).toEqual([]);
    await viewer.close();
    hangUp(0);
    await eventually(async () => (await listening()) === 0, { within_ms: 8_000 });
  });

  it('believe nobody who says where they were', async () => {
    const { eventId, seats } = await show();
    await buyer().reserve(eventId, seats[0] ?? '');
    const true_lineage = /"lineage":"([0-9a-f]{16})"/.exec(await opened(eventId))?.[1] ?? '';
    const ids = ['0', '1', '2', '999999999999999', '9'.repeat(16), '-1', '1e3', 'NaN', '0x1', '٣'];
    const lineages = ['', '0'.repeat(16), true_lineage, 'f'.repeat(16), '../../x', '%00', '%0d%0a'];
    let count = 0;
    for (const id of ids) {
      for (const lineage of lineages) {
        const ip = `192.0.2.${++count}`;
        const query = `?lineage=${lineage}`;
        const headers = `last-event-id: ${id}\r\n`;
        // Whoever is really there has nothing to hear yet.
        const until = id === '2' && lineage === true_lineage ? /\r\n\r\n/ : FRAME;
        const text = await opened(eventId, { ip, query, headers, until });
        const [status] = statusesIn(text);
        // Good, or told that it cannot be one; whoever is let in gets no older state.
        expect([id, lineage, [200, 400].includes(status ?? 0)]).toEqual([id, lineage, true]);
        const revision = Number(/"revision":(\d+)/.exec(text)?.[1] ?? 2);
        expect(revision).toBeGreaterThanOrEqual(2);
      }
      hangUp(0);
    }
  });

  it('are for GET alone, and the staff’s for staff', async () => {
    const { eventId } = await show();
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      const socket = openBare(node().address);
      const path = `/api/events/${eventId}/stream`;
      const rest = 'host: x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';
      socket.write(`${method} ${path} HTTP/1.1\r\n${rest}`);
      const { text } = await listen(socket, 4_000);
      expect([method, statusesIn(text)]).toEqual([method, [404]]);
    }
    const staff = `${node().address}/api/admin/events/${eventId}/stream`;
    const token = tokenFor(scope().organizationId, { role: 'customer', subject: 'eve' });
    const refused = await fetch(staff, { headers: { authorization: `Bearer ${token}` } });
    expect(refused.status).toBe(403);
    await refused.text();
  });
});

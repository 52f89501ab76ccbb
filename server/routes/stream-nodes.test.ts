import { connect, type Socket } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '@voelgoed/engine/kit';
import { eventually } from '@voelgoed/testkit/eventually';
import { aStandby } from '@voelgoed/testkit/sales';
import { printedRandom } from '@voelgoed/testkit/seeds';
import { call, startTestNode, tokenFor, useNode } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { Viewer, type ViewerOptions } from '@voelgoed/testkit/viewers';
import { afterEach, describe, expect, it } from 'vitest';

const shows = useShows();
const { buyer, database, node, scope, show } = shows;
const otherNode = useNode(database, { DEMO: '0' });
const undo: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(undo.splice(0).map((step) => step()));
});

type Path = { eventId: string; address?: () => string } & Partial<ViewerOptions>;

function view({ eventId, ...options }: Path): Viewer {
  const path = `/api/events/${eventId}/stream`;
  const viewer = new Viewer({ address: () => node().address, path, ...options });
  undo.push(() => viewer.close());
  return viewer;
}

/** What every map must show in the end. */
async function truthOf(eventId: string) {
  const { data } = await call(node().address, `GET /api/events/${eventId}/availability`);
  return { revision: data.revision, seats: String(data.seats), zones: data.zones };
}

function shownBy({ map }: Viewer) {
  const { revision, zones } = map;
  return { revision, seats: Buffer.from(map.seats).toString('base64'), zones };
}

/** Within two seconds of being connected again. */
async function converge(eventId: string, viewers: readonly Viewer[]): Promise<void> {
  await eventually(
    async () => {
      // This node may hear of the last commit later than they do.
      const truth = await truthOf(eventId);
      return viewers.every((viewer) => isDeepStrictEqual(shownBy(viewer), truth));
    },
    { within_ms: 2_000 },
  );
  for (const { mistakes } of viewers) expect(mistakes).toEqual([]);
}

const CONVERGED = { timeout: 60_000 };

describe('open seat maps', () => {
  it('converge, however they are cut off, moved and mixed up', CONVERGED, async () => {
    const random = printedRandom('open seat maps');
    const { eventId, seats } = await show();
    const addresses = [node().address, otherNode().address];
    const pick = <One>(list: readonly One[]) =>
      list[Math.floor(random.next() * list.length)] as One;
    const twice: ViewerOptions['disturb'] = (frames) => frames.flatMap((one) => [one, one]);
    const mixed: ViewerOptions['disturb'] = (frames) =>
      random.next() < 0.3 ? frames.toReversed() : frames;
    let losses = 0.1;
    const lossy: ViewerOptions['disturb'] = (frames) =>
      frames.filter(() => random.next() >= losses);
    const places = addresses.concat(addresses, addresses);
    const disturbed = [undefined, twice, mixed, undefined, twice, mixed];
    const viewers = disturbed.map((disturb, index) =>
      view({ eventId, address: () => places[index] ?? '', ...(disturb ? { disturb } : {}) }),
    );
    const loser = view({ eventId, disturb: lossy });
    const people = Array.from({ length: 5 }, () => buyer());
    for (let step = 0; step < 80; step++) {
      const who = pick(people);
      const seat = pick(seats);
      const away = { token: who.token, headers: {} };
      if (random.next() < 0.7) {
        await call(pick(addresses), `POST /api/events/${eventId}/seats/${seat}/reserve`, away);
      } else await call(pick(addresses), `DELETE /api/events/${eventId}/holds`, away);
      const index = Math.floor(random.next() * viewers.length);
      if (random.next() < 0.2) places[index] = pick(addresses);
      if (random.next() < 0.3) viewers[index]?.cut();
    }
    await converge(eventId, viewers);
    // A map that has lost a frame notices it by the next one. That one arrives: a frame that is
    // lost as well would be noticed by the heartbeat only, ten seconds later.
    losses = 0;
    for (const { token } of people) {
      await call(node().address, `DELETE /api/events/${eventId}/holds`, { token });
    }
    expect((await buyer().reserve(eventId, seats[0] ?? '')).status).toBe(201);
    await eventually(async () => isDeepStrictEqual(shownBy(loser), await truthOf(eventId)));
    expect(viewers.reduce((sum, { connections }) => sum + connections, 0)).toBeGreaterThan(10);
  });

  it('without a lineage never get what is older than what they saw', CONVERGED, async () => {
    const { eventId, seats } = await show();
    const viewer = view({ eventId, address: () => otherNode().address });
    await eventually(() => viewer.of('snapshot')[0]);
    for (const seat of seats.slice(0, 8)) {
      const { revision } = (await buyer().reserve(eventId, seat)).data;
      const reply = await fetch(`${otherNode().address}/api/events/${eventId}/stream`, {
        headers: { 'last-event-id': String(revision) },
      });
      const reader = reply.body?.getReader();
      const first = Buffer.from((await reader?.read())?.value ?? []).toString();
      await reader?.cancel();
      expect(first).toMatch(new RegExp(`^id: ${revision}\\nevent: snapshot`));
    }
  });

  it('go over to another history, and only then go back', CONVERGED, async () => {
    const { eventId, seats } = await show();
    const viewers = [view({ eventId }), view({ eventId, address: () => otherNode().address })];
    const ann = buyer();
    await ann.reserve(eventId, seats[0] ?? '');
    const failOver = await aStandby(database, eventId);
    await ann.reserve(eventId, seats[1] ?? '');
    await ann.reserve(eventId, seats[2] ?? '');
    await converge(eventId, viewers);
    expect(viewers[0]?.map.revision).toBe(4);
    await failOver();
    await eventually(() => viewers.every(({ map }) => map.revision === 2), { within_ms: 5_000 });
    viewers[0]?.cut();
    await buyer().reserve(eventId, seats[3] ?? '');
    await converge(eventId, viewers);
    expect(viewers[0]?.map.stateOf(1)).toBe(0);
    expect(viewers[0]?.map.stateOf(3)).toBe(1);
  });

  it('are told of another plan, and get all of it', CONVERGED, async () => {
    const { eventId, seats } = await show();
    const viewer = view({ eventId });
    await eventually(() => viewer.of('snapshot')[0]);
    const token = tokenFor(scope().organizationId);
    const own = await call(node().address, `GET /api/admin/events/${eventId}`, { token });
    const { layout_id } = own.data.layout as { layout_id: string };
    const body = { layout_id, overrides: { blocked_seat_ids: [seats[0]] } };
    const put = await call(node().address, `PUT /api/admin/events/${eventId}/layout`, {
      token,
      body,
    });
    expect(put.body).toMatchObject({ data: {} });
    await eventually(() => viewer.map.stateOf(0) === 3);
    await converge(eventId, [viewer]);
  });
});

describe('a node that goes away', () => {
  it('hands its clients over without a gap', CONVERGED, async () => {
    const { eventId, seats } = await show();
    const leaving = await startTestNode(database);
    let address = leaving.address;
    const viewers = Array.from({ length: 5 }, () => view({ eventId, address: () => address }));
    for (const viewer of viewers) await eventually(() => viewer.of('snapshot')[0]);
    await buyer().reserve(eventId, seats[0] ?? '');
    await eventually(() => viewers.every(({ map }) => map.stateOf(0) === 1));
    const started = systemClock.monotonic();
    address = node().address;
    const stopped = leaving.stop();
    await buyer().reserve(eventId, seats[1] ?? '');
    await converge(eventId, viewers);
    await stopped;
    expect(systemClock.monotonic() - started).toBeLessThan(5_000);
    for (const { text, retry_ms, statuses } of viewers) {
      const [, asked] = /\nretry: (\d+)\n/.exec(text) ?? [];
      expect(Number(asked)).toBeGreaterThanOrEqual(250);
      expect(Number(asked)).toBeLessThanOrEqual(2_000);
      expect(retry_ms).toBeNull();
      expect(statuses).toEqual([200, 200]);
    }
    const retries = viewers.map(({ text }) => /\nretry: (\d+)\n/.exec(text)?.[1]);
    expect(new Set(retries).size).toBeGreaterThan(1);
  });
});

describe('somebody who does not read', () => {
  it('delays nobody', CONVERGED, async () => {
    const { eventId, seats } = await show();
    const { hostname, port } = new URL(node().address);
    const sleepers = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const socket = connect(Number(port), hostname);
        undo.push(() => socket.destroy());
        await new Promise<void>((done) => socket.once('connect', done));
        socket.pause();
        socket.write(`GET /api/events/${eventId}/stream HTTP/1.1\r\nhost: x\r\n\r\n`);
        return socket;
      }),
    );
    const viewer = view({ eventId });
    await eventually(() => viewer.of('snapshot')[0]);
    for (let step = 0; step < 20; step++) {
      const seat = step % seats.length;
      const ann = buyer();
      const held = await ann.reserve(eventId, seats[seat] ?? '');
      expect(held.status).toBe(201);
      await eventually(() => viewer.map.stateOf(seat) === 1, { within_ms: 1_000 });
      await ann.ask(`DELETE /api/events/${eventId}/holds`);
      await eventually(() => viewer.map.stateOf(seat) === 0, { within_ms: 1_000 });
    }
    expect(sleepers.every((socket: Socket) => !socket.destroyed)).toBe(true);
  });
});

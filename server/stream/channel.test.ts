import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { FrameReader } from '@voelgoed/client/live';
import {
  type Clock,
  manualClock,
  nextTurn,
  systemClock,
  systemRandom,
  type Timers,
} from '@voelgoed/engine/kit';
import { recordingTelemetry } from '@voelgoed/engine/telemetry';
import { eventually } from '@voelgoed/testkit/eventually';
import { afterEach, describe, expect, it } from 'vitest';
import { Channel } from './channel.ts';
import { Client, type Pipe } from './client.ts';
import type { Source } from './source.ts';

const EVENT = { scope: { organizationId: 'org' }, eventId: 'event' } as never;
const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const lineageOf = (revision: number) => `${revision}`.padStart(16, '0');

/** A hall in which every seat changes with each commit, so that frames are as large as they get. */
function aMovingHall(seats: number, clock: Clock & Timers = systemClock) {
  const state = { revision: 1, changed_ms: 0, isOnSale: true, isPublic: true };
  const telemetry = recordingTelemetry();
  let free: Promise<void> = Promise.resolve();
  const source: Source = {
    shown: async () => {
      const { revision, isOnSale } = state;
      if (!isOnSale) return null;
      const bytes = new Uint8Array(seats / 4).fill(revision % 256);
      const plan = {
        layout_id: 'hall',
        layout_version: 1,
        drawing_id: 'one',
        seats: bytes,
        zones: [],
      };
      return { revision, lineage: lineageOf(revision), ...plan, history: state };
    },
    catchUp: async () => {},
    occupancy: async () => null,
    isPublic: async () => state.isPublic,
    board: () => null,
    now_ms: () => systemClock.now(),
    quiet: () => free,
  };
  const tools = { clock, random: systemRandom, telemetry };
  const channel = new Channel(EVENT, source, tools);
  undo.push(() => channel.close());
  const commit = () => {
    state.revision++;
    state.changed_ms = systemClock.monotonic();
    channel.wake();
  };
  return {
    channel,
    telemetry,
    state,
    commit,
    /** As if this node took a lock; the function that comes back gives it back. */
    lock: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      free = promise;
      return () => {
        free = Promise.resolve();
        resolve();
      };
    },
  };
}

async function serve({ channel, telemetry }: ReturnType<typeof aMovingHall>): Promise<number> {
  const server: Server = createServer(async (_request, response) => {
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const client = new Client(response, { userId: null, isStaff: false }, telemetry);
    response.once('close', () => channel.leave(client));
    await channel.join(client, null);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  undo.push(() => socket.destroy());
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  return socket;
}

describe('somebody who does not read', () => {
  it('is cut off when too much waits, and the others get every frame in time', async () => {
    const hall = aMovingHall(2_000_000);
    const port = await serve(hall);
    const seen = { revision: 0, latest_ms: 0 };
    const reader = new FrameReader();
    const awake = await open(port);
    awake.on('data', (bytes) => {
      for (const { event, data } of reader.read(bytes)) {
        if (event !== 'snapshot') continue;
        seen.revision = Number(data.revision);
        seen.latest_ms = systemClock.monotonic() - hall.state.changed_ms;
      }
    });
    const sleepers = [await open(port), await open(port)];
    for (const sleeper of sleepers) sleeper.pause();
    await eventually(() => hall.channel.clients.size === 3);
    const isDropped = () =>
      hall.telemetry.happenings.filter(({ kind }) => kind === 'stream.dropped').length === 2;
    const late: number[] = [];
    for (let commits = 0; commits < 60 && !isDropped(); commits++) {
      hall.commit();
      await eventually(() => seen.revision === hall.state.revision, { within_ms: 2_000 });
      late.push(seen.latest_ms);
    }
    // What the network itself holds for a sleeper is a few megabytes: it took some frames.
    expect(isDropped()).toBe(true);
    expect(late.length).toBeGreaterThan(2);
    await eventually(() => hall.channel.clients.size === 1);
    // A sleeper would keep them for good; a busy machine keeps them for a second.
    expect(late.filter((time_ms) => time_ms > 5_000)).toEqual([]);
  }, 60_000);
});

/** Somebody who writes down what they are given. */
async function listenTo(
  { channel, telemetry }: ReturnType<typeof aMovingHall>,
  { from = null, isStaff = false }: { from?: number | null; isStaff?: boolean } = {},
) {
  const heard = { written: [] as string[], isOver: false };
  const pipe: Pipe = {
    writableLength: 0,
    write: (bytes) => heard.written.push(Buffer.from(bytes).toString()) > 0,
    end: () => {
      heard.isOver = true;
    },
    destroy: () => {},
  };
  const place = from === null ? null : { revision: from, lineage: lineageOf(from) };
  await channel.join(new Client(pipe, { userId: null, isStaff }, telemetry), place);
  return heard;
}

describe('an event that has left the sale and comes back', () => {
  it('is shown as it is now to whoever was there before', async () => {
    // So large that a few changes are shorter than all of it.
    const hall = aMovingHall(40_000);
    const first = await listenTo(hall);
    // The same bytes: a short frame.
    hall.state.revision += 256;
    hall.channel.wake();
    await eventually(() => first.written.length === 2);
    expect((await listenTo(hall, { from: 1 })).written[0]).toContain('event: changes');
    hall.state.isOnSale = false;
    hall.channel.wake();
    await eventually(() => first.isOver);
    Object.assign(hall.state, { isOnSale: true, revision: hall.state.revision + 1 });
    const back = await listenTo(hall, { from: 1 });
    expect(back.written[0]).toMatch(/^id: 258\nevent: snapshot/);
  });
});

describe('an event that the world may not know of any more', () => {
  it('has no listeners but its staff', async () => {
    const clock = manualClock();
    const hall = aMovingHall(400, clock);
    const [anybody, staff] = [await listenTo(hall), await listenTo(hall, { isStaff: true })];
    const beat = async () => {
      for (let part = 0; part < 11; part++) {
        clock.advance(500);
        for (let turn = 0; turn < 3; turn++) await nextTurn();
      }
    };
    await beat();
    expect([anybody.isOver, staff.isOver]).toEqual([false, false]);
    hall.state.isPublic = false;
    await beat();
    expect([anybody.isOver, staff.isOver]).toEqual([true, false]);
  });
});

describe('while this node holds a lock', () => {
  it('nothing is handed out, and then everything is', async () => {
    const hall = aMovingHall(400);
    const { written } = await listenTo(hall);
    expect(written).toHaveLength(1);
    const giveBack = hall.lock();
    hall.commit();
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    expect(written).toHaveLength(1);
    giveBack();
    await eventually(() => written.length === 2);
    expect(written[1]).toContain('id: 2\n');
  });
});

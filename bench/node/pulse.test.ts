import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PulseMeter } from './pulse.ts';
import { sumOf } from './series.ts';

it('counts an exchange with Postgres once, however many statements are in it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'voelgoed-pulse-'));
  // It answers when a line ends.
  const server = createServer((socket) => {
    socket.on('data', (bytes) => bytes.includes('\n') && socket.write('answer'));
  });
  const meter = new PulseMeter();
  meter.countRoundTrips();
  try {
    const trips: number[] = [];
    for (const name of ['.s.PGSQL.5432', 'redis.sock']) {
      const path = join(folder, name);
      await new Promise<void>((resolve) => server.listen(path, resolve));
      const socket = connect(path);
      meter.beat();
      for (const _ of [1, 2, 3]) {
        socket.write('begin; ');
        socket.write('select\n');
        await once(socket, 'data');
      }
      trips.push(meter.beat().round_trips);
      socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
    // Three with Postgres; what goes elsewhere is not counted.
    expect(trips).toEqual([3, 0]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('sums a series over its labels, and nothing whose name only begins like it', () => {
  const text = 'a_count{name="x"} 2\na_count{name="y"} 3\na_counted 7\nother{a_count="1"} 9\n';
  expect(sumOf(text, 'a_count')).toBe(5);
  expect(sumOf('a_count 4\n', 'a_count')).toBe(4);
});

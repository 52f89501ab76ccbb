import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@voelgoed/engine/kit';
import {
  type Bench,
  figuresOf,
  loadShare,
  ratioOf,
  runContest,
  settingsOf,
  strangeFigure,
} from '#contest';
import { LoadProcess } from '#load';
import { type Figure, figureOf } from '#measure';
import { startOwnNode } from '#node';
import { severalNodes, withNodes } from './several-nodes.ts';

const SUITE = 'nodes';
const START = fileURLToPath(import.meta.resolve('@voelgoed/server/processes')).replace(
  /processes\.ts$/,
  'start.ts',
);
const MOST_NODES = 4;
const SEATS = 40_000;
const READY = { below: 2_000 };
const EVENTS = 100;
const EVENT_SEATS = 1_000;
const ROOM = { below: 300 };
const MEGABYTE = 1_000_000;
const COUNTS = [1, 2, 4] as const;

export async function nodesSuite(bench: Bench, quick: boolean): Promise<Figure[]> {
  return [
    ...(await readiness(bench, quick ? 2 : 5)),
    ...(await weight(bench)),
    ...(await together(bench, quick)),
  ];
}

/** `npm start` without its wrapper, on a database with its schema, until it says it is ready. */
async function readiness({ stage, tell }: Bench, rounds: number): Promise<Figure[]> {
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    tell(`a node starts, ${round + 1} of ${rounds}`);
    took.push(await startOnce(stage.services));
  }
  const name = 'a node is ready on a migrated database';
  return [figureOf(took, { suite: SUITE, name, unit: 'ms', target: READY })];
}

async function startOnce(services: Bench['stage']['services']): Promise<number> {
  const env = {
    NODE_ENV: 'production',
    PORT: '0',
    DEMO: '0',
    DATABASE_URL: services.ownerUrl,
    REDIS_URL: '',
    AUTH_SECRET: services.authSecret,
  };
  const started = systemClock.monotonic();
  const child = spawn(process.execPath, [START], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface(child.stdout)) {
      const address = /ready: (http\S+)/.exec(line)?.[1];
      if (address === undefined) continue;
      const { status } = await fetch(`${address}/health/ready`);
      if (status !== 200) throw new Error(`a node that has started is not ready: ${status}`);
      return systemClock.monotonic() - started;
    }
    throw new Error('a node has not started');
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** What a node keeps that serves a hundred events. */
async function weight({ stage, halls, profile, tell }: Bench): Promise<Figure[]> {
  const hall = await halls.of(EVENT_SEATS);
  const node = await startOwnNode(stage, { name: `${SUITE} weight`, profile });
  try {
    const before = await node.memory();
    for (let event = 0; event < EVENTS; event++) {
      if (event % 10 === 0) tell(`${event} of ${EVENTS} events`);
      const { eventId } = await halls.sale(hall);
      await fetch(`${node.address}/api/events/${eventId}/availability`);
    }
    const after = await node.memory();
    const name = `${EVENTS} events of ${EVENT_SEATS.toLocaleString('en')} seats`;
    const about = { suite: SUITE, unit: 'MB' };
    return [
      figureOf([after.rss / MEGABYTE], {
        ...about,
        name: `${name}, memory of the node`,
        target: ROOM,
        note: `${(before.rss / MEGABYTE).toFixed(0)} MB before the first`,
      }),
      figureOf([(after.heap - before.heap) / MEGABYTE], {
        ...about,
        name: `${name}, of it kept for them`,
      }),
    ];
  } finally {
    await node.stop();
  }
}

/** One event that all of them sell, and one for each. */
async function together(bench: Bench, quick: boolean): Promise<Figure[]> {
  const load = new LoadProcess();
  try {
    return await withNodes(bench, SUITE, MOST_NODES, async (nodes) => {
      const hall = await bench.halls.of(SEATS);
      await bench.halls.welcome(load, hall);
      const some = (count: number, isShared: boolean) => {
        const name = nameOf(count, isShared);
        return severalNodes(bench, hall, nodes.slice(0, count), { name, isShared });
      };
      const contestants = [
        ...COUNTS.map((count) => some(count, true)),
        ...COUNTS.slice(1).map((count) => some(count, false)),
      ];
      const sizes = { ...settingsOf(quick), title: 'several nodes' };
      const results = await runContest(bench, load, contestants, sizes);
      const [alone, ...several] = contestants;
      return [
        ...figuresOf({ suite: SUITE, title: 'together', what: 'holds' }, contestants, results),
        ...several.map(({ name }) =>
          ratioOf(results, [name, alone?.name ?? ''], {
            suite: SUITE,
            name: `${name} to one node`,
          }),
        ),
        loadShare(SUITE, [results]),
        strangeFigure(SUITE, [results]),
      ];
    });
  } finally {
    await load.stop();
  }
}

function nameOf(count: number, isShared: boolean): string {
  if (count === 1) return 'one node';
  return `${count} nodes, ${isShared ? 'one event' : 'an event each'}`;
}

import { Child } from '#children';
import {
  type Bench,
  type Contestant,
  figuresOf,
  loadShare,
  ratioOf,
  runContest,
  type Server,
  settingsOf,
  strangeFigure,
} from '#contest';
import type { Hall } from '#halls';
import { LoadProcess } from '#load';
import type { Figure } from '#measure';
import { CREATE_TABLES, fillSeats, NAIVE_PROGRAM } from '#naive';
import { startOwnNode } from '#node';
import { startReference } from '#references';
import { conflictSuite } from '#writer';
import { stampedes } from './stampede.ts';

const SUITE = 'conflicts';
const SEATS = 10_000;
const CONNECTIONS = 64;
/** Taken by one half of the buyers, and then wanted by the others. */
const TAKEN = 2_000;
const ENOUGH = { above: 0.8 };
export const OURS = 'this server';
export const NAIVE = 'the plain way';
export const CONSTANT = 'a constant 409';

export async function conflictsSuite(bench: Bench, quick: boolean): Promise<Figure[]> {
  const hall = await bench.halls.of(SEATS);
  const { stage, profile } = bench;
  await stage.asSuperuser(CREATE_TABLES);
  const url = stage.address.writerUrl;
  const secret = stage.services.authSecret;
  const node = await startOwnNode(stage, { name: SUITE, profile });
  const refusing = await startReference({ kind: 'refusing', url, secret });
  const child = new Child(NAIVE_PROGRAM);
  const load = new LoadProcess();
  try {
    const address = await child.ask<string>({ url, secret, connections: 8 });
    const naive = { address, pid: child.pid };
    const servers = { [OURS]: node, [CONSTANT]: refusing, [NAIVE]: naive };
    const refused = await refusals(bench, load, hall, servers, quick);
    const { rounds } = settingsOf(quick);
    bench.tell('everybody on one seat, inside one process');
    const inside = await engineStampede(bench, hall, quick);
    await bench.halls.welcome(load, hall);
    const rushes = await stampedes({ ...bench, load, servers, hall }, rounds);
    return [...refused, ...rushes, ...inside];
  } finally {
    await Promise.all([node.stop(), refusing.stop(), child.stop(), load.stop()]);
  }
}

/** Everybody is refused, again and again, by each server in turn. */
async function refusals(
  bench: Bench,
  load: LoadProcess,
  hall: Hall,
  servers: Readonly<Record<string, Server>>,
  quick: boolean,
): Promise<Figure[]> {
  const { stage, halls } = bench;
  const { eventId, scope } = await halls.sale(hall);
  await stage.asSuperuser(fillSeats(eventId, TAKEN));
  const half = Math.floor(hall.buyers.length / 2);
  const { organizationId } = scope;
  const secret = stage.services.authSecret;
  const welcome = (users: readonly string[]) => load.crowd({ secret, organizationId, users });
  const seatIds = hall.seatIds.slice(0, TAKEN);
  // First everything is taken, by people who do not come back.
  await welcome(hall.buyers.slice(0, half));
  for (const name of [OURS, NAIVE]) {
    const address = servers[name]?.address ?? '';
    const play = { kind: 'reserve' } as const;
    const aim = { address, eventId, seatIds, keys: false };
    await load.play(aim, { play, connections: CONNECTIONS, lasts_ms: 30_000 });
  }
  await welcome(hall.buyers.slice(half));
  const contestants = Object.entries(servers).map(([name, server]): Contestant => {
    const aim = { address: server.address, eventId, seatIds, keys: false };
    const prepared = { aim, play: { kind: 'refused' }, connections: CONNECTIONS } as const;
    return {
      name,
      servers: [server],
      prepare: async () => prepared,
      ...(name === OURS ? {} : { reference: true }),
    };
  });
  const title = 'a seat that others have';
  const results = await runContest(bench, load, contestants, { ...settingsOf(quick), title });
  const words = { suite: SUITE, title, what: 'refusals' };
  const to = `${title}, ${OURS} to ${CONSTANT}`;
  return [
    ...figuresOf(words, contestants, results),
    ratioOf(results, [OURS, CONSTANT], { suite: SUITE, name: to, target: ENOUGH }),
    ratioOf(
      results,
      [OURS, CONSTANT],
      { suite: SUITE, name: `${to}, server time for each` },
      ({ server_us }) => server_us,
    ),
    ratioOf(results, [OURS, NAIVE], { suite: SUITE, name: `${title}, ${OURS} to ${NAIVE}` }),
    loadShare(SUITE, [results]),
    strangeFigure(SUITE, [results]),
  ];
}

async function engineStampede(bench: Bench, hall: Hall, quick: boolean): Promise<Figure[]> {
  const event = await bench.halls.sale(hall);
  return conflictSuite(bench.engine, event, hall.seatIds.slice(0, quick ? 3 : 7), hall.buyers);
}

import { type Bench, settingsOf, type Turn, takeTurn } from '#contest';
import { LoadProcess } from '#load';
import { type Figure, figureOf } from '#measure';
import { type OwnNode, type Pulse, readSeries, startOwnNode } from '#node';
import { openRedis } from '#stage';

const SUITE = 'inside';
const SEATS = 100_000;
const CROWDS = [64, 512] as const;
const STATEMENTS = 'voelgoed_postgres_statement_seconds_count';
const FLUSHES = 'voelgoed_flush_wishes_count';
const WISHES = 'voelgoed_flush_wishes_sum';
const COMMANDS = 'voelgoed_redis_command_seconds_count';
const SERIES = [STATEMENTS, FLUSHES, WISHES, COMMANDS];
const WARM_UP = 4;

type Seen = Readonly<{ turn: Turn; pulse: Pulse; grown: Readonly<Record<string, number>> }>;

export async function insideSuite(bench: Bench, quick: boolean): Promise<Figure[]> {
  const redis = await openRedis();
  const load = new LoadProcess();
  const nodes: OwnNode[] = [];
  try {
    const { stage, profile } = bench;
    const figures: Figure[] = [];
    await bench.halls.welcome(load, await bench.halls.of(SEATS));
    for (const redisUrl of [null, redis.url]) {
      const who = redisUrl === null ? 'without Redis' : 'with Redis';
      const wishes = { name: `${SUITE} ${who}`, profile, redisUrl, roundTrips: true };
      const node = await startOwnNode(stage, wishes);
      nodes.push(node);
      const { rounds, lasts_ms } = settingsOf(quick);
      await look(bench, load, node, CROWDS[0], lasts_ms * WARM_UP);
      for (const connections of CROWDS) {
        const seen: Seen[] = [];
        for (let round = 0; round < rounds; round++) {
          bench.tell(`${connections} connections, ${who}, round ${round + 1} of ${rounds}`);
          seen.push(await look(bench, load, node, connections, lasts_ms));
        }
        figures.push(...figuresOf(`${connections} connections, ${who}`, seen));
      }
    }
    return figures;
  } finally {
    await Promise.all([load.stop(), ...nodes.map((node) => node.stop())]);
    await redis.stop();
  }
}

async function look(
  { stage, halls }: Bench,
  load: LoadProcess,
  node: OwnNode,
  connections: number,
  lasts_ms: number,
): Promise<Seen> {
  const hall = await halls.of(SEATS);
  const { eventId } = await halls.sale(hall);
  await fetch(`${node.address}/api/events/${eventId}/availability`);
  const aim = { address: node.address, eventId, seatIds: hall.seatIds, keys: false };
  const before = await readSeries(node.address, SERIES);
  await node.pulse();
  const play = { kind: 'reserve' } as const;
  const cast = { stage, load, servers: [node] };
  const turn = await takeTurn(cast, { aim, play, connections, lasts_ms });
  const pulse = await node.pulse();
  const after = await readSeries(node.address, SERIES);
  const grown = Object.fromEntries(
    SERIES.map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]),
  );
  return { turn, pulse, grown };
}

function figuresOf(title: string, seen: readonly Seen[]): Figure[] {
  const line = (name: string, unit: string, pick: (seen: Seen) => number) =>
    figureOf(seen.map(pick), { suite: SUITE, name: `${title}, ${name}`, unit });
  const holds = ({ turn }: Seen) => turn.statuses[201] ?? Number.NaN;
  const grown = (name: string) => (one: Seen) => one.grown[name] ?? Number.NaN;
  return [
    line('holds', '/s', ({ turn }) => turn.per_s),
    line('the loop is busy', '%', ({ pulse }) => 100 * pulse.loop),
    line('of it collecting garbage', '%', ({ pulse }) => (100 * pulse.garbage) / pulse.loop),
    line('the loop is late, 99 % within', 'ms', ({ pulse }) => pulse.lag_p99_ms),
    line('wishes a flush', '', (one) => grown(WISHES)(one) / grown(FLUSHES)(one)),
    line('statements a hold', '', (one) => grown(STATEMENTS)(one) / holds(one)),
    line('exchanges with Postgres a hold', '', (one) => one.pulse.round_trips / holds(one)),
    line('exchanges with Postgres a flush', '', (one) => {
      return one.pulse.round_trips / grown(FLUSHES)(one);
    }),
    line('commands to Redis a hold', '', (one) => grown(COMMANDS)(one) / holds(one)),
    line('server time a hold', 'µs', ({ turn }) => turn.server_us),
    line('Postgres time a hold', 'µs', ({ turn }) => turn.postgres_us),
  ];
}

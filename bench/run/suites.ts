import type { EventRef } from '@voelgoed/engine/registry';
import { anEngine } from '@voelgoed/testkit/builders';
import { allocationSuite } from '#allocation';
import { decideSuite, loadSuite } from '#board';
import { holdsSuite } from '#holds';
import { mapSuite } from '#map';
import type { Figure } from '#measure';
import { overloadSuite } from '#overload';
import { redisSuite } from '#redis';
import { replaySuite } from '#replay';
import { sseSuite } from '#sse';
import { buyersOf, joinStage, newEvent, openStage, type Stage, seatIdsOf, stadium } from '#stage';
import { telemetrySuite } from '#telemetry';
import { weekSuite } from '#week';
import { type Bench, conflictSuite, Fleet, schemaSuite, writerSuite } from '#writer';

/** The last one takes parts of the schema away and only runs when it is named. */
export const SUITES = [
  'allocation',
  'week',
  'map',
  'decide',
  'load',
  'conflicts',
  'writer',
  'holds',
  'telemetry',
  'redis',
  'sse',
  'replay',
  'overload',
  'schema',
] as const;

/** These need neither Postgres nor a stadium in it. */
const PURE: readonly string[] = ['allocation', 'week', 'map'];

export type Settings = Readonly<{
  quick: boolean;
  rounds: number;
  only: string | undefined;
  profile: string | undefined;
}>;

const SEATS = 100_000;
/** The writer's holds are spread over so many, so that nobody has hundreds of them. */
const USERS = 20_000;
const NODES = 3;

export async function runSuites(
  wanted: readonly string[],
  settings: Settings,
  signal: AbortSignal,
): Promise<Figure[]> {
  const unknown = wanted.find((name) => !(SUITES as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Error(`there is no suite ${unknown}: ${SUITES.join(', ')}`);
  // They need no services, and nobody should wait for them who asks for these alone.
  const pure = [
    ...(wanted.includes('allocation') ? allocationSuite(settings.quick) : []),
    ...(wanted.includes('week') ? weekSuite(settings.quick) : []),
    ...(wanted.includes('map') ? await mapSuite(settings.quick) : []),
  ];
  const others = wanted.filter((name) => !PURE.includes(name));
  if (others.length === 0) return pure;
  console.log('Postgres is started and a stadium is built …');
  const stage = await openStage();
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  try {
    return [...pure, ...(await Promise.race([onStage(stage, others, settings), stopped]))];
  } finally {
    await stage.stop();
  }
}

async function onStage(
  stage: Stage,
  wanted: readonly string[],
  settings: Settings,
): Promise<Figure[]> {
  const postgres = joinStage(stage.address);
  const engine = anEngine(postgres);
  try {
    const built = await stadium(engine, SEATS);
    const bench = { stage, engine, stadium: built, users: USERS };
    const buyers = await buyersOf(engine, built, USERS);
    const event = await newEvent(engine, built);
    await stage.asSuperuser('vacuum analyze');
    const figures: Figure[] = [];
    for (const name of wanted) {
      console.log(`${name} …`);
      figures.push(...(await runSuite(name, bench, event, buyers, settings)));
    }
    return figures;
  } finally {
    await engine.registry.stop();
    await postgres.close();
  }
}

async function runSuite(
  name: string,
  bench: Bench,
  event: EventRef,
  buyers: readonly string[],
  settings: Settings,
): Promise<Figure[]> {
  const { engine } = bench;
  const { quick } = settings;
  // As after publishing, when Postgres has no statistics about the event yet.
  const fresh = () => newEvent(engine, bench.stadium);
  if (name === 'load') return loadSuite(engine.postgres, await fresh(), quick);
  if (name === 'schema') return schemaSuite(bench, event, { ...settings, buyers });
  if (name === 'holds') return holdsSuite(bench, settings);
  if (name === 'telemetry') return telemetrySuite(bench, quick);
  if (name === 'redis') return redisSuite(bench, quick);
  if (name === 'overload') return overloadSuite(bench, quick);
  if (name === 'replay') return replaySuite(bench, buyers, quick);
  if (name === 'sse') return sseSuite(bench, buyers, settings);
  if (name === 'writer')
    return withFleet(NODES, bench, (fleet) => writerSuite(bench, fleet, quick));
  const own = name === 'decide' ? await fresh() : event;
  const board = await engine.registry.board(own);
  if (!board) throw new Error('the event is on sale');
  const seats = seatIdsOf(board);
  if (name === 'decide') return decideSuite(board, seats, quick);
  return conflictSuite(engine, event, seats.slice(0, quick ? 3 : 7), buyers);
}

async function withFleet(
  size: number,
  { stage }: Bench,
  work: (fleet: Fleet) => Promise<Figure[]>,
): Promise<Figure[]> {
  const fleet = await Fleet.start(size, stage.address);
  try {
    return await work(fleet);
  } finally {
    await fleet.stop();
  }
}

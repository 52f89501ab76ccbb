import { anEngine } from '@voelgoed/testkit/builders';
import { allocationSuite } from '#allocation';
import { besideSuite, type Stranger } from '#beside';
import { bestSuite } from '#best';
import { decideSuite, loadSuite } from '#board';
import { checkoutSuite } from '#checkout';
import { conflictsSuite } from '#conflicts';
import type { Bench } from '#contest';
import { growthSuite } from '#growth';
import { Halls } from '#halls';
import { holdsSuite } from '#holds';
import { insideSuite } from '#inside';
import { mapSuite } from '#map';
import type { Figure } from '#measure';
import { millionSuite } from '#million';
import { nodesSuite } from '#nodes';
import { onSaleSuite } from '#onsale';
import { overloadSuite } from '#overload';
import { readsSuite } from '#reads';
import { redisSuite } from '#redis';
import { replaySuite } from '#replay';
import { soakSuite } from '#soak';
import { sseSuite } from '#sse';
import { joinStage, newEvent, openStage, type Stage, seatIdsOf } from '#stage';
import { telemetrySuite } from '#telemetry';
import { versionsSuite } from '#versions';
import { weekSuite } from '#week';
import { Fleet, schemaSuite, writerSuite } from '#writer';
import type { Progress } from './progress.ts';

export type Settings = Readonly<{
  quick: boolean;
  rounds: number;
  only: string | undefined;
  profile: string | undefined;
  /** How long the soak lasts; null: as long as usual. */
  minutes: number | null;
  /** Who is measured beside a node, if somebody is. */
  stranger: Stranger | null;
  /** The folder of another checkout. */
  other: string | undefined;
}>;

type Ground = Readonly<{ bench: Bench; buyers: readonly string[]; settings: Settings }>;

type Suite = Readonly<{
  /** How long it takes on two cores that nobody else uses: quick, and whole. */
  seconds: readonly [quick: number, whole: number];
  /** Needs neither Postgres nor a stadium in it. */
  pure?: (quick: boolean) => Figure[] | Promise<Figure[]>;
  run?: (ground: Ground) => Promise<Figure[]>;
  /** Only when it is named. */
  named?: true;
}>;

const SEATS = 100_000;
/** The writer's holds are spread over so many, so that nobody has hundreds of them. */
const USERS = 20_000;
const NODES = 3;
const SOAK_MINUTES = { quick: 0.5, whole: 10 } as const;

/** In the order in which they run. */
const TABLE: Readonly<Record<string, Suite>> = {
  allocation: { seconds: [5, 15], pure: allocationSuite },
  week: { seconds: [5, 30], pure: weekSuite },
  map: { seconds: [60, 150], pure: mapSuite },
  decide: { seconds: [10, 20], run: decide },
  load: { seconds: [5, 15], run: load },
  conflicts: of([60, 120], conflictsSuite),
  writer: { seconds: [30, 90], run: writer },
  holds: of([120, 420], holdsSuite),
  inside: of([60, 120], insideSuite),
  'best-available': of([60, 90], bestSuite),
  checkout: of([20, 50], checkoutSuite),
  'on-sale': of([20, 50], onSaleSuite),
  reads: of([40, 130], readsSuite),
  telemetry: of([20, 110], telemetrySuite),
  redis: of([60, 200], redisSuite),
  sse: of([60, 120], sseSuite),
  nodes: of([60, 140], nodesSuite),
  growth: of([150, 600], growthSuite),
  replay: {
    seconds: [20, 60],
    run: ({ bench, buyers, settings }) => replaySuite(bench, buyers, settings.quick),
  },
  overload: of([230, 360], overloadSuite),
  soak: { seconds: [40, 620], run: soak },
  schema: { seconds: [60, 120], run: schema, named: true },
  'registry-million': { ...of([60, 420], millionSuite), named: true },
  beside: { seconds: [20, 50], run: beside, named: true },
  versions: { seconds: [90, 260], run: versions, named: true },
};

export const SUITES: readonly string[] = Object.keys(TABLE);
/** What runs when nobody names any. */
export const USUAL: readonly string[] = SUITES.filter((name) => !TABLE[name]?.named);

export function expectedOf(names: readonly string[], { quick, minutes }: Settings) {
  return names.map((name) => {
    const seconds = TABLE[name]?.seconds[quick ? 0 : 1] ?? 0;
    return { name, seconds: name === 'soak' && minutes !== null ? minutes * 60 : seconds };
  });
}

export function refuseUnknown(names: readonly string[]): void {
  const unknown = names.find((name) => !SUITES.includes(name));
  if (unknown !== undefined) throw new Error(`there is no suite ${unknown}: ${SUITES.join(', ')}`);
}

export type Found = { figures: Figure[]; versions: Record<string, string> };

/** What has been found so far is kept in `found`, so that a run that is stopped is not in vain. */
export async function runSuites(
  wanted: readonly string[],
  settings: Settings,
  progress: Progress,
  found: Found,
  /** Rejects when somebody stops the run. */
  stopped: Promise<never>,
): Promise<void> {
  const names = SUITES.filter((name) => wanted.includes(name));
  const run = async (name: string, work: () => Figure[] | Promise<Figure[]>) => {
    progress.begin(name);
    found.figures.push(...(await work()));
    progress.end();
  };
  // They need no services, and nobody should wait for them who asks for these alone.
  for (const name of names) {
    const { pure } = TABLE[name] ?? {};
    if (pure) await run(name, () => pure(settings.quick));
  }
  const others = names.filter((name) => TABLE[name]?.run);
  if (others.length === 0) return;
  console.log('Postgres is started and a stadium is built …');
  const stage = await openStage();
  try {
    const [row] = await stage.asSuperuser('show server_version');
    found.versions.postgres = String(row?.server_version);
    const all = onStage(stage, settings, progress, async (ground) => {
      for (const name of others) {
        const suite = TABLE[name]?.run;
        if (suite) await run(name, () => suite(ground));
      }
    });
    await Promise.race([all, stopped]);
  } finally {
    await stage.stop();
  }
}

async function onStage(
  stage: Stage,
  settings: Settings,
  progress: Progress,
  work: (ground: Ground) => Promise<void>,
): Promise<void> {
  const postgres = joinStage(stage.address);
  const engine = anEngine(postgres);
  try {
    const halls = new Halls(engine, stage.services.authSecret, USERS);
    const { stadium, buyers } = await halls.of(SEATS);
    const { profile } = settings;
    const tell = (text: string) => progress.step(text);
    const bench = { stage, engine, stadium, users: USERS, halls, profile, tell };
    await stage.asSuperuser('vacuum analyze');
    await work({ bench, buyers, settings });
  } finally {
    await engine.registry.stop();
    await postgres.close();
  }
}

function of(
  seconds: Suite['seconds'],
  suite: (bench: Bench, quick: boolean) => Promise<Figure[]>,
): Suite {
  return { seconds, run: ({ bench, settings }) => suite(bench, settings.quick) };
}

/** As after publishing, when Postgres has no statistics about the event yet. */
async function load({ bench, settings }: Ground): Promise<Figure[]> {
  const event = await newEvent(bench.engine, bench.stadium);
  return loadSuite(bench.engine.postgres, event, settings.quick);
}

async function decide({ bench, settings }: Ground): Promise<Figure[]> {
  const event = await newEvent(bench.engine, bench.stadium);
  const board = await bench.engine.registry.board(event);
  if (!board) throw new Error('the event is on sale');
  return decideSuite(board, seatIdsOf(board), settings.quick);
}

async function writer({ bench, settings }: Ground): Promise<Figure[]> {
  const fleet = await Fleet.start(NODES, bench.stage.address);
  try {
    return await writerSuite(bench, fleet, settings.quick);
  } finally {
    await fleet.stop();
  }
}

async function schema({ bench, buyers, settings }: Ground): Promise<Figure[]> {
  const event = await newEvent(bench.engine, bench.stadium);
  return schemaSuite(bench, event, { ...settings, buyers });
}

function beside({ bench, settings }: Ground): Promise<Figure[]> {
  if (!settings.stranger) throw new Error('beside needs somebody who is measured beside a node');
  return besideSuite(bench, settings.quick, settings.stranger);
}

function versions({ bench, settings }: Ground): Promise<Figure[]> {
  const { other, quick } = settings;
  if (other === undefined) throw new Error('versions needs --other FOLDER, another checkout');
  return versionsSuite(bench, quick, other);
}

function soak({ bench, settings }: Ground): Promise<Figure[]> {
  const usual = settings.quick ? SOAK_MINUTES.quick : SOAK_MINUTES.whole;
  return soakSuite(bench, settings.minutes ?? usual);
}

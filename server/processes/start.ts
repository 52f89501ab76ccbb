/**
 * `npm start`: services, schema, demo data, server; stops all of it on Ctrl-C. With `--nodes 3`
 * three of them behind a small balancer, for trying how nodes agree.
 */
import { reasonOf, systemClock } from '@voelgoed/engine/kit';
import { readConfig } from '#config';
import { watchBugs } from './bugs.ts';
import { migrateDatabase } from './database.ts';
import { Ending } from './ending.ts';
import { nodesIn, startNodes } from './many-nodes.ts';
import { type RunningNode, startNode } from './node.ts';
import { type Services, startServices } from './services.ts';

const say = (line: string) => console.log(line);
/** How long a start that hangs (a database that does not answer) may keep us from stopping. */
const START_MS = 15_000;
/** Terminal and wrapper both pass a Ctrl-C on; one that comes later is meant. */
const SECOND_SIGNAL_MS = 1_000;

let services: Services | undefined;
let node: (Pick<RunningNode, 'address' | 'stop'> & Partial<RunningNode>) | undefined;

/**
 * Asked twice (terminal and wrapper both pass Ctrl-C on), done once. A start that is under way is
 * awaited first: a service that is just being started would otherwise be left behind.
 */
const ending = new Ending(
  [
    () => Promise.race([starting.catch(() => {}), systemClock.sleep(START_MS)]),
    () => node?.stop(),
    () => services?.stop(),
  ],
  { exit },
);

function exit(code: number): void {
  if (code === 0) say('Stopped.');
  process.exit(code);
}

function fail(error: unknown): Promise<void> {
  console.error(`Voelgoed Seating cannot run: ${reasonOf(error)}`);
  return ending.end(1);
}

async function main(): Promise<void> {
  const result = readConfig(process.env);
  if (result.kind === 'problems') {
    console.error(['The configuration is not valid:', ...result.problems].join('\n  '));
    process.exit(1);
  }
  const { config } = result;
  services = await startServices(config, process.env.PATH ?? '', say, fail);
  if (ending.hasBegun) return;
  await migrateDatabase(services);
  if (ending.hasBegun) return;
  const { ownerUrl, authSecret, redisUrl } = services;
  const count = nodesIn(process.argv);
  if (count > 1) {
    const many = await startNodes(count, config, { ownerUrl, authSecret, redisUrl });
    node = many;
    say(`Nodes: ${many.nodes.join('  ')}`);
  } else node = await startNode({ config, ownerUrl, authSecret, redisUrl });
  const postgres = config.databaseUrl ? 'Postgres (DATABASE_URL)' : `Postgres in ${config.dataDir}`;
  const redis = redisUrl ? (config.redisUrl ? 'Redis (REDIS_URL)' : 'private Redis') : 'no Redis';
  say(`Voelgoed Seating is ready: ${node.address}`);
  say(`  ${postgres}, ${redis}${config.demo ? ', demo data' : ''}. Ctrl-C stops it.`);
}

let firstSignal = Number.POSITIVE_INFINITY;
const starting = main();
starting.catch(fail);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    const now = systemClock.monotonic();
    if (now - firstSignal > SECOND_SIGNAL_MS) process.exit(1);
    firstSignal = Math.min(firstSignal, now);
    void ending.end(0);
  });
}
// Whoever reads our output may leave; that is no reason to die and leave the services behind.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
watchBugs(() => node?.bug, fail);
// The wrapper that started us was killed: nobody could stop us any more, so stop.
process.on('disconnect', () => void ending.end(0));

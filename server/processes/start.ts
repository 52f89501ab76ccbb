/** `npm start`: services, schema, demo data, server; stops all of it on Ctrl-C. */
import { reasonOf } from '@voelgoed/engine/kit';
import { readConfig } from '#config';
import { migrateDatabase } from './database.ts';
import { type RunningNode, startNode } from './node.ts';
import { type Services, startServices } from './services.ts';

const say = (line: string) => console.log(line);

let services: Services | undefined;
let node: RunningNode | undefined;
let stopping: Promise<void> | undefined;

/**
 * Asked twice (terminal and wrapper both pass Ctrl-C on), done once. A start that is under way is
 * awaited first: a service that is just being started would otherwise be left behind.
 */
function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    await starting.catch(() => {});
    await node?.stop();
    await services?.stop();
    if (code === 0) say('Stopped.');
    process.exit(code);
  })();
  return stopping;
}

function fail(error: unknown): Promise<void> {
  console.error(`Voelgoed Seating cannot run: ${reasonOf(error)}`);
  return stop(1);
}

async function main(): Promise<void> {
  const result = readConfig(process.env);
  if (result.kind === 'problems') {
    console.error(['The configuration is not valid:', ...result.problems].join('\n  '));
    process.exit(1);
  }
  const { config } = result;
  services = await startServices(config, process.env.PATH ?? '', say, fail);
  if (stopping) return;
  await migrateDatabase(services);
  if (stopping) return;
  const { ownerUrl, authSecret, redisUrl } = services;
  node = await startNode({ config, ownerUrl, authSecret, redisUrl });
  const postgres = config.databaseUrl ? 'Postgres (DATABASE_URL)' : `Postgres in ${config.dataDir}`;
  const redis = redisUrl ? (config.redisUrl ? 'Redis (REDIS_URL)' : 'private Redis') : 'no Redis';
  say(`Voelgoed Seating is ready: ${node.address}`);
  say(`  ${postgres}, ${redis}${config.demo ? ', demo data' : ''}. Ctrl-C stops it.`);
}

const starting = main();
starting.catch(fail);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void stop(0));
}
// The wrapper that started us was killed: nobody could stop us any more, so stop.
process.on('disconnect', () => void stop(0));

/**
 * Scenarios: `npm run faults -- <name> --seconds N`. Each starts services of its own, lets three
 * nodes loose on one event, does what disasters do, and prints what happened and whether every
 * promise was kept. It knows the order of a disaster; histories are judged by the fault rooms. The
 * exit code is 1 when a promise was broken, and nothing is left running.
 */
import { parseArgs } from 'node:util';
import { reasonOf, systemRandom } from '@voelgoed/engine/kit';
import { startTestServices } from '#services';
import { lockTimeout } from './lock-timeout.ts';
import { reaperStopped } from './reaper-stopped.ts';
import { redisLoss } from './redis-loss.ts';
import { restore } from './restore.ts';
import type { Scenario } from './set.ts';

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'redis-loss': redisLoss,
  'lock-timeout': lockTimeout,
  'reaper-stopped': reaperStopped,
  restore,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '10' }, seed: { type: 'string' } },
});

async function main(): Promise<void> {
  const seconds = Number(values.seconds);
  const unknown = positionals.filter((name) => !(name in SCENARIOS));
  if (unknown.length > 0 || !(seconds >= 1 && seconds <= 3_600)) {
    const names = Object.keys(SCENARIOS).join(', ');
    throw new Error(`npm run faults -- [${names}] [--seconds 1…3600] [--seed N]`);
  }
  const seed = Number(values.seed ?? Math.floor(systemRandom.next() * 2 ** 31));
  const { stop, ...services } = await startTestServices();
  try {
    const names = positionals.length > 0 ? positionals : Object.keys(SCENARIOS);
    for (const name of names) {
      console.log(`${name} (${seconds} s, seed ${seed})`);
      const say = (line: string) => console.log(`  ${line}`);
      const problems = await SCENARIOS[name]?.({ services, seconds, seed, say });
      for (const problem of problems ?? []) console.log(`  BROKEN: ${problem}`);
      if (problems?.length) process.exitCode = 1;
      else console.log('  every promise was kept');
    }
  } finally {
    await stop();
  }
}

main()
  .catch((error: unknown) => {
    console.error(reasonOf(error));
    process.exitCode = 1;
  })
  // The workshop's thread and the channel to the wrapper would keep this process alive.
  .finally(() => process.exit());

/**
 * Fuzzing: `npm run fuzz -- --requests 20000 --seed 1`. It starts services and a node of its own,
 * lets the fuzzer loose on every route, asks the checker of invariants afterwards, prints what was
 * found and ends with 1 if anything was. It knows how a run is put together; what is asked and what
 * an answer must look like is the fuzzer's.
 */
import { parseArgs } from 'node:util';
import { reasonOf, systemClock, systemRandom } from '@voelgoed/engine/kit';
import { Postgres, servingUrls } from '@voelgoed/engine/postgres';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { type FuzzReport, fuzz } from '@voelgoed/faults/fuzz';
import { startNode } from '@voelgoed/server/processes';
import { aReceiver } from '#receivers';
import { testConfig } from '#servers';
import { startTestServices, stopWhenInterrupted, type TestServices } from '#services';
import { aFuzzWorld, contradictions } from '#worlds';

const SECRETS = {
  PLATFORM_SECRET: 'the platform secret of the fuzzer, long enough',
  PAYMENT_WEBHOOK_SECRET: 'the payment secret of the fuzzer, long enough',
};
const MOST_SHOWN = 20;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    worlds: { type: 'string', default: '1' },
  },
});

async function main(): Promise<void> {
  const requests = Number(values.requests);
  const seed = Number(values.seed ?? Math.floor(systemRandom.next() * 2 ** 31));
  const worlds = Number(values.worlds);
  if (!(requests >= 1) || !Number.isInteger(seed) || !(worlds >= 1 && worlds <= 16)) {
    throw new Error('npm run fuzz -- [--requests N] [--seed N] [--worlds 1…16]');
  }
  const { stop, ...services } = await startTestServices();
  stopWhenInterrupted(stop);
  console.log(`${requests} requests, seed ${seed}, in ${worlds} worlds at the same time`);
  try {
    await attack(services, { requests, seed, worlds });
  } finally {
    await stop();
  }
}

async function attack(
  services: TestServices,
  { requests, seed, worlds }: { requests: number; seed: number; worlds: number },
): Promise<void> {
  const { ownerUrl, authSecret, redisUrl } = services;
  const config = testConfig({
    ...SECRETS,
    LOG_LEVEL: 'error',
    SHED_LOAD: '0',
    ALLOW_INTERNAL_ADDRESSES: '1',
    GUEST_SESSIONS_PER_HOUR: '100000',
    CHECKOUT_INTERVAL_SECONDS: '0',
  });
  const node = await startNode({ config, ownerUrl, authSecret, redisUrl });
  const postgres = new Postgres({
    ...servingUrls(ownerUrl, authSecret),
    ...{ clock: systemClock, random: systemRandom, telemetry: silentTelemetry },
  });
  const receiver = await aReceiver();
  try {
    const options = {
      ...{ address: node.address, postgres, authSecret, hook: receiver.url },
      platformSecret: SECRETS.PLATFORM_SECRET,
      paymentSecret: SECRETS.PAYMENT_WEBHOOK_SECRET,
    };
    const started = systemClock.monotonic();
    // Organizations of their own: what one does is nothing to the others, and the seed decides.
    const made = await Promise.all(Array.from({ length: worlds }, () => aFuzzWorld(options)));
    // The platform sees them all: none of them is suspended by another.
    const spared = new Set(made.flatMap((world) => [...world.spared]));
    const asked = made.map(async (world, index) => {
      const say = (line: string) => console.log(`world ${index}: ${line}`);
      const wanted = { requests: Math.ceil(requests / worlds), seed: seed + index, say };
      return fuzz({ ...world, spared }, wanted);
    });
    const report = together(await Promise.all(asked));
    const seconds = (systemClock.monotonic() - started) / 1_000;
    show(report, seconds);
    const wrong = await contradictions(postgres);
    for (const one of wrong) console.log(`CONTRADICTION: ${one}`);
    if (report.findings.length > 0 || wrong.length > 0) process.exitCode = 1;
    else console.log('every answer was good, and nothing contradicts itself');
  } finally {
    await receiver.close();
    await postgres.close();
    await node.stop();
  }
}

function together(reports: readonly FuzzReport[]): FuzzReport {
  const statuses = new Map<number, number>();
  for (const report of reports) {
    for (const [status, count] of report.statuses) {
      statuses.set(status, (statuses.get(status) ?? 0) + count);
    }
  }
  const sum = (of: (report: FuzzReport) => number) =>
    reports.reduce((all, one) => all + of(one), 0);
  return {
    requests: sum(({ requests }) => requests),
    statuses,
    asked: new Set(reports.flatMap(({ asked }) => [...asked])),
    succeeded: new Set(reports.flatMap(({ succeeded }) => [...succeeded])),
    findings: reports.flatMap(({ findings }) => findings),
    repeated: sum(({ repeated }) => repeated),
    slowest_ms: Math.max(...reports.map(({ slowest_ms }) => slowest_ms)),
  };
}

function show(report: FuzzReport, seconds: number): void {
  const { requests, findings, asked, succeeded, repeated, slowest_ms, statuses } = report;
  const kinds = [...statuses].sort(([a], [b]) => a - b).map((pair) => pair.join(': '));
  console.log(`${requests} requests in ${seconds.toFixed(0)} s; ${kinds.join(', ')}`);
  console.log(`slowest ${slowest_ms} ms; ${repeated} busy answers asked again`);
  console.log(`${asked.size} routes asked, ${succeeded.size} of them said yes`);
  const never = [...asked].filter((name) => !succeeded.has(name));
  if (never.length > 0) console.log(`never yes: ${never.join(', ')}`);
  for (const { turn, request, problem } of findings.slice(0, MOST_SHOWN)) {
    console.log(`FOUND at ${turn}: ${problem}\n  ${request}`);
  }
  if (findings.length > MOST_SHOWN) console.log(`and ${findings.length - MOST_SHOWN} more`);
}

main()
  .catch((error: unknown) => {
    console.error(reasonOf(error));
    process.exitCode = 1;
  })
  // The workshop's thread and the channel to the wrapper would keep this process alive.
  .finally(() => process.exit());

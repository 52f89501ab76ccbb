import { systemClock } from '@voelgoed/engine/kit';
import { redisServer } from '@voelgoed/testkit/services';
import { isKept } from '#measure';
import { recordOf, versionOf, writeRecord } from '#record';
import { printFigures } from './print.ts';
import { Progress } from './progress.ts';
import {
  expectedOf,
  type Found,
  refuseUnknown,
  runSuites,
  type Settings,
  USUAL,
} from './suites.ts';

type Wishes = Readonly<{ settings: Settings; json: string | undefined }>;

/** Runs what is named, prints it, keeps it; also what was found before somebody stops it. */
export async function measureAll(
  named: readonly string[],
  { settings, json }: Wishes,
): Promise<void> {
  refuseUnknown(named);
  const wanted = named.length > 0 ? named : USUAL;
  const begun = systemClock.monotonic();
  const say = (line: string) => console.log(line);
  const progress = new Progress(systemClock, expectedOf(wanted, settings), say);
  const found: Found = { figures: [], versions: {} };
  const stopped = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => reject(new Error('stopped')));
    }
  });
  stopped.catch(() => {});
  try {
    await runSuites(wanted, settings, progress, found, stopped);
  } finally {
    const redis = await redisServer().then(versionOf, () => null);
    const seconds = Math.round((systemClock.monotonic() - begun) / 1_000);
    const record = await recordOf(systemClock, {
      quick: settings.quick,
      suites: wanted,
      seconds,
      figures: found.figures,
      versions: { ...found.versions, ...(redis === null ? {} : { redis }) },
    });
    printFigures(record.figures);
    if (json) await writeRecord(json, record);
  }
  const missed = found.figures.filter((figure) => !isKept(figure));
  console.log(missed.length === 0 ? '\nAll targets are met.' : '\nTargets that are MISSED:');
  for (const { suite, name } of missed) console.log(`  ${suite}: ${name}`);
}

import { InvariantChecker } from '@voelgoed/engine/jobs';
import type { Postgres } from '@voelgoed/engine/postgres';
import type { Happening, Telemetry } from '@voelgoed/engine/telemetry';
import { anEngine } from '#builders';

/** What the checker of invariants finds in every event of the database. */
export async function contradictions(postgres: Postgres): Promise<string[]> {
  const heard: Happening[] = [];
  const telemetry: Telemetry = { emit: (happening) => heard.push(happening) };
  const checker = new InvariantChecker(anEngine(postgres, telemetry));
  const found: string[] = [];
  for (let looked = 1; looked > 0; ) {
    heard.length = 0;
    await checker.round();
    looked = 0;
    for (const one of heard) {
      if (one.kind === 'invariant.checked') looked = Math.max(looked, one.events);
      if (one.kind === 'invariant.violated') found.push(`${one.invariant}: ${one.reason}`);
      if (one.kind === 'job.failed') found.push(one.reason);
    }
    // It looks at a few each time; fewer than that were the last ones.
    if (looked < EVENTS_OF_A_ROUND) return found;
  }
  return found;
}

const EVENTS_OF_A_ROUND = 5;

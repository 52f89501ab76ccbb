import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import type { EventRef } from '@voelgoed/engine/registry';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { WarmTier } from '@voelgoed/engine/warm';
import type { Engine } from '@voelgoed/engine/workflows';
import { anEngine } from '@voelgoed/testkit/builders';
import { type Hall, holdSeats } from '#halls';

/** What is counted here is bytes: a machine that others use may be slow to answer. */
const COMMAND_MS = 2_000;
/** Seats that are held at a time; a flush changes as many. */
const AT_ONCE = 1_000;

/** Until every commit was answered, until Redis had the last, and of this process's processor. */
export type Written = Readonly<{ answered_s: number; written_s: number; cpu_s: number }>;

/** Holds every seat of the events, through writers that write to this Redis as a node does. */
export async function writeHolds(
  { postgres }: Pick<Engine, 'postgres'>,
  redisUrl: string,
  hall: Hall,
  events: readonly EventRef[],
  tell: (text: string) => void,
): Promise<Written> {
  const tools = { clock: systemClock, random: systemRandom, telemetry: silentTelemetry };
  const options = { url: redisUrl, command_ms: COMMAND_MS, otherwise: { publish: () => {} } };
  const warm = new WarmTier({ ...tools, ...options });
  const { claims, feed, watch } = warm;
  const engine = anEngine(postgres, silentTelemetry, { claims, feed, watch });
  warm.attach(engine.registry);
  await warm.connect();
  warm.start();
  const cpu = process.cpuUsage();
  const started = systemClock.monotonic();
  const seconds = () => (systemClock.monotonic() - started) / 1_000;
  let answered_s = Number.NaN;
  try {
    for (const [index, event] of events.entries()) {
      tell(`event ${index + 1} of ${events.length} is held`);
      await holdAll(engine, event, hall);
    }
    answered_s = seconds();
  } finally {
    await engine.registry.stop();
    // Resolves when nothing is left to be written.
    await warm.close();
  }
  const { user, system } = process.cpuUsage(cpu);
  return { answered_s, written_s: seconds(), cpu_s: (user + system) / 1e6 };
}

async function holdAll(engine: Engine, event: EventRef, { seatIds, buyers }: Hall): Promise<void> {
  for (let from = 0; from < seatIds.length; from += AT_ONCE) {
    const buyer = buyers[(from / AT_ONCE) % buyers.length] ?? '';
    await holdSeats(engine, event, buyer, seatIds.slice(from, from + AT_ONCE));
  }
}

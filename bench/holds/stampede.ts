import type { EventRef } from '@voelgoed/engine/registry';
import { type Figure, figureOf, percentile } from '#measure';
import { fillSeats } from '#naive';
import type { Stage } from '#stage';
import type { Servers } from './servers.ts';

const CLIENTS = 5_000;
/** Exactly this many may be told that they have it. */
const ONE = { above: 0.999 };
const NONE = { below: 0.001 };

type Rush = Readonly<{ took_ms: number; p99_ms: number; won: number; broken: number }>;

/** Thousands on one seat at the same moment: one gets it, everybody is told in time. */
export async function stampedes(
  stage: Stage,
  servers: Servers,
  event: EventRef,
  seatIds: readonly string[],
  rounds: number,
): Promise<Figure[]> {
  await stage.asSuperuser(fillSeats(event.eventId, rounds + 1));
  const rushes = { node: [] as Rush[], naive: [] as Rush[] };
  for (let round = -1; round < rounds; round++) {
    const seatId = seatIds[round + 1] ?? '';
    for (const system of ['node', 'naive'] as const) {
      const { address } = servers[system];
      await fetch(`${address}/api/events/${event.eventId}/availability`);
      const aim = { address, eventId: event.eventId, seatIds: [seatId], keys: false };
      const report = await servers.load.stampede(aim, CLIENTS);
      const { 201: won = 0, 409: lost = 0 } = report.statuses;
      const latencies = [...report.latencies_ms].sort((one, other) => one - other);
      const rush = {
        took_ms: report.seconds * 1_000,
        p99_ms: percentile(latencies, 99),
        won,
        broken: CLIENTS - won - lost,
      };
      if (round >= 0) rushes[system].push(rush);
    }
  }
  return [...figuresOf('this server', rushes.node), ...figuresOf('the plain way', rushes.naive)];
}

function figuresOf(who: string, rushes: readonly Rush[]): Figure[] {
  const suite = 'holds';
  const name = `${CLIENTS} clients on one seat, ${who}`;
  const of = (pick: (rush: Rush) => number) => rushes.map(pick);
  return [
    figureOf(
      of(({ took_ms }) => took_ms),
      { suite, name: `${name}, all answered`, unit: 'ms' },
    ),
    figureOf(
      of(({ p99_ms }) => p99_ms),
      { suite, name: `${name}, 99 % within`, unit: 'ms' },
    ),
    figureOf(
      of(({ won }) => won),
      { suite, name: `${name}, accepted`, unit: '', target: ONE },
    ),
    figureOf(
      of(({ broken }) => broken),
      { suite, name: `${name}, neither 201 nor 409`, unit: '', target: NONE },
    ),
  ];
}

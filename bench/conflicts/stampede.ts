import type { Bench, Server } from '#contest';
import type { Hall } from '#halls';
import type { LoadProcess } from '#load';
import { type Figure, figureOf, percentile, ratiosOf, sortedNumbers } from '#measure';
import { fillSeats } from '#naive';

const SUITE = 'conflicts';
const CLIENTS = 5_000;
const NONE = { below: 0.001 };
/** As long as a route takes that only says no. */
const AS_LONG = { below: 1.5 };

type Rush = Readonly<{ took_ms: number; p99_ms: number; won: number; broken: number }>;

type Cast = Bench &
  Readonly<{ load: LoadProcess; servers: Readonly<Record<string, Server>>; hall: Hall }>;

/** Thousands on one seat at the same moment: one gets it, everybody is told in time. */
export async function stampedes(
  { load, servers, hall, halls, stage, tell }: Cast,
  rounds: number,
): Promise<Figure[]> {
  const { eventId } = await halls.sale(hall);
  await stage.asSuperuser(fillSeats(eventId, rounds + 1));
  const names = Object.keys(servers);
  const rushes = new Map<string, Rush[]>(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    tell(`${CLIENTS} clients on one seat, round ${round + 1} of ${rounds}`);
    const seatIds = [hall.seatIds[round + 1] ?? ''];
    for (const name of names) {
      const { address = '' } = servers[name] ?? {};
      // Whoever holds a seat has looked at the map before, so the board is there.
      await fetch(`${address}/api/events/${eventId}/availability`);
      const aim = { address, eventId, seatIds, keys: false };
      const { statuses, latencies_ms, seconds } = await load.stampede(aim, CLIENTS);
      const { 201: won = 0, 409: lost = 0 } = statuses;
      const p99_ms = percentile(sortedNumbers(latencies_ms), 99);
      const rush = { took_ms: seconds * 1_000, p99_ms, won, broken: CLIENTS - won - lost };
      if (round >= 0) rushes.get(name)?.push(rush);
    }
  }
  const [ours = '', constant = ''] = names;
  return [
    ...names.flatMap((name) => figuresFor(name, rushes.get(name) ?? [], name === ours)),
    ratio(`${ours} to ${constant}`, rushes.get(ours) ?? [], rushes.get(constant) ?? []),
  ];
}

function figuresFor(who: string, rushes: readonly Rush[], isOurs: boolean): Figure[] {
  const name = `${CLIENTS} clients on one seat, ${who}`;
  const about = { suite: SUITE, ...(isOurs ? {} : { reference: true as const }) };
  const line = (label: string, unit: string, pick: (rush: Rush) => number) =>
    figureOf(rushes.map(pick), { ...about, name: `${name}, ${label}`, unit });
  // What must never happen is not excused by a round in which it did not.
  const worst = (label: string, pick: (rush: Rush) => number) =>
    figureOf([Math.max(...rushes.map(pick))], {
      ...about,
      name: `${name}, ${label}`,
      unit: '',
      ...(isOurs ? { target: NONE } : {}),
    });
  return [
    line('all answered', 'ms', ({ took_ms }) => took_ms),
    line('99 % within', 'ms', ({ p99_ms }) => p99_ms),
    worst('accepted, more or fewer than one', ({ won }) => Math.abs(won - 1)),
    worst('neither 201 nor 409', ({ broken }) => broken),
  ];
}

function ratio(words: string, ours: readonly Rush[], theirs: readonly Rush[]): Figure {
  const [one, other] = [ours, theirs].map((rushes) => rushes.map(({ took_ms }) => took_ms));
  const name = `${CLIENTS} clients on one seat, ${words}, all answered`;
  const values = ratiosOf(one ?? [], other ?? []);
  return figureOf(values, { suite: SUITE, name, unit: 'x', target: AS_LONG });
}

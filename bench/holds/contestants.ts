import type { Bench, Contestant, Server, Turn } from '#contest';
import type { Hall } from '#halls';
import { percentile, sortedNumbers } from '#measure';
import { fillSeats } from '#naive';
import { secondsBetween } from '#stage';
import type { Servers } from './servers.ts';

export type HoldLoad = Readonly<{ hall: Hall; connections: number; keys?: boolean }>;

/** The plain ways take some thousand seats in a turn, and copying more only takes time. */
const COPIED_SEATS = 20_000;

export const NAMES = {
  node: 'this server',
  warm: 'this server with Redis',
  naive: 'the plain way',
  locking: 'SET NX and an insert',
  statement: 'one statement over HTTP',
  bare: 'one statement without a server',
} as const;

/** This product's own. */
export function ownContestant(
  bench: Bench,
  name: 'node' | 'warm',
  server: Server,
  load: HoldLoad,
): Contestant {
  return {
    name: NAMES[name],
    servers: [server],
    prepare: async () => {
      const { eventId } = await bench.halls.sale(load.hall);
      // Whoever holds a seat has looked at the map before, so the board is there.
      await fetch(`${server.address}/api/events/${eventId}/availability`);
      const { seatIds } = load.hall;
      const aim = { address: server.address, eventId, seatIds, keys: false };
      const play = { kind: 'reserve', keys: load.keys ?? false } as const;
      return { aim, play, connections: load.connections };
    },
  };
}

/** Everybody else's. */
export function otherContestants(bench: Bench, servers: Servers, load: HoldLoad): Contestant[] {
  const over = (name: 'naive' | 'locking' | 'statement', needsSeats: boolean): Contestant => ({
    name: NAMES[name],
    reference: true,
    servers: [servers[name]],
    prepare: async () => {
      const { eventId } = await bench.halls.sale(load.hall);
      if (needsSeats) {
        await bench.stage.asSuperuser(fillSeats(eventId, COPIED_SEATS));
        await bench.stage.asSuperuser('analyze naive_seats');
      }
      const seatIds = load.hall.seatIds.slice(0, COPIED_SEATS);
      const aim = { address: servers[name].address, eventId, seatIds, keys: false };
      return { aim, play: { kind: 'reserve' }, connections: load.connections };
    },
  });
  return [
    over('naive', true),
    over('locking', false),
    over('statement', true),
    withoutServer(bench, servers, load),
  ];
}

/** On this product's own tables, called from the same process: no HTTP, no token, no shapes. */
function withoutServer(
  { stage, halls, users }: Bench,
  { fleet }: Servers,
  { hall, connections }: HoldLoad,
): Contestant {
  const turn = async (lasts_ms: number): Promise<Turn> => {
    const { eventId, scope } = await halls.sale(hall);
    await stage.asSuperuser('checkpoint');
    const { organizationId } = scope;
    const where = { organizationId, eventId, from: 0, to: hall.seatIds.length };
    let before: Awaited<ReturnType<typeof stage.postgresTimes>> = new Map();
    const round = { kind: 'reference', ...where, buyers: connections, users, lasts_ms } as const;
    const [report] = await fleet.run(1, round, async () => {
      before = await stage.postgresTimes();
    });
    if (!report) throw new Error('a fleet of one has one report');
    const postgres_s = secondsBetween(before, await stage.postgresTimes());
    const { seconds, cpu_seconds, holds } = report;
    const hold = sortedNumbers(report.latencies_ms);
    return {
      per_s: holds / seconds,
      p50_ms: percentile(hold, 50),
      p95_ms: percentile(hold, 95),
      p99_ms: percentile(hold, 99),
      server_cpus: cpu_seconds / seconds,
      postgres_cpus: postgres_s / seconds,
      load_cpus: 0,
      server_us: (cpu_seconds * 1e6) / holds,
      postgres_us: (postgres_s * 1e6) / holds,
      strange: 0,
      statuses: { 201: holds },
      steps: { hold },
    };
  };
  const prepare = () => Promise.reject(new Error('this one has turns of its own'));
  return { name: NAMES.bare, reference: true, servers: [], prepare, turn };
}

import type { EventRef } from '@voelgoed/engine/registry';
import type { LoadReport } from '#load';
import { percentile } from '#measure';
import { fillSeats } from '#naive';
import { processSeconds, type Stage, secondsBetween } from '#stage';
import type { Server, Servers } from './servers.ts';

/** Who is measured. */
export type System = 'node' | 'naive' | 'statement';

/** What everybody gets in one turn. */
export type Turn = Readonly<{
  event: EventRef;
  seatIds: readonly string[];
  /** Whom buyers take turns as; the database knows them. */
  users: number;
  connections: number;
  lasts_ms: number;
  keys: boolean;
}>;

export type Result = Readonly<{
  holds_per_s: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
  /** Processors that were kept busy. The statement's buyers are in its own process. */
  server_cpus: number;
  postgres_cpus: number;
  load_cpus: number;
  server_us: number;
  postgres_us: number;
  /** Answers other than 201. */
  refused: number;
}>;

/** The plain way takes a few hundred seats in a turn, and copying more only takes time. */
const NAIVE_SEATS = 20_000;

/** One system at work, from a clean start. */
export async function takeTurn(
  stage: Stage,
  servers: Servers,
  system: System,
  turn: Turn,
): Promise<Result> {
  if (system === 'naive') {
    await stage.asSuperuser(fillSeats(turn.event.eventId, NAIVE_SEATS));
    await stage.asSuperuser('analyze naive_seats');
  }
  await stage.asSuperuser('checkpoint');
  const before = await stage.postgresTimes();
  const report =
    system === 'statement'
      ? await byStatement(servers, turn)
      : await byServer(servers, servers[system], turn, system);
  const postgres_s = secondsBetween(before, await stage.postgresTimes());
  return resultOf(report, postgres_s);
}

type Measured = Pick<LoadReport, 'statuses' | 'seconds' | 'latencies_ms'> &
  Readonly<{ server_s: number; load_s: number }>;

async function byStatement({ fleet }: Servers, turn: Turn): Promise<Measured> {
  const { event, seatIds, users, connections, lasts_ms } = turn;
  const [report] = await fleet.run(1, {
    kind: 'reference',
    organizationId: event.scope.organizationId,
    eventId: event.eventId,
    from: 0,
    to: seatIds.length,
    buyers: connections,
    users,
    lasts_ms,
  });
  if (!report) throw new Error('a fleet of one has one report');
  const { seconds, latencies_ms, cpu_seconds } = report;
  return {
    statuses: { 201: report.holds },
    seconds,
    latencies_ms,
    server_s: cpu_seconds,
    load_s: 0,
  };
}

async function byServer(
  { load }: Servers,
  { address, pid }: Server,
  turn: Turn,
  system: System,
): Promise<Measured> {
  const { event, connections, lasts_ms, keys } = turn;
  const seatIds = system === 'naive' ? turn.seatIds.slice(0, NAIVE_SEATS) : turn.seatIds;
  // Whoever holds a seat has looked at the map before, so the board is there.
  await fetch(`${address}/api/events/${event.eventId}/availability`);
  const before = await processSeconds(pid);
  const aim = { address, eventId: event.eventId, seatIds, keys };
  const { cpu_seconds, ...report } = await load.distinct(aim, connections, lasts_ms);
  return { ...report, server_s: (await processSeconds(pid)) - before, load_s: cpu_seconds };
}

function resultOf(measured: Measured, postgres_s: number): Result {
  const { statuses, seconds, server_s, load_s } = measured;
  const latencies = [...measured.latencies_ms].sort((one, other) => one - other);
  const holds = statuses[201] ?? 0;
  return {
    holds_per_s: holds / seconds,
    p50_ms: percentile(latencies, 50),
    p95_ms: percentile(latencies, 95),
    p99_ms: percentile(latencies, 99),
    server_cpus: server_s / seconds,
    postgres_cpus: postgres_s / seconds,
    load_cpus: load_s / seconds,
    server_us: (server_s * 1e6) / holds,
    postgres_us: (postgres_s * 1e6) / holds,
    refused: latencies.length - holds,
  };
}

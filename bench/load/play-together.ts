import { systemClock } from '@voelgoed/engine/kit';
import type { Aim } from './buyers.ts';
import { HttpConnection } from './connection.ts';
import { moveOf, type Play } from './plays.ts';
import { Stalls, type StepReport, Visit } from './visit.ts';

export type PlayOptions = Readonly<{
  play: Play;
  connections: number;
  lasts_ms: number;
  /** Between two turns of the same connection. */
  pause_ms?: number;
}>;

export type PlayReport = Readonly<{
  steps: Readonly<Record<string, StepReport>>;
  statuses: Readonly<Record<string, number>>;
  /** From the first request to the last answer that is counted. */
  seconds: number;
  cpu_seconds: number;
}>;

/** Connections that are opened at the same moment. */
const OPENED_AT_ONCE = 500;

/** All connections at once, until the time is over or there is nothing left. */
export async function playTogether(
  aim: Aim,
  tokens: readonly string[],
  { play, connections: count, lasts_ms, pause_ms = 0 }: PlayOptions,
): Promise<PlayReport> {
  const stalls = new Stalls(aim, tokens, count);
  const connections = await openConnections([aim.address, ...(aim.others ?? [])], count);
  const move = moveOf(play);
  const [first] = connections;
  if (play.kind === 'read' && play.again && first) {
    await new Visit(stalls, first, 0, 0).learn(play.path.replace('{event}', aim.eventId));
  }
  const cpu = process.cpuUsage();
  const begun = systemClock.monotonic();
  const ends = begun + lasts_ms;
  let last = begun;
  await Promise.all(
    connections.map(async (connection, number) => {
      const visit = new Visit(stalls, connection, number, ends);
      // Nobody begins at the same moment, where there is a pause.
      if (pause_ms > 0) await systemClock.sleep((pause_ms * number) / count);
      while (!visit.isOver && (await move(visit))) {
        if (pause_ms > 0) await systemClock.sleep(pause_ms);
      }
      last = systemClock.monotonic();
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  for (const connection of connections) connection.close();
  return {
    steps: stalls.steps,
    statuses: stalls.statuses,
    seconds: (Math.min(last, ends) - begun) / 1_000,
    cpu_seconds: (user + system) / 1e6,
  };
}

/** Over several addresses in turn, as a balancer would. */
export async function openConnections(
  addresses: readonly string[],
  count: number,
): Promise<HttpConnection[]> {
  const urls = addresses.map((address) => new URL(address));
  const connections: HttpConnection[] = [];
  while (connections.length < count) {
    const from = connections.length;
    const opened = Array.from({ length: Math.min(OPENED_AT_ONCE, count - from) }, (_, index) =>
      HttpConnection.open(urls[(from + index) % urls.length] as URL),
    );
    connections.push(...(await Promise.all(opened)));
  }
  return connections;
}

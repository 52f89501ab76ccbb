import { systemClock } from '@voelgoed/engine/kit';
import { newId } from '@voelgoed/testkit/builders';
import { machineMilliseconds } from '#measure';
import type { HttpConnection } from './connection.ts';
import { openConnections } from './play-together.ts';

export type Aim = Readonly<{
  address: string;
  eventId: string;
  seatIds: readonly string[];
  /** Every wish has a key, as the documentation asks for. */
  keys: boolean;
  /** Also note which commit each wish was part of, and when. */
  commits?: boolean;
  /** More addresses of the same service, and more events: connections take turns. */
  others?: readonly string[];
  eventIds?: readonly string[];
}>;

/** One wish that was fulfilled: its commit, when it was sent and when the answer was there. */
export type Told = readonly [revision: number, sent_ms: number, told_ms: number];

export type LoadReport = Readonly<{
  /** How often each status was answered. */
  statuses: Readonly<Record<string, number>>;
  /** From the first request to the last answer that is counted. */
  seconds: number;
  /** Of all answers that are counted, whatever they were. */
  latencies_ms: readonly number[];
  cpu_seconds: number;
  /** On the clock that all processes share; empty unless it was asked for. */
  commits: readonly Told[];
}>;

/** Buyers in front of one event. */
export class Buyers {
  readonly #aim: Aim;
  readonly #tokens: readonly string[];
  #latencies_ms: number[] = [];
  #statuses: Record<string, number> = {};
  readonly #commits: Told[] = [];

  constructor(aim: Aim, tokens: readonly string[]) {
    this.#aim = aim;
    this.#tokens = tokens;
  }

  /** Everybody takes one free seat after the other, until the time is over or all are taken. */
  distinct(connections: number, lasts_ms: number): Promise<LoadReport> {
    const { seatIds } = this.#aim;
    let next = 0;
    return this.#measured(connections, async (connection, begun) => {
      while (systemClock.monotonic() < begun + lasts_ms && next < seatIds.length) {
        const index = next++;
        await this.#wish(connection, index, seatIds[index] ?? '', begun + lasts_ms);
      }
    });
  }

  /**
   * So many wishes per second, whatever becomes of them, each on a connection that is free. Time
   * counts from the moment a wish was due: a server that is late does not get fewer of them. What
   * is due before `lead_ms` is wished for and not counted: hundreds of connections are opened then.
   */
  async paced(
    connections: number,
    per_s: number,
    lasts_ms: number,
    lead_ms: number,
  ): Promise<LoadReport> {
    const { seatIds } = this.#aim;
    const free: HttpConnection[] = [];
    let sent = 0;
    const report = await this.#measured(connections, async (connection, begun) => {
      free.push(connection);
      // One of them keeps the time for all.
      if (free.length > 1) return;
      const sending: Promise<unknown>[] = [];
      const ends = begun + lasts_ms;
      for (let now = begun; now < ends; now = systemClock.monotonic()) {
        const due = Math.min(Math.floor(((now - begun) * per_s) / 1_000), seatIds.length);
        while (sent < due) {
          const next = free.shift();
          if (!next) break;
          const index = sent++;
          const due_ms = begun + (index * 1_000) / per_s;
          const seatId = seatIds[index] ?? '';
          const isCounted = due_ms >= begun + lead_ms;
          const wish = isCounted
            ? this.#wish(next, index, seatId, Number.NaN, due_ms)
            : next.send(this.#request(index, seatId));
          sending.push(wish.then(() => void free.push(next)));
        }
        await systemClock.sleep(1);
      }
      await Promise.all(sending);
    });
    return { ...report, seconds: report.seconds - lead_ms / 1_000 };
  }

  /**
   * So many buyers, each with a pause between an answer and the next wish. Whoever is turned away
   * comes back when they were told to, as browsers with our client do.
   */
  population(count: number, pause_ms: number, lasts_ms: number): Promise<LoadReport> {
    const { seatIds } = this.#aim;
    let next = 0;
    let begins = 0;
    return this.#measured(count, async (connection, begun) => {
      const ends = begun + lasts_ms;
      const buyer = begins++;
      // Nobody begins at the same moment.
      let wait_ms = ((buyer % 1_000) / 1_000) * pause_ms;
      while (systemClock.monotonic() + wait_ms < ends && next < seatIds.length) {
        await systemClock.sleep(Math.max(1, wait_ms));
        const status = await this.#wish(connection, buyer, seatIds[next++] ?? '', ends);
        wait_ms = status === 503 ? connection.retryAfter_s * 1_000 : pause_ms;
      }
    });
  }

  /** Everybody wants the first seat, at the same moment. */
  stampede(clients: number): Promise<LoadReport> {
    const [seatId = ''] = this.#aim.seatIds;
    let next = 0;
    return this.#measured(clients, async (connection) => {
      await this.#wish(connection, next++, seatId, Number.POSITIVE_INFINITY);
    });
  }

  async #measured(
    count: number,
    work: (connection: HttpConnection, begun: number) => Promise<void>,
  ): Promise<LoadReport> {
    const connections = await openConnections([this.#aim.address], count);
    const cpu = process.cpuUsage();
    const begun = systemClock.monotonic();
    let last = begun;
    await Promise.all(
      connections.map(async (connection) => {
        await work(connection, begun);
        last = systemClock.monotonic();
      }),
    );
    const { user, system } = process.cpuUsage(cpu);
    for (const connection of connections) connection.close();
    return {
      statuses: this.#statuses,
      seconds: (last - begun) / 1_000,
      latencies_ms: this.#latencies_ms,
      cpu_seconds: (user + system) / 1e6,
      commits: this.#commits,
    };
  }

  async #wish(
    connection: HttpConnection,
    buyer: number,
    seatId: string,
    ends: number,
    started = systemClock.monotonic(),
  ): Promise<number> {
    const request = this.#request(buyer, seatId);
    const sent_ms = machineMilliseconds();
    const status = await connection.send(request);
    const ended = systemClock.monotonic();
    if (this.#aim.commits && status === 201) {
      const revision = Number(/"revision":(\d+)/.exec(connection.body)?.[1]);
      this.#commits.push([revision, sent_ms, machineMilliseconds()]);
    }
    // What is answered too late is not counted, unless it is something to know about.
    if (ended > ends && status === 201) return status;
    this.#latencies_ms.push(ended - started);
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    return status;
  }

  #request(buyer: number, seatId: string): string {
    const body = '{"source":"web"}';
    const key = this.#aim.keys ? `idempotency-key: ${newId()}\r\n` : '';
    return (
      `POST /api/events/${this.#aim.eventId}/seats/${seatId}/reserve HTTP/1.1\r\n` +
      `host: localhost\r\nuser-agent: bench\r\ncontent-type: application/json\r\n` +
      `authorization: Bearer ${this.#tokens[buyer % this.#tokens.length]}\r\n${key}` +
      `content-length: ${body.length}\r\n\r\n${body}`
    );
  }
}

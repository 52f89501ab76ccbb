import { userIdOf } from '@voelgoed/engine/accounts';
import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import { Pool, type Postgres } from '@voelgoed/engine/postgres';
import type { EventRef } from '@voelgoed/engine/registry';
import { scopeOf } from '@voelgoed/engine/scope';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import type { Engine } from '@voelgoed/engine/workflows';
import { anEngine, newId } from '@voelgoed/testkit/builders';
import { joinStage, type StageAddress } from '#stage';
import { Counts } from './counts.ts';
import { holdOneSeat } from './reference.sql.ts';
import type { Round, RoundReport } from './round.ts';
import { wishFor } from './wish.ts';

/** As many connections as a node's writers have. */
const CONNECTIONS = 8;
const PATIENCE_MS = 60_000;

type Prepared = Readonly<{ round: Round; buy(ordinal: number): Promise<boolean>; end(): unknown }>;

/** One node of the benchmark: an engine of its own, and buyers who do nothing but wish. */
export class BenchNode {
  readonly #address: StageAddress;
  readonly #counts = new Counts();
  readonly #postgres: Postgres;
  readonly #engine: Engine;
  #prepared: Prepared | null = null;

  constructor(address: StageAddress) {
    this.#address = address;
    this.#postgres = joinStage(address, this.#counts);
    this.#engine = anEngine(this.#postgres, this.#counts);
  }

  async prepare(round: Round): Promise<void> {
    // Only now: what a process of Postgres has done can be read as long as it lives.
    await this.#prepared?.end();
    this.#prepared =
      round.kind === 'writer' ? await this.#writer(round) : await this.#reference(round);
  }

  async go(): Promise<RoundReport> {
    const prepared = this.#prepared;
    if (!prepared) throw new Error('a round is prepared before it begins');
    this.#counts.clear();
    const latencies_ms: number[] = [];
    const cpu = process.cpuUsage();
    const begun = systemClock.monotonic();
    const ends = begun + prepared.round.lasts_ms;
    let last = begun;
    let next = prepared.round.from;
    const buyer = async () => {
      for (;;) {
        const started = systemClock.monotonic();
        if (started >= ends || next >= prepared.round.to) return;
        if (!(await prepared.buy(next++))) throw new Error('a free seat was refused');
        const ended = systemClock.monotonic();
        if (ended > ends) return;
        latencies_ms.push(ended - started);
        last = ended;
      }
    };
    await Promise.all(Array.from({ length: prepared.round.buyers }, buyer));
    const { user, system } = process.cpuUsage(cpu);
    return {
      holds: latencies_ms.length,
      seconds: (last - begun) / 1_000,
      latencies_ms,
      cpu_seconds: (user + system) / 1e6,
      ...this.#counts.report(),
    };
  }

  async close(): Promise<void> {
    await this.#prepared?.end();
    await this.#engine.registry.stop();
    await this.#postgres.close();
  }

  async #writer(round: Round): Promise<Prepared> {
    const { registry } = this.#engine;
    const event: EventRef = { scope: scopeOf(round.organizationId), eventId: round.eventId };
    const board = await registry.board(event);
    if (!board) throw new Error('the event is on sale');
    const users = usersOf(round);
    const buy = async (ordinal: number) => {
      const wish = wishFor(users[ordinal % users.length] ?? '', board.plan.seatIdOf(ordinal));
      const answer = await registry.submit(event, wish);
      return answer.kind === 'done' && answer.outcome.kind === 'held';
    };
    return { round, buy, end: () => {} };
  }

  async #reference(round: Round): Promise<Prepared> {
    const { organizationId, eventId } = round;
    const url = new URL(this.#address.writerUrl);
    url.searchParams.set('options', `-c voelgoed.organization_id=${organizationId}`);
    const pool = new Pool({
      kind: 'writers',
      url: url.href,
      size: CONNECTIONS,
      wait_ms: PATIENCE_MS,
      clock: systemClock,
      random: systemRandom,
      telemetry: silentTelemetry,
    });
    const users = usersOf(round);
    const buy = async (ordinal: number) => {
      const user = users[ordinal % users.length] ?? '';
      const write = holdOneSeat(organizationId, eventId, ordinal, newId(), user);
      return (await pool.use((connection) => connection.query(write))).length === 1;
    };
    // Connections are opened before the round, as they are in a node that runs.
    const opened = Array.from({ length: CONNECTIONS }, (_, index) => buy(round.to + index));
    await Promise.all(opened);
    return { round, buy, end: () => pool.close() };
  }
}

function usersOf({ organizationId, users }: Round): string[] {
  return Array.from({ length: users }, (_, index) => userIdOf(organizationId, `buyer ${index}`));
}

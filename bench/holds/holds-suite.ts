import type { EventRef } from '@voelgoed/engine/registry';
import { changeSeatingPolicy } from '@voelgoed/engine/workflows';
import { aCaller, done } from '@voelgoed/testkit/builders';
import type { Figure } from '#measure';
import { buyersOf, newEvent, type Stadium, seatIdsOf, stadium } from '#stage';
import type { Bench } from '#writer';
import { figuresOf } from './figures.ts';
import { type Servers, startServers } from './servers.ts';
import { stampedes } from './stampede.ts';
import { type Result, type System, takeTurn } from './turn.ts';

type Load = Readonly<{
  name: string;
  seats: number;
  connections: number;
  systems: readonly System[];
  keys?: boolean;
  rate?: boolean;
}>;

type Hall = Readonly<{ stadium: Stadium; buyers: readonly string[] }>;

const ALL = ['node', 'naive', 'statement'] as const;
const LARGE = 100_000;
const LOADS: readonly Load[] = [
  { name: '100,000 seats, 64 connections', seats: LARGE, connections: 64, systems: ALL },
  { name: '100,000 seats, 512 connections', seats: LARGE, connections: 512, systems: ALL },
  { name: '10,000 seats, 64 connections', seats: 10_000, connections: 64, systems: ALL },
  { name: '1,000 seats, 64 connections', seats: 1_000, connections: 64, systems: ALL },
];
const EXTRAS: readonly Load[] = [
  { name: 'with a key each', seats: 10_000, connections: 64, systems: ['node'], keys: true },
  { name: 'with the rate limit', seats: 10_000, connections: 64, systems: ['node'], rate: true },
];

/**
 * The first turn is so much longer: a server costs three times as much for its first thousand
 * requests as after twenty thousand, when all of its code has been compiled.
 */
const WARM_UP = 4;

/** What is measured is holding seats: no limit stands in the way, and nothing ends meanwhile. */
export const OPEN_POLICY = {
  hold_rate_seats: null,
  max_holds_per_user: null,
  max_seats_per_booking: 20,
  default_hold_ttl_minutes: 60,
};

export type HoldsSettings = Readonly<{ quick: boolean; profile: string | undefined }>;

/** Holds per second over HTTP, each load as often as there are rounds, everybody in turn. */
export async function holdsSuite(bench: Bench, settings: HoldsSettings): Promise<Figure[]> {
  const servers = await startServers(bench.stage, settings.profile);
  try {
    return await new HoldsRun(bench, servers, settings).all();
  } finally {
    await servers.stop();
  }
}

class HoldsRun {
  readonly #bench: Bench;
  readonly #servers: Servers;
  readonly #rounds: number;
  readonly #lasts_ms: number;
  readonly #halls = new Map<string, Hall>();

  constructor(bench: Bench, servers: Servers, { quick }: HoldsSettings) {
    this.#bench = bench;
    this.#servers = servers;
    this.#rounds = quick ? 2 : 5;
    this.#lasts_ms = quick ? 1_000 : 2_000;
  }

  async all(): Promise<Figure[]> {
    const figures: Figure[] = [];
    for (const load of [...LOADS, ...EXTRAS]) figures.push(...(await this.#measure(load)));
    return [...figures, ...(await this.#stampedes())];
  }

  async #measure(load: Load): Promise<Figure[]> {
    await this.#welcome(load);
    const results: Partial<Record<System, Result[]>> = {};
    for (let round = -1; round < this.#rounds; round++) {
      for (const system of turned(load.systems, round + 1)) {
        const result = await this.#turn(load, system, round < 0 ? WARM_UP : 1);
        // The first turn only warms everybody up.
        if (round < 0) continue;
        results[system] = [...(results[system] ?? []), result];
      }
    }
    return figuresOf(load.name, results);
  }

  async #turn(load: Load, system: System, longer: number): Promise<Result> {
    const { stage, users } = this.#bench;
    const { event, seatIds } = await this.#sale(load);
    const { connections, keys = false } = load;
    const lasts_ms = this.#lasts_ms * longer;
    const turn = { event, seatIds, users, connections, lasts_ms, keys };
    return takeTurn(stage, this.#servers, system, turn);
  }

  async #stampedes(): Promise<Figure[]> {
    const load = LOADS[0];
    if (!load) return [];
    await this.#welcome(load);
    const { event, seatIds } = await this.#sale(load);
    return stampedes(this.#bench.stage, this.#servers, event, seatIds, this.#rounds);
  }

  /** An event of its own for every turn: nobody finds what another has left behind. */
  async #sale(load: Load) {
    const { engine } = this.#bench;
    const { stadium: hall } = await this.#hall(load);
    const event: EventRef = await newEvent(engine, hall);
    const board = await engine.registry.board(event);
    if (!board) throw new Error('the event is on sale');
    return { event, seatIds: seatIdsOf(board) };
  }

  /** From now on the requests come from the buyers of this hall's organization. */
  async #welcome(load: Load): Promise<void> {
    const { stadium: hall, buyers } = await this.#hall(load);
    const { organizationId } = hall.scope;
    const secret = this.#bench.stage.services.authSecret;
    await this.#servers.load.crowd({ secret, organizationId, users: buyers });
  }

  /** A hall of an organization of its own, because limits are the organization's. */
  async #hall({ seats, rate = false }: Load): Promise<Hall> {
    const { engine, users } = this.#bench;
    const name = `${seats} ${rate}`;
    const known = this.#halls.get(name);
    if (known) return known;
    const built = await stadium(engine, seats);
    const policy = rate ? { default_hold_ttl_minutes: 60 } : OPEN_POLICY;
    const caller = aCaller({ scope: built.scope });
    done(await changeSeatingPolicy(engine, caller, policy, 'platform'));
    const hall = { stadium: built, buyers: await buyersOf(engine, built, users) };
    this.#halls.set(name, hall);
    return hall;
  }
}

/** Everybody is first, second and last equally often. */
function turned<One>(list: readonly One[], by: number): One[] {
  return list.map((_, index) => list[(index + by) % list.length] as One);
}

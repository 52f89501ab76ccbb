import { type EventRef, PostgresFeed, SeatRegistry, type Store } from '@voelgoed/engine/registry';
import type { Happening, Telemetry } from '@voelgoed/engine/telemetry';
import { WarmTier } from '@voelgoed/engine/warm';
import {
  type Dice,
  type GuardsOff,
  type Machine,
  type MemoryDatabase,
  type MemoryRedis,
  MemoryStore,
  RedisRoad,
  type RedisRoads,
  type Say,
} from '#stores';
import { carelessClaims, carelessStore } from './careless.ts';
import { EVENT } from './hall.ts';
import type { NoticeBoard } from './notices.ts';

/** What all nodes of a world share. */
export type Surroundings = Readonly<{
  database: MemoryDatabase;
  redis: MemoryRedis;
  roads: RedisRoads;
  notices: NoticeBoard;
  off: GuardsOff;
  say: Say;
  holdSeconds: number;
  /** Something happened that a node must not do. */
  complain(problem: string): void;
  /** A node has this row on its board. */
  followed(node: string, row: { revision: number; hash: string }): void;
}>;

/** A Redis that is back is noticed this soon. */
const PROBE_MS = 400;
const SWEEP_MS = 1_000;
const SWEEP_WAIT_MS = 2_000;

/** One node: the real registry, writer, feed and warm tier on a machine of their own. */
export class SimulatedNode {
  readonly machine: Machine;
  readonly store: MemoryStore;
  readonly road: RedisRoad;
  readonly registry: SeatRegistry;
  readonly tier: WarmTier;
  readonly clock: ReturnType<Machine['clock']>;
  readonly #dice: Dice;
  readonly #around: Surroundings;

  constructor(machine: Machine, dice: Dice, around: Surroundings) {
    const { database, redis, roads, notices, off, say } = around;
    this.machine = machine;
    this.#dice = dice;
    this.#around = around;
    this.store = new MemoryStore(database, machine, dice, say);
    this.road = new RedisRoad(redis, roads, machine, dice);
    this.clock = machine.clock();
    const telemetry = this.#telemetry();
    const tools = { clock: this.clock, random: dice, telemetry };
    const postgresFeed = new PostgresFeed({ ...tools, url: '', listen: notices.listen(machine) });
    const turn = () => new Promise<void>((resolve) => machine.after(0, resolve));
    this.tier = new WarmTier({
      ...tools,
      url: 'redis://simulated',
      otherwise: off.has('publish after commit') ? SILENT : postgresFeed,
      probe_ms: PROBE_MS,
      ways: this.road.ways,
      turn,
    });
    const { tier } = this;
    const store: Store = off.size === 0 ? this.store : carelessStore(this.store, off, this);
    this.registry = new SeatRegistry({
      ...tools,
      store,
      feed: off.has('publish after commit') ? SILENT : tier.feed,
      claims: off.has('healing') ? carelessClaims(tier.claims) : tier.claims,
      watch: {
        loaded: (event, board) => tier.watch.loaded(event, board),
        row: (event, board, row) => {
          around.followed(machine.name, row);
          tier.watch.row(event, board, row);
        },
        left: (event, why) => tier.watch.left(event, why),
      },
      demoHoldSeconds: around.holdSeconds,
      turn,
    });
    tier.attach(this.registry);
    if (off.has('reconcile before breaker close')) tier.circuit.onBack = async () => {};
    void postgresFeed.start(this.registry);
  }

  start(sweeps: boolean): void {
    const { off } = this.#around;
    void this.tier.connect();
    if (!off.has('watchman')) this.tier.start();
    if (!off.has('poll')) this.registry.start();
    if (sweeps) this.keepSweeping();
  }

  keepSweeping(): void {
    this.machine.after(SWEEP_MS * this.#dice.between(0.8, 1.2), () => {
      const { database } = this.#around;
      const now_ms = database.eventNow();
      let isDue = false;
      for (const { status, until_ms } of database.event.holds.values()) {
        if (status === 'active' && until_ms <= now_ms) isDue = true;
      }
      const deadline_ms = this.clock.monotonic() + SWEEP_WAIT_MS;
      if (isDue) void this.registry.sweep(EVENT, deadline_ms).catch(() => {});
      this.keepSweeping();
    });
  }

  #telemetry(): Telemetry {
    const { say, complain } = this.#around;
    const { name } = this.machine;
    return {
      emit: (happening) => {
        if (BUGS.has(happening.kind)) complain(`${name}: ${wordsFor(happening)}`);
        if (!QUIET.has(happening.kind)) say(name, () => wordsFor(happening));
      },
    };
  }
}

const SILENT = { publish: (_: EventRef) => {} };

/** What never happens to a node, whatever happens around it. */
const BUGS: ReadonlySet<Happening['kind']> = new Set<Happening['kind']>([
  'command.broken',
  'rule.broken',
  'writer.stopped',
  'flush.guard',
]);

/** What a trace would drown in. */
const QUIET: ReadonlySet<Happening['kind']> = new Set<Happening['kind']>([
  'cache.lookup',
  'redis.command',
  'seats.changed',
  'hold.redis_success',
  'companions.changed',
  'accessible.held',
]);

function wordsFor(happening: Happening): string {
  const { kind, ...rest } = happening;
  const parts = Object.entries(rest).flatMap(([name, value]) => {
    if (typeof value === 'function' || name === 'ids' || name === 'duration_ms') return [];
    return [`${name} ${typeof value === 'number' ? Math.round(value) : value}`];
  });
  return [kind, ...parts].join(', ');
}

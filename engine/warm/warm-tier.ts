import type { Board } from '#board';
import { type Clock, nextTurn, type Random, type Timers } from '#kit';
import {
  type BreakerState,
  CHANGES_PATTERN,
  Circuit,
  eventKeys,
  eventOfChannel,
  REDIS_WAYS,
  type RedisLink,
  type RedisWays,
  SharedBuckets,
} from '#redis';
import type { EventRef, Feed, SeatRegistry, Watch } from '#registry';
import type { Telemetry } from '#telemetry';
import { RedisClaims } from './claims.ts';
import { Readers } from './readers.ts';
import { Reconciler } from './reconcile.ts';
import { findingsIn, readContent, type TierFindings } from './tier-content.ts';
import { Watchman } from './watchman.ts';
import { WriteThrough } from './write-through.ts';

export type WarmTierOptions = Readonly<{
  url: string;
  clock: Clock & Timers;
  random: Random;
  telemetry: Telemetry;
  /** Tells other nodes when Redis cannot. */
  otherwise: Feed;
  probe_ms?: number | undefined;
  /** Longer than 50 ms only where no buyer waits. */
  command_ms?: number | undefined;
  /** A simulator brings its own Redis, and its own turns of the loop. */
  ways?: RedisWays | undefined;
  turn?: (() => Promise<void>) | undefined;
}>;

/** Everything between this node and Redis. */
export class WarmTier {
  readonly claims: RedisClaims;
  readonly readers: Readers;
  /** Rate limits that nodes share. */
  readonly buckets: SharedBuckets;
  /** What the registry tells of its boards. */
  readonly watch: Watch;
  /** What the registry tells of its commits. */
  readonly feed: Feed;
  readonly circuit: Circuit;
  readonly #options: WarmTierOptions;
  readonly #connections: { claims: RedisLink; cache: RedisLink };
  readonly #ways: RedisWays;
  readonly #writes: WriteThrough;
  readonly #reconciler: Reconciler;
  readonly #watchman: Watchman;
  #registry: SeatRegistry | null = null;
  #subscription: { close(): void } | null = null;
  #isReadyBefore = false;

  constructor(options: WarmTierOptions) {
    this.#options = options;
    const { url, clock, random, telemetry, otherwise, probe_ms, command_ms } = options;
    const common = { url, clock, telemetry, ...(command_ms ? { command_ms } : {}) };
    const { ways = REDIS_WAYS, turn = nextTurn } = options;
    this.#ways = ways;
    const cache = ways.open({ ...common, onReady: () => this.#isBack() });
    this.#connections = { claims: ways.open(common), cache };
    this.circuit = new Circuit({ clock, telemetry, probe_ms, probe: () => this.isUp() });
    const { circuit } = this;
    const now_ms = () => this.#registry?.time() ?? clock.now();
    const current = async (event: EventRef) => (await this.#registry?.current(event)) ?? null;
    const tools = { clock, random, telemetry, circuit, now_ms, current, ...this.#connections };
    const mark = (event: EventRef) => this.#watchman.mark(event);
    this.claims = new RedisClaims(tools);
    this.readers = new Readers({ ...tools, mark });
    this.buckets = new SharedBuckets(tools.claims, circuit);
    const markUnhurried = (event: EventRef) => this.#watchman.markUnhurried(event);
    this.#writes = new WriteThrough({ ...tools, mark, markUnhurried, otherwise, turn });
    this.#reconciler = new Reconciler({ ...tools, writes: this.#writes });
    this.#watchman = new Watchman({
      ...tools,
      reconciler: this.#reconciler,
      boardOf: (event) => this.#registry?.loadedBoard(event) ?? null,
      loadedEvents: () => this.#registry?.loadedEvents ?? [],
    });
    this.feed = this.#writes;
    this.watch = this.#watching();
    circuit.onBack = () => this.#watchman.reconcileLoaded();
  }

  get state(): BreakerState {
    return this.circuit.state;
  }

  /** The registry is asked for boards, and told what others have committed. */
  attach(registry: SeatRegistry): void {
    this.#registry = registry;
  }

  /** Resolves when it is there, or when that takes longer; it goes on trying. */
  async connect(): Promise<void> {
    const { claims, cache } = this.#connections;
    await Promise.all([claims.connect(), cache.connect()]);
  }

  /** Hears other nodes and looks after what Redis has, until it is closed. */
  start(): void {
    const { url, clock, telemetry } = this.#options;
    const registry = this.#registry;
    this.#subscription = this.#ways.subscribe({
      url,
      clock,
      telemetry,
      pattern: CHANGES_PATTERN,
      onMessage: (channel, message) => {
        const eventId = eventOfChannel(channel);
        const revision = revisionIn(message);
        if (eventId && revision) registry?.hear(eventId, revision);
      },
      onGap: () => registry?.hearGap(),
    });
    this.#watchman.start();
  }

  async close(): Promise<void> {
    await this.#watchman.stop();
    await this.#writes.idle();
    await this.circuit.stop();
    this.#subscription?.close();
    this.#connections.claims.close();
    this.#connections.cache.close();
  }

  isUp(): Promise<boolean> {
    return this.#connections.cache.isUp();
  }

  /** Null: the event is not on sale. */
  reconcile(event: EventRef) {
    return this.#reconciler.reconcile(event);
  }

  /** To be reconciled soon, by itself. */
  mark(event: EventRef): void {
    this.#watchman.mark(event);
  }

  /** What Redis has about an event, compared with this board. */
  async compare({ scope, eventId }: EventRef, board: Board): Promise<TierFindings> {
    const { clock, telemetry } = this.#options;
    const tools = { clock, telemetry, circuit: this.circuit, ...this.#connections };
    const keys = eventKeys(scope.organizationId, eventId);
    return findingsIn(board, await readContent(tools, keys, board, 'all'));
  }

  #watching(): Watch {
    const writes = this.#writes;
    return {
      loaded: (event, board) => {
        writes.loaded(event, board);
        this.#watchman.lookAt(event);
      },
      row: (event, board, row) => writes.row(event, board, row),
      left: (event, why) => {
        writes.left(event, why);
        this.claims.forget(event);
        if (why === 'discarded') this.#watchman.mark(event);
      },
    };
  }

  /** Connected again: nobody knows whether it is the same server, and what it still has. */
  #isBack(): void {
    if (this.#isReadyBefore) {
      for (const event of this.#registry?.loadedEvents ?? []) this.#watchman.mark(event);
    }
    this.#isReadyBefore = true;
  }
}

function revisionIn(message: string): number | null {
  const revision = /^\{"revision":(\d+)/.exec(message)?.[1];
  return revision ? Number(revision) : null;
}

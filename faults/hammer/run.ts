import { join } from 'node:path';
import { systemClock } from '@voelgoed/engine/kit';
import type { Postgres } from '@voelgoed/engine/postgres';
import { scopeOf } from '@voelgoed/engine/scope';
import { checkHistory, type Fault, type Operation, readFinalState, type Violation } from '#history';
import { type Hammer, startHammer } from './hammer-process.ts';
import type { Again, LoadOrder, NodeReport, NodeSettings } from './messages.ts';
import { machine_ms } from './recorder.ts';

/** Where a run takes place. */
export type Stage = Readonly<{
  appUrl: string;
  jobsUrl: string;
  writerUrl: string;
  postgres: Postgres;
  folder: string;
  organizationId: string;
  eventId: string;
  seats: readonly string[];
  zones: readonly string[];
  users: readonly string[];
}>;

/** After the load a node is given this long to have what Postgres has. */
const CONVERGENCE_MS = 5_000;

/** Longer than this nothing takes, on any machine. */
const PATIENCE_MS = 15_000;

/** Wishes that were fulfilled and are sent once more, by every node that did not do so. */
const ASKED_AGAIN = 20;

/** Some nodes on one event, from their start to the verdict about what they did. */
export class Run {
  readonly #stage: Stage;
  readonly seed: number;
  readonly nodes: Hammer[] = [];
  #loads = 0;

  constructor(stage: Stage, seed: number) {
    this.#stage = stage;
    this.seed = seed;
  }

  async start(name: string, differently: Partial<NodeSettings> = {}): Promise<Hammer> {
    const { appUrl, jobsUrl, writerUrl, folder, organizationId, eventId } = this.#stage;
    const node = await startHammer({
      name,
      appUrl,
      jobsUrl,
      writerUrl,
      historyFile: join(folder, `${name}.ndjson`),
      organizationId,
      eventId,
      demoHoldSeconds: 1,
      clock_shift_ms: 0,
      weakness: 'none',
      redisUrl: null,
      sweeps: true,
      ...differently,
    });
    this.nodes.push(node);
    return node;
  }

  /** Whether everything can be taken again, by somebody who asks after this time at the latest. */
  async everySeatIsFree(after_ms: number): Promise<boolean> {
    const { seats, users } = this.#stage;
    const left = new Map(seats.map((seat_id, index) => [seat_id, users[index % users.length]]));
    const last_ms = machine_ms() + after_ms;
    for (let round = 1; ; round++) {
      const isLast = machine_ms() > last_ms;
      await Promise.all(this.alive.map((node, index) => this.#takeShare(node, index, left, round)));
      const taken = this.acknowledged().filter(({ wish }) => wish.startsWith('free-'));
      for (const { holds } of taken) left.delete(holds[0]?.seat_id ?? '');
      if (left.size === 0 || isLast) return left.size === 0;
    }
  }

  async #takeShare(
    node: Hammer,
    share: number,
    left: ReadonlyMap<string, string | undefined>,
    round: number,
  ): Promise<void> {
    const own = [...left].filter((_, index) => index % this.alive.length === share);
    const wishes = own.map(([seat_id, user = '']) => {
      const asked = { op: 'hold' as const, items: [{ seat_id }] };
      return { wish: `free-${round}-${seat_id}`, user, key: null, asked };
    });
    await node.tell({ kind: 'again', wishes });
  }

  startAll(...names: readonly string[]): Promise<Hammer[]> {
    return Promise.all(names.map((name) => this.start(name)));
  }

  /** Lets these nodes, or all, begin to wish. */
  async load(
    nodes: readonly Hammer[] = this.alive,
    differently: Partial<LoadOrder> = {},
  ): Promise<void> {
    const { seats, zones, users } = this.#stage;
    await Promise.all(
      nodes.map((node) => {
        const seed = this.seed * 1_000 + ++this.#loads;
        const load = { seed, workers: 12, pause_ms: 20, seats, zones, users, ...differently };
        return node.tell({ kind: 'load', load });
      }),
    );
  }

  /** Every node asks for the same seat at the same time, each for another buyer. */
  async meetAt(seat: number): Promise<void> {
    const { seats, users } = this.#stage;
    const items = [{ seat_id: seats[seat] ?? '' }];
    const meeting = this.alive.map((node, index) => {
      const wish = `meet-${seat}-${node.name}`;
      const asked = { op: 'hold' as const, items };
      const wishes = [{ wish, user: users[index] ?? '', key: null, asked }];
      return node.tell({ kind: 'again', wishes });
    });
    await Promise.all(meeting);
  }

  async rest(): Promise<void> {
    await Promise.all(this.alive.map((node) => node.tell({ kind: 'rest' })));
  }

  get alive(): Hammer[] {
    return this.nodes.filter((node) => node.isAlive());
  }

  operations(): Operation[] {
    return this.nodes.flatMap((node) => node.history().operations);
  }

  /** Acknowledged so far, by these nodes or by all. */
  acknowledged(nodes: readonly Hammer[] = this.nodes): Operation[] {
    return nodes.flatMap((node) => node.history().operations.filter(wrote));
  }

  /** Resolves when these nodes, or all, have done so much more. */
  async goesOn(count: number, nodes: readonly Hammer[] = this.alive): Promise<void> {
    const before = this.acknowledged(nodes).length;
    const deadline = machine_ms() + PATIENCE_MS;
    while (this.acknowledged(nodes).length < before + count) {
      if (machine_ms() > deadline) throw new Error(`the nodes do not do ${count} wishes any more`);
      await systemClock.sleep(50);
    }
  }

  /** How long after a moment these nodes did the first thing that was asked for after it. */
  recovery_ms(since_ms: number, nodes: readonly Hammer[] = this.nodes): number {
    const after = this.acknowledged(nodes).flatMap(({ invoked_ms, returned_ms }) =>
      returned_ms !== null && invoked_ms > since_ms ? [returned_ms - since_ms] : [],
    );
    return Math.min(...after);
  }

  /**
   * Asks again for everything that has a key and an unknown outcome, and for some of what was
   * answered, by a node that has not done it. Returns how many were unknown.
   */
  async settle(): Promise<number> {
    const last = new Map<string, Operation>();
    const sent = this.operations().sort((one, other) => one.invoked_ms - other.invoked_ms);
    for (const operation of sent) if (operation.key !== null) last.set(operation.wish, operation);
    const wishes = [...last.values()];
    const unknown = wishes.filter(({ outcome }) => outcome === 'unknown');
    const some = wishes.filter(({ outcome }) => outcome === 'done').slice(-ASKED_AGAIN);
    const [first, ...others] = this.alive;
    await first?.tell({ kind: 'again', wishes: unknown.map(again) });
    for (const node of [first, ...others]) {
      const foreign = some.filter((one) => one.node !== node?.name);
      await node?.tell({ kind: 'again', wishes: foreign.map(again) });
    }
    return unknown.length;
  }

  /** What is wrong with the run, after everybody has had the time to catch up. */
  async verdict(
    operations: readonly Operation[] = this.operations(),
    within_ms = CONVERGENCE_MS,
    faults: readonly Fault[] = [],
  ): Promise<{ violations: Violation[]; reports: NodeReport[] }> {
    const { postgres, organizationId, eventId } = this.#stage;
    const event = { scope: scopeOf(organizationId), eventId };
    const deadline = machine_ms() + within_ms;
    for (;;) {
      const state = await readFinalState(postgres, event);
      const alive = this.alive;
      const reports = await Promise.all(alive.map((node) => node.tell({ kind: 'board' })));
      const boards = reports.map(({ board }, index) => ({
        node: alive[index]?.name ?? '',
        revision: board?.revision ?? 0,
        digest: board?.digest ?? '',
      }));
      const together = boards.every(({ revision }) => revision === state.revision);
      if (together || machine_ms() > deadline) {
        const wall_offset_ms = systemClock.now() - machine_ms();
        const violations = checkHistory({
          operations,
          state,
          boards,
          wall_offset_ms,
          faults,
        });
        return { violations, reports };
      }
      await systemClock.sleep(20);
    }
  }

  /** How much happened, for people. */
  summary(): string {
    const operations = this.operations();
    const words = ['done', 'refused', 'failed', 'unknown'].map(
      (word) => `${operations.filter(({ outcome }) => outcome === word).length} ${word}`,
    );
    return `${operations.length} operations, ${words.join(', ')}`;
  }

  async end(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.end()));
  }
}

function again({ wish, asked, user, key }: Operation): Again {
  return { wish, asked, user, key };
}

/** Told that something was done which it had not had before. */
function wrote({ outcome, replayed, holds }: Operation): boolean {
  return outcome === 'done' && !replayed && holds.length > 0;
}

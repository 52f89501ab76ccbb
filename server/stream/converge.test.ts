import { isDeepStrictEqual } from 'node:util';
import { FrameReader, LiveMap } from '@voelgoed/client/live';
import { manualClock, nextTurn, type Random, seededRandom } from '@voelgoed/engine/kit';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { control } from '@voelgoed/testkit/controls';
import { printedRandom } from '@voelgoed/testkit/seeds';
import { describe, expect, it } from 'vitest';
import { Client, type Pipe } from './client.ts';
import { digestOf } from './frames.ts';
import type { StreamPlace } from './ring.ts';
import { type ModelClock, ModelNode, ModelSale, pass } from './test-sales.ts';

/** What the network does to frames that are under way. */
type Weather = 'calm' | 'twice' | 'mixed' | 'lossy';

/** A page: it has a map, a connection to some node, and does what the map tells it. */
class Page {
  readonly map = new LiveMap();
  readonly mistakes: string[] = [];
  weather: Weather = 'calm';
  /** Goes on, whatever the map says. */
  isCareless = false;
  connections = 0;
  node: ModelNode;
  readonly #random: Random;
  readonly #sale: ModelSale;
  /** What its buyer has seen last, also when the map has forgotten where that was. */
  #seen: StreamPlace = { revision: -1, lineage: '' };
  #current: { client: Client; pipe: Pipe; isOpen: boolean } | null = null;

  constructor(node: ModelNode, sale: ModelSale, random: Random) {
    this.node = node;
    this.#sale = sale;
    this.#random = random;
  }

  cut(): void {
    const current = this.#current;
    if (!current) return;
    current.isOpen = false;
    this.#current = null;
    this.node.channel.leave(current.client);
  }

  moveTo(node: ModelNode): void {
    this.cut();
    this.node = node;
  }

  get isConnected(): boolean {
    return this.#current?.isOpen ?? false;
  }

  async connect(): Promise<void> {
    this.connections++;
    const reader = new FrameReader();
    const current = { isOpen: true } as { client: Client; pipe: Pipe; isOpen: boolean };
    let isBroken = false;
    current.pipe = {
      writableLength: 0,
      write: (bytes) => {
        if (!current.isOpen) return false;
        for (const frame of this.#disturbed(reader.read(bytes))) {
          if (current.isOpen && !isBroken) isBroken = this.#take(frame);
        }
        // Whoever is told to connect again does so.
        if (isBroken) queueMicrotask(() => this.#current === current && this.cut());
        return true;
      },
      end: () => {
        current.isOpen = false;
      },
      destroy: () => {
        current.isOpen = false;
      },
    };
    current.client = new Client(current.pipe, { userId: null, isStaff: false }, silentTelemetry);
    this.#current = current;
    this.map.connected();
    const { revision, lineage } = this.map;
    await this.node.channel.join(current.client, revision < 0 ? null : { revision, lineage });
  }

  /** True: this connection is of no more use. */
  #take(frame: Parameters<LiveMap['take']>[0]): boolean {
    const before = this.#seen;
    const verdict = this.map.take(frame);
    const { revision, lineage } = this.map;
    if (lineage !== '') this.#seen = { revision, lineage };
    // Where it was is still a part of the history: nobody may have taken it away.
    if (this.#sale.has(before) && revision < before.revision) {
      this.mistakes.push(`${before.lineage} to ${lineage} by ${frame.event}`);
    }
    if (this.isCareless) return false;
    if (verdict === 'restart') this.map.lineage = '';
    return verdict !== 'good';
  }

  #disturbed<One>(frames: One[]): One[] {
    if (this.weather === 'twice') return frames.flatMap((one) => [one, one]);
    if (this.weather === 'mixed') return this.#random.next() < 0.5 ? frames.toReversed() : frames;
    if (this.weather === 'lossy') return frames.filter(() => this.#random.next() < 0.7);
    return frames;
  }
}

/** For controls: who does not do what keeps maps right. */
type Careless = Readonly<{ nodes?: boolean; pages?: boolean }>;

class World {
  readonly clock: ModelClock = manualClock();
  readonly sale: ModelSale;
  readonly nodes: ModelNode[];
  readonly pages: Page[];
  readonly #random: Random;

  constructor(random: Random, careless: Careless) {
    this.#random = random;
    this.sale = new ModelSale(random);
    const newNode = () => new ModelNode(this.sale, this.clock, careless.nodes);
    this.nodes = [newNode(), newNode()];
    const newPage = () => new Page(this.#pick(this.nodes), this.sale, random);
    this.pages = Array.from({ length: 4 }, newPage);
    for (const page of this.pages) page.isCareless = careless.pages ?? false;
  }

  async step(): Promise<void> {
    const dice = this.#random.next();
    const page = this.#pick(this.pages);
    if (dice < 0.35) this.sale.commit();
    else if (dice < 0.45) this.sale.expire();
    else if (dice < 0.6) this.#pick(this.nodes).hear();
    else if (dice < 0.7) page.cut();
    else if (dice < 0.8) page.moveTo(this.#pick(this.nodes));
    else if (dice < 0.9) page.weather = this.#pick(['calm', 'twice', 'mixed', 'lossy'] as const);
    else if (dice < 0.93) this.#pick(this.nodes).restart();
    else if (dice < 0.96) this.sale.failOver();
    else await pass(this.clock, 100);
    for (const one of this.pages) {
      if (!one.isConnected && this.#random.next() < 0.5) await one.connect();
    }
    await nextTurn();
  }

  /** The weather clears up, nodes have heard of everything, and two seconds pass. */
  async settle(): Promise<void> {
    for (const node of this.nodes) node.hear();
    for (const page of this.pages) {
      page.weather = 'calm';
      page.cut();
    }
    for (let part = 0; part < 20; part++) {
      for (const page of this.pages) if (!page.isConnected) await page.connect();
      await pass(this.clock, 100);
    }
  }

  close(): void {
    for (const node of this.nodes) node.close();
  }

  #pick<One>(list: readonly One[]): One {
    return list[Math.floor(this.#random.next() * list.length)] as One;
  }
}

/** What went wrong in many lives of a few seat maps. */
async function livesOf(seed: number, careless: Careless = {}) {
  const wrong = { back: 0, other: 0, connections: 0 };
  for (let run = 0; run < RUNS; run++) {
    const world = new World(seededRandom(seed + run), careless);
    for (let step = 0; step < 60; step++) await world.step();
    await world.settle();
    const { revision, seats, zones, lineage } = world.sale.now;
    const truth = { revision, lineage, zones, digest: digestOf({ seats, zones }) };
    for (const { map, mistakes, connections } of world.pages) {
      wrong.connections += connections;
      wrong.back += mistakes.length;
      const shown = { revision: map.revision, lineage: map.lineage, zones: map.zones };
      if (!isDeepStrictEqual({ ...shown, digest: digestOf(map) }, truth)) wrong.other++;
    }
    world.close();
  }
  return wrong;
}

const RUNS = 150;

describe('a seat map, whatever happens to it', () => {
  const { seed } = printedRandom('a seat map');

  it('shows what is so within two seconds of being connected, and never goes back', async () => {
    const { connections, ...wrong } = await livesOf(seed);
    expect(wrong).toEqual({ back: 0, other: 0 });
    expect(connections).toBeGreaterThan(1_000);
  });

  it('does not go back when it begins anew on a node that is behind', async () => {
    const world = new World(seededRandom(seed), {});
    const [ahead, behind] = world.nodes as [ModelNode, ModelNode];
    const page = new Page(ahead, world.sale, seededRandom(seed));
    world.sale.commit();
    ahead.hear();
    await page.connect();
    expect(page.map.revision).toBe(1);
    page.map.lineage = '';
    page.moveTo(behind);
    await page.connect();
    expect([page.map.revision, page.mistakes]).toEqual([1, []]);
    world.close();
  });

  it('would go back if a node did not look at the log for who saw more (control)', async () => {
    expect((await livesOf(seed, { nodes: true })).back).toBeGreaterThan(0);
  });

  control('gap detection', async (off) => {
    const { other } = await livesOf(seed, { pages: off.has('gap detection') });
    return other > 0 ? [`a map shows what is not so, ${other} times`] : [];
  });
});

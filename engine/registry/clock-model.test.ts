import { printedRandom } from '@voelgoed/testkit/seeds';
import { Simulation, START_MS } from '@voelgoed/testkit/stores';
import { describe, expect, it } from 'vitest';
import type { Random } from '#kit';
import { silentTelemetry } from '#telemetry';
import { APART_MS, NO_DRIFT, STEP_MS } from './clock-rules.ts';
import { DatabaseTime, type NewDrift } from './database-time.ts';

const S = 1_000;
const HOUR_MS = 3_600 * S;
/** All differences are larger than a step that is not seen. */
const PLACES_MS = [0, 15 * S, -15 * S, 40 * S, -40 * S, HOUR_MS, -HOUR_MS, -24 * HOUR_MS];
/** One way to the database or back. */
const WAY_MS = 100;
/** A step costs event time at most what the two questions took. */
const COST_MS = 4 * WAY_MS + 2;
const WORLDS = 400;

type How = Readonly<{ starts?: boolean; pauses?: boolean }>;

type Node = { paused_ms: number; goesOn_ms: number; isGone: boolean };

/** A database whose clock is set again and again, then right, and two or three nodes. */
class ClockWorld {
  readonly simulation = new Simulation();
  readonly random: Random;
  readonly how: How;
  state = NO_DRIFT;
  ahead_ms = 0;
  /** How often the clock was set. */
  sets = 0;
  paused_ms = 0;
  nodes: (Node & { time: DatabaseTime })[] = [];
  /** The most that event time was ahead of what it should be, and behind it, by any answer. */
  ahead: number[] = [];
  isOver = false;

  constructor(random: Random, how: How) {
    this.random = random;
    this.how = how;
  }

  between(least: number, most: number): number {
    return least + this.random.next() * (most - least);
  }

  wall(): number {
    return Math.floor(START_MS + this.simulation.time_ms + this.ahead_ms);
  }

  /** Event time minus what it would be if no clock had ever been set. */
  error(): number {
    return this.wall() - this.state.drift_ms - START_MS - this.simulation.time_ms;
  }

  #setDrift({ epoch, drift_ms, isJump, from_ms, until_ms }: NewDrift): boolean {
    const changed_ms = this.wall();
    if (this.state.epoch !== epoch || changed_ms < from_ms || changed_ms > until_ms) return false;
    const jumps = this.state.jumps + (isJump ? 1 : 0);
    this.state = { ...this.state, epoch: epoch + 1, drift_ms, jumps, changed_ms };
    return true;
  }

  async #travel<Value>(node: Node, look: () => Value): Promise<Value> {
    await this.simulation.sleep(this.between(1, WAY_MS));
    const value = look();
    await this.#sleep(node, this.between(1, WAY_MS));
    return value;
  }

  /** A machine that is paused does nothing, and its clock does not count that. */
  async #sleep(node: Node, wait_ms: number): Promise<void> {
    await this.simulation.sleep(wait_ms);
    const rest_ms = node.goesOn_ms - this.simulation.time_ms;
    if (rest_ms > 0) await this.simulation.sleep(rest_ms);
  }

  start(): void {
    const node = { paused_ms: 0, goesOn_ms: 0, isGone: false };
    const monotonic = () => this.simulation.time_ms - node.paused_ms;
    const store = {
      clock: () => this.#travel(node, () => ({ wall_ms: this.wall(), state: this.state })),
      setDrift: (wanted: NewDrift) => this.#travel(node, () => this.#setDrift(wanted)),
    };
    const clock = { now: () => START_MS, monotonic };
    const time = new DatabaseTime({ clock, telemetry: silentTelemetry, store });
    this.nodes.push(Object.assign(node, { time }));
    void this.#live(this.nodes.length - 1);
  }

  async #live(index: number): Promise<void> {
    for (;;) {
      const node = this.nodes[index];
      if (!node || node.isGone) return;
      await node.time.ask();
      const least_ms = node.time.least();
      if (least_ms !== null) this.ahead.push(least_ms - START_MS - this.simulation.time_ms);
      // Once a second, and sometimes it is cut off for as long as readings can be compared.
      const mayBeCutOff = !this.isOver && !this.how.starts;
      const isCutOff = mayBeCutOff && this.random.next() < 0.1;
      await this.#sleep(node, this.between(200, isCutOff ? APART_MS - 2 * S : 1_500));
    }
  }

  async play(): Promise<void> {
    const nodes = 2 + Math.floor(this.random.next() * 2);
    for (let index = 0; index < nodes; index++) this.start();
    await this.#pass(3 * S);
    for (let left = 2 + Math.floor(this.random.next() * 6); left > 0; left--) {
      const places = PLACES_MS.filter((place) => place !== this.ahead_ms);
      this.#set(places[Math.floor(this.random.next() * places.length)] ?? 0);
      await this.#pass(this.between(50, 500));
      this.#disturb();
      // The node that goes on has asked, where others have nothing else to go by.
      const least_ms = this.how.starts ? 2 * S : 50;
      await this.#pass(this.between(least_ms, this.random.next() < 0.5 ? 2 * S : 20 * S));
    }
    if (this.ahead_ms !== 0) this.#set(0);
    await this.#pass(this.between(50, 500));
    this.#disturb();
    this.isOver = true;
    // All have asked by then, also one that was cut off.
    await this.#pass((this.how.pauses ? 3 : 1) * (APART_MS + 5 * S));
  }

  #set(ahead_ms: number): void {
    this.ahead_ms = ahead_ms;
    this.sets++;
  }

  /** The first node goes on through everything, so that one of them knows. */
  #disturb(): void {
    const other = this.nodes[1];
    if (this.how.starts && this.random.next() < 0.5 && other) {
      other.isGone = true;
      this.nodes.splice(1, 1);
      this.start();
    }
    if (this.how.pauses && this.random.next() < 0.3 && other) {
      const paused_ms = this.between(8 * S, 90 * S);
      if (other.goesOn_ms > this.simulation.time_ms) return;
      other.goesOn_ms = this.simulation.time_ms + paused_ms;
      other.paused_ms += paused_ms;
      this.paused_ms += paused_ms;
    }
  }

  async #pass(wait_ms: number): Promise<void> {
    const until_ms = this.simulation.time_ms + wait_ms;
    this.simulation.after(wait_ms, () => {});
    await this.simulation.run(() => this.simulation.time_ms >= until_ms);
  }

  /** Whether nothing is set any more. */
  async isQuiet(): Promise<boolean> {
    const { epoch } = this.state;
    await this.#pass(10 * S);
    return this.state.epoch === epoch;
  }
}

async function worlds(how: How, judge: (world: ClockWorld, name: string) => void): Promise<void> {
  const random = printedRandom('clock model');
  for (let index = 0; index < WORLDS; index++) {
    const world = new ClockWorld(random, how);
    await world.play();
    expect(await world.isQuiet(), `seed ${random.seed}, world ${index}: still set`).toBe(true);
    judge(world, `seed ${random.seed}, world ${index}`);
  }
}

describe('a clock that is set again and again, and is right in the end', () => {
  it('moves no event time: never ahead, and behind by no more than questions took', async () => {
    await worlds({}, (world, name) => {
      const behind_ms = world.sets * COST_MS + 1;
      expect(world.error(), name).toBeLessThanOrEqual(1);
      expect(world.error(), name).toBeGreaterThanOrEqual(-behind_ms);
      for (const ahead_ms of world.ahead) {
        expect(ahead_ms, name).toBeLessThanOrEqual(1);
        expect(ahead_ms, name).toBeGreaterThanOrEqual(-behind_ms - 2 * WAY_MS);
      }
      // Each time the clock is set one node takes it up, once.
      expect(world.state.epoch, name).toBeLessThanOrEqual(world.sets);
    });
  });

  it('leaves event time right where one node went on and others were started anew', async () => {
    await worlds({ starts: true }, (world, name) => {
      expect(world.error(), name).toBeLessThanOrEqual(1);
      expect(world.error(), name).toBeGreaterThanOrEqual(-world.state.epoch * COST_MS - 1);
    });
  });

  it('keeps holds longer by no more than a machine was paused unseen', async () => {
    await worlds({ pauses: true }, (world, name) => {
      expect(world.error(), name).toBeLessThanOrEqual(1);
      // Two machines that are paused in turn may each be believed once more.
      const behind_ms = world.paused_ms + world.state.epoch * (COST_MS + STEP_MS) + 1;
      expect(world.error(), name).toBeGreaterThanOrEqual(-behind_ms);
    });
  });
});

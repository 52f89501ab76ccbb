import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Semaphore } from './kit.ts';

/** Long enough never to pass in a test; every waiter is admitted before its test ends. */
const LONG_MS = 60_000;

describe('a semaphore', () => {
  it.each([0, -1])('refuses a size of %i', (size) => {
    expect(() => new Semaphore(size)).toThrow('a semaphore needs a size');
  });

  it('admits up to its size at once', async () => {
    const semaphore = new Semaphore(2);
    expect(await semaphore.acquire(0)).toBe(true);
    expect(await semaphore.acquire(0)).toBe(true);
    expect(await semaphore.acquire(0)).toBe(false);
    expect([semaphore.taken, semaphore.waiting]).toEqual([2, 0]);
  });

  it('admits in the order of arrival', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire(0);
    const admitted: string[] = [];
    const waiters = ['first', 'second', 'third'].map(async (name) => {
      await semaphore.acquire(LONG_MS);
      admitted.push(name);
      semaphore.release();
    });
    expect(semaphore.waiting).toBe(3);
    semaphore.release();
    await Promise.all(waiters);
    expect(admitted).toEqual(['first', 'second', 'third']);
    expect([semaphore.taken, semaphore.waiting]).toEqual([0, 0]);
  });

  it('hands a place over without letting a newcomer in between', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire(0);
    const waiter = semaphore.acquire(LONG_MS);
    semaphore.release();
    const newcomer = semaphore.acquire(0);
    expect(await waiter).toBe(true);
    expect(await newcomer).toBe(false);
  });

  it('loses no place to a waiter who gave up', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire(0);
    expect(await semaphore.acquire(1)).toBe(false);
    semaphore.release();
    expect(semaphore.taken).toBe(0);
    expect(await semaphore.acquire(0)).toBe(true);
  });

  it('gives the place of one who gave up to the next in the line', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire(0);
    const impatient = semaphore.acquire(1);
    const patient = semaphore.acquire(LONG_MS);
    expect(await impatient).toBe(false);
    semaphore.release();
    expect(await patient).toBe(true);
  });

  it('stops whoever releases more than was acquired', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire(0);
    semaphore.release();
    expect(() => semaphore.release()).toThrow('released more often than acquired');
  });
});

type Step =
  | { kind: 'acquire'; wait_ms: number }
  | { kind: 'release' }
  | { kind: 'pass'; time_ms: number };

/** The same rules without promises and timers: who holds a place, and who waits until when. */
class Model {
  readonly size: number;
  readonly admitted: number[] = [];
  readonly refused: number[] = [];
  holders = 0;
  waiters: { name: number; until_ms: number }[] = [];
  #names = 0;
  #now_ms = 0;

  constructor(size: number) {
    this.size = size;
  }

  acquire(wait_ms: number): number {
    const name = this.#names++;
    if (this.holders < this.size) this.#admit(name);
    else this.waiters.push({ name, until_ms: this.#now_ms + wait_ms });
    return name;
  }

  release(): void {
    this.holders--;
    const next = this.waiters.shift();
    if (next) this.#admit(next.name);
  }

  pass(time_ms: number): void {
    this.#now_ms += time_ms;
    const late = this.waiters.filter((waiter) => waiter.until_ms <= this.#now_ms);
    this.waiters = this.waiters.filter((waiter) => waiter.until_ms > this.#now_ms);
    late.sort((a, b) => a.until_ms - b.until_ms);
    this.refused.push(...late.map((waiter) => waiter.name));
  }

  #admit(name: number): void {
    this.holders++;
    this.admitted.push(name);
  }
}

/** A semaphore and its model, side by side. */
class Pair {
  readonly model: Model;
  readonly semaphore: Semaphore;
  readonly admitted: number[] = [];
  readonly refused: number[] = [];

  constructor(size: number) {
    this.model = new Model(size);
    this.semaphore = new Semaphore(size);
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'acquire') this.#acquire(step.wait_ms);
    if (step.kind === 'release') this.#release();
    if (step.kind === 'pass') await this.#pass(step.time_ms);
    await Promise.resolve();
    this.#compare();
  }

  #acquire(wait_ms: number): void {
    const name = this.model.acquire(wait_ms);
    this.semaphore
      .acquire(wait_ms)
      .then((isIn) => (isIn ? this.admitted : this.refused).push(name));
  }

  #release(): void {
    if (this.model.holders === 0) return;
    this.model.release();
    this.semaphore.release();
  }

  async #pass(time_ms: number): Promise<void> {
    this.model.pass(time_ms);
    await vi.advanceTimersByTimeAsync(time_ms);
  }

  #compare(): void {
    expect(this.admitted).toEqual(this.model.admitted);
    expect(this.refused).toEqual(this.model.refused);
    expect(this.semaphore.taken).toBe(this.model.holders);
    expect(this.semaphore.waiting).toBe(this.model.waiters.length);
    expect(this.semaphore.taken).toBeLessThanOrEqual(this.model.size);
  }
}

describe('a semaphore and its model', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  /** Waits begin at 1 ms, because a timer of 0 ms is one of 1 ms. */
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant('acquire'), wait_ms: fc.integer({ min: 1, max: 20 }) }),
    fc.record({ kind: fc.constant('release') }),
    fc.record({ kind: fc.constant('pass'), time_ms: fc.nat(10) }),
  );

  it('admit and refuse the same, in the same order, and never more than the size', async () => {
    const steps = fc.array(step, { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), steps, async (size, all) => {
        const pair = new Pair(size);
        for (const one of all) await pair.take(one);
        while (pair.model.holders > 0) await pair.take({ kind: 'release' });
        expect(pair.semaphore.taken).toBe(0);
        expect(vi.getTimerCount()).toBe(0);
      }),
    );
  });
});

import { manualClock, nextTurn, seededRandom } from '@voelgoed/engine/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admits, nextPatience, placesFor } from './admission-rules.ts';
import { Farewells } from './farewells.ts';
import { Gate } from './gate.ts';
import { PRIORITIES, type Priority, priorityOf } from './priorities.ts';

const ID = '0199f0f0-0000-7000-8000-000000000000';
const load = fc.record({
  underWay: fc.nat(50_000),
  perSecond: fc.integer({ min: 50, max: 50_000 }),
  organizations: fc.integer({ min: 1, max: 500 }),
  ofOrganization: fc.nat(50_000),
});
const priority = fc.constantFrom(...PRIORITIES);

describe('who may come in', () => {
  it('is decided by the order: whoever comes before finds room where the next one does', () => {
    fc.assert(
      fc.property(load, priority, priority, (one, first, next) => {
        fc.pre(PRIORITIES.indexOf(first) <= PRIORITIES.indexOf(next));
        return !admits(next, one) || admits(first, one);
      }),
    );
  });

  it('never turns a payment away, whatever the load', () => {
    fc.assert(fc.property(load, (one) => admits('complete', one)));
  });

  it('turns nobody away twice as fast for being slower by half', () => {
    fc.assert(
      fc.property(load, priority, (one, kind) => {
        const slower = { ...one, perSecond: one.perSecond / 2 };
        return !admits(kind, slower) || admits(kind, one);
      }),
    );
  });

  it('always lets in an organization that has less than its equal share', () => {
    fc.assert(
      fc.property(load, priority, (one, kind) => {
        const share = placesFor(kind, one.perSecond) / one.organizations;
        fc.pre(one.ofOrganization < share);
        return admits(kind, one);
      }),
    );
  });

  it('lets in no more than the places, and one share for each newcomer', () => {
    fc.assert(
      fc.property(load, priority, (one, kind) => {
        fc.pre(kind !== 'complete');
        const places = placesFor(kind, one.perSecond);
        const full = { ...one, underWay: places, ofOrganization: places / one.organizations };
        return !admits(kind, full);
      }),
    );
  });

  it('has room for 5,000 who want the same seat at the same moment', () => {
    const fast = { perSecond: 12_000, organizations: 1 };
    expect(admits('hold', { ...fast, underWay: 4_999, ofOrganization: 4_999 })).toBe(true);
  });
});

describe('when those who are turned away come back', () => {
  it('is between one and ten seconds, later the more they are', () => {
    const patience = fc.double({ min: 1, max: 10, noNaN: true });
    fc.assert(
      fc.property(patience, fc.nat(100_000), fc.nat(100_000), (now, few, more) => {
        const [less, many] = [Math.min(few, more), Math.max(few, more)];
        const [sooner, later] = [nextPatience(now, less, 1_000), nextPatience(now, many, 1_000)];
        return sooner >= 1 && later <= 10 && sooner <= later;
      }),
    );
  });
});

describe('the kind of a request', () => {
  it.each([
    ['POST', '/webhooks/payments/demo', 'complete'],
    ['POST', `/api/admin/events/${ID}/sell`, 'complete'],
    ['POST', '/api/tickets/ABC/entries', 'complete'],
    ['POST', '/anything/sell', 'hold'],
    ['POST', '/anything/entries', 'hold'],
    ['DELETE', `/api/holds/${ID}`, 'release'],
    ['DELETE', `/api/events/${ID}/holds`, 'release'],
    ['POST', `/api/checkouts/${ID}/cancel`, 'release'],
    ['POST', '/api/admin/seats/release', 'release'],
    ['POST', `/api/admin/events/${ID}/holds`, 'release'],
    ['POST', `/api/holds/${ID}/extend`, 'extend'],
    ['POST', '/api/checkouts', 'extend'],
    ['POST', `/api/checkouts/${ID}/pay`, 'extend'],
    ['POST', `/api/events/${ID}/seats/${ID}/reserve`, 'hold'],
    ['POST', `/api/events/${ID}/holds`, 'hold'],
    ['POST', `/api/events/${ID}/holds/best-available?x=1`, 'hold'],
    ['POST', `/api/events/${ID}/sessions`, 'hold'],
    ['GET', `/api/events/${ID}/availability`, 'read'],
    ['GET', '/api/admin/audit', 'read'],
    ['GET', `/api/events/${ID}/stream?lineage=0`, 'stream'],
    ['GET', '/health/ready', null],
    ['GET', '/metrics', null],
    ['OPTIONS', '/api/checkouts', null],
  ] satisfies [string, string, Priority | null][])('%s %s is %s', (method, url, kind) => {
    expect(priorityOf(method, url)).toBe(kind);
  });
});

/** A gate on a clock that the test moves; events begin with their organization's letter. */
function aGate(isOn = true, use = 1) {
  let now = 0;
  const clock = { now: () => now, monotonic: () => now };
  const gate = new Gate({
    clock,
    random: seededRandom(7),
    organizationOfEvent: (eventId) => eventId[0] ?? null,
    organizationOfHeader: () => null,
    use: () => use,
    isOn,
  });
  const urlOf = (organization: string) =>
    `/api/events/${organization.repeat(36)}/seats/${ID}/reserve`;
  const ask = (organization: string) => {
    const answer = gate.enter('POST', urlOf(organization), undefined);
    if ('place' in answer) answer.place?.begin();
    return answer;
  };
  return {
    gate,
    ask,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

/** A node that answers `perSecond`, three times as many wishes of A, and a few of B. */
function overrun(isOn: boolean, seconds: number) {
  const { gate, ask, pass } = aGate(isOn);
  const perSecond = 1_000;
  const queue: { place: { end(as: 'answered'): void } | null; at: number }[] = [];
  const refused = { a: 0, b: 0 };
  const waits: number[] = [];
  const retries: number[] = [];
  for (let ms = 0; ms < seconds * 1_000; ms++) {
    pass(1);
    const wishes = ['a', 'a', 'a', ...(ms % 100 === 0 ? ['b'] : [])] as ('a' | 'b')[];
    for (const organization of wishes) {
      const answer = ask(organization);
      if ('priority' in answer) {
        refused[organization]++;
        retries.push(answer.retryAfter_s);
      } else queue.push({ place: answer.place, at: ms });
    }
    const done = ms % (1_000 / perSecond) === 0 ? queue.shift() : undefined;
    done?.place?.end('answered');
    if (done && ms > 5_000) waits.push(ms - done.at);
  }
  return { gate, refused, waits, retries };
}

describe('a gate before a node with three times its load', () => {
  it('keeps waits short, asks for patience, and refuses the small neighbour nothing', () => {
    const { refused, waits, retries, gate } = overrun(true, 20);
    expect(Math.max(...waits)).toBeLessThan(3_000);
    expect(waits.at(-1)).toBeLessThan(1_000);
    expect(refused.b).toBe(0);
    expect(refused.a).toBeGreaterThan(10_000);
    expect(Math.max(...retries)).toBeGreaterThan(5);
    expect(gate.perSecond).toBeCloseTo(1_000, -2);
  });

  it('is what keeps them short: without it everybody waits longer than anybody does', () => {
    const { refused, waits } = overrun(false, 20);
    expect(refused).toEqual({ a: 0, b: 0 });
    expect(waits.at(-1)).toBeGreaterThan(3_000);
  });

  it('expects the best again as soon as it is quiet', () => {
    const { gate, ask, pass } = aGate();
    const passes = Array.from({ length: 20_000 }, () => ask('a'));
    expect(passes.some((one) => 'priority' in one)).toBe(true);
    for (let step = 0; step < 5; step++) {
      pass(300);
      ask('a');
    }
    ask('b');
    expect(gate.perSecond).toBeLessThan(12_000);
    for (const one of passes) if ('place' in one) one.place?.end('answered');
    pass(300);
    ask('b');
    pass(300);
    ask('b');
    expect(gate.perSecond).toBeGreaterThanOrEqual(12_000);
    expect(gate.underWay).toBe(3);
  });
});

describe('a gate before a node that is not pressed', () => {
  it('expects no less for a few requests that take long', () => {
    const { gate, ask, pass } = aGate();
    for (let count = 0; count < 20; count++) ask('a');
    for (let second = 0; second < 60; second++) {
      pass(1_000);
      const answer = ask('b');
      if ('place' in answer) answer.place?.end('answered');
    }
    expect(gate.perSecond).toBe(12_000);
  });

  /** 200 a second wait three seconds each for an event that somebody has locked. */
  function locked(use: number) {
    const { gate, ask, pass } = aGate(true, use);
    const waiting: ReturnType<typeof ask>[] = [];
    let refused = 0;
    for (let ms = 0; ms < 20_000; ms += 5) {
      pass(5);
      const answer = ask('a');
      waiting.push(answer);
      if ('priority' in answer) refused++;
      const over = waiting.length > 600 ? waiting.shift() : undefined;
      if (over && 'place' in over) over.place?.end('answered');
    }
    return { gate, refused };
  }

  it('lets everybody in while many wait for something else than the node', () => {
    expect(locked(0.2).refused).toBe(0);
    expect(locked(0.2).gate.underWay).toBe(600);
    // The same line before a node that is always at work is too long.
    expect(locked(1).refused).toBeGreaterThan(0);
  });

  it('turns nobody away of 5,000 who come at once and are answered within a second', () => {
    const { gate, ask, pass } = aGate();
    ask('a');
    pass(3_600_000);
    const passes: ReturnType<typeof ask>[] = [];
    for (let ms = 0; ms < 800; ms++) {
      pass(1);
      if (passes.length < 5_000) passes.push(...Array.from({ length: 7 }, () => ask('a')));
    }
    expect(passes.length).toBeGreaterThanOrEqual(5_000);
    expect(passes.filter((one) => 'priority' in one)).toEqual([]);
    for (const one of passes) if ('place' in one) one.place?.end('answered');
    expect(gate.underWay).toBe(1);
  });

  it('lets everybody in after it stood still for seconds', () => {
    const { gate, ask, pass } = aGate();
    const passes = Array.from({ length: 3_000 }, () => ask('a'));
    pass(20_000);
    const late = Array.from({ length: 2_000 }, () => ask('a'));
    expect([...passes, ...late].filter((one) => 'priority' in one)).toEqual([]);
    expect(gate.perSecond).toBe(12_000);
  });

  it('counts a request once, however often it ends, and not before it is here', () => {
    const { gate } = aGate();
    const one = gate.enter('POST', '/api/checkouts', undefined);
    expect(gate.underWay).toBe(0);
    if (!('place' in one)) throw new Error('turned away');
    one.place?.begin();
    one.place?.begin();
    expect(gate.underWay).toBe(1);
    one.place?.end('answered');
    one.place?.end('answered');
    one.place?.begin();
    expect(gate.underWay).toBe(0);
  });

  /** Of three that are done with, one was answered and two were sent away after all. */
  function givingUp(as: 'answered' | 'given up') {
    const { gate, ask, pass } = aGate();
    const queue = Array.from({ length: 2_000 }, () => ask('a'));
    for (let ms = 0; ms < 5_000; ms++) {
      pass(1);
      for (let count = 0; count < 5; count++) {
        const answer = ask('a');
        if ('place' in answer) queue.push(answer);
      }
      for (let count = 0; count < 3; count++) {
        const over = queue.shift();
        if (over && 'place' in over) over.place?.end(count === 0 ? 'answered' : as);
      }
    }
    return gate.perSecond;
  }

  it('takes no pride in how fast it gives up', () => {
    expect(givingUp('given up')).toBeCloseTo(1_000, -2);
    expect(givingUp('answered')).toBeCloseTo(3_000, -2);
  });
});

describe('those who are turned away', () => {
  const told = (count: number) => {
    const clock = manualClock();
    const farewells = new Farewells(clock);
    let heard = 0;
    for (let each = 0; each < count; each++) farewells.say(() => heard++);
    const after = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 20) {
        clock.advance(20);
        await nextTurn();
      }
      return heard;
    };
    return { farewells, after };
  };

  it('hear it at once when they are few', async () => {
    expect(await told(40).after(0)).toBe(40);
  });

  it('hear it one after the other when they are many, in their order', async () => {
    const { after, farewells } = told(1_000);
    expect(await after(0)).toBe(40);
    expect(await after(100)).toBe(240);
    expect(await after(400)).toBe(1_000);
    expect(farewells.waiting).toBe(0);
  });

  it('hear it within two seconds, however many they are', async () => {
    const { after } = told(20_000);
    expect(await after(1_900)).toBeLessThan(5_000);
    expect(await after(200)).toBe(20_000);
  });

  it('hear it at once when more wait than can be connected', async () => {
    const { after, farewells } = told(50_000);
    expect(farewells.waiting).toBe(20_000);
    expect(await after(0)).toBe(30_000);
  });

  it('are told at once again after a quiet moment', async () => {
    const { after, farewells } = told(1_000);
    await after(1_000);
    let heard = 0;
    for (let each = 0; each < 40; each++) farewells.say(() => heard++);
    expect(heard).toBe(40);
  });
});

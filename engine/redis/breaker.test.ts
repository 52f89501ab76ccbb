import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Breaker } from './breaker.ts';

const LIMITS = { failures: 5, probe_ms: 30_000 };

function opened(): Breaker {
  const breaker = new Breaker(LIMITS);
  for (let count = 0; count < 5; count++) breaker.failed(1_000);
  return breaker;
}

describe('the breaker', () => {
  it('opens at the fifth failure in a row', () => {
    const breaker = new Breaker(LIMITS);
    for (let count = 0; count < 4; count++) breaker.failed(0);
    breaker.succeeded();
    for (let count = 0; count < 4; count++) breaker.failed(0);
    expect(breaker.state).toBe('closed');
    breaker.failed(0);
    expect(breaker.state).toBe('open');
  });

  it('asks once every 30 s, and not before', () => {
    const breaker = opened();
    expect(breaker.probeAt_ms).toBe(31_000);
    breaker.probed(true, 30_999);
    expect(breaker.state).toBe('open');
    breaker.probed(false, 31_000);
    expect(breaker.probeAt_ms).toBe(61_000);
    breaker.probed(true, 61_000);
    expect(breaker.state).toBe('half_open');
  });

  it('closes only after Redis is up to date, and opens at the first failure before that', () => {
    const breaker = opened();
    breaker.recovered();
    expect(breaker.state).toBe('open');
    breaker.probed(true, 31_000);
    breaker.failed(32_000);
    expect(breaker.state).toBe('open');
    breaker.probed(true, 62_000);
    breaker.recovered();
    expect(breaker.state).toBe('closed');
  });

  it('never does anything else, whatever happens in whatever order', () => {
    const step = fc.constantFrom('succeeded', 'failed', 'up', 'down', 'recovered', 'wait');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const breaker = new Breaker(LIMITS);
        const model = { state: 'closed', failures: 0, asked: 0 };
        let now = 0;
        for (const one of steps) {
          if (one === 'wait') now += 10_000;
          if (one === 'succeeded') breaker.succeeded();
          if (one === 'failed') breaker.failed(now);
          if (one === 'up' || one === 'down') breaker.probed(one === 'up', now);
          if (one === 'recovered') breaker.recovered();
          follow(model, one, now);
          expect(breaker.state).toBe(model.state);
          expect(breaker.probeAt_ms === null).toBe(model.state !== 'open');
        }
      }),
    );
  });
});

/** The rule, said differently. */
function follow(
  model: { state: string; failures: number; asked: number },
  one: string,
  now: number,
) {
  const isDue = model.state === 'open' && now >= model.asked + LIMITS.probe_ms;
  if (one === 'succeeded') model.failures = 0;
  if (one === 'failed' && model.state !== 'open') {
    model.failures++;
    const opens = model.state === 'half_open' || model.failures >= LIMITS.failures;
    if (opens) Object.assign(model, { state: 'open', asked: now });
  }
  if (one === 'up' && isDue) Object.assign(model, { state: 'half_open', failures: 0 });
  if (one === 'down' && isDue) model.asked = now;
  if (one === 'recovered' && model.state === 'half_open') {
    Object.assign(model, { state: 'closed', failures: 0 });
  }
}

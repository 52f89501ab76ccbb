import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assert, isOperatingError, OperatingError, reasonOf } from './kit.ts';

describe('an operating error', () => {
  it('carries its code, whether to try again, and what caused it', () => {
    const cause = new Error('ECONNRESET');
    const error = new OperatingError('database_away', 'no answer', { retryable: true, cause });
    expect(error).toMatchObject({ code: 'database_away', message: 'no answer', retryable: true });
    expect(error.cause).toBe(cause);
    expect(error.name).toBe('OperatingError');
    expect(error).toBeInstanceOf(Error);
  });

  it('has no cause when none is known', () => {
    const error = new OperatingError('database_away', 'no answer', { retryable: false });
    expect('cause' in error).toBe(false);
  });

  it('is told apart from every other thing that is thrown', () => {
    expect(isOperatingError(new OperatingError('a', 'b', { retryable: false }))).toBe(true);
    const lookalike = { name: 'OperatingError', code: 'a', retryable: true };
    for (const other of [new Error('a'), lookalike, 'a', null, undefined]) {
      expect(isOperatingError(other)).toBe(false);
    }
  });
});

describe('assert', () => {
  it.each([true, 1, 'a', {}])('lets %j pass', (condition) => {
    expect(() => assert(condition, 'never')).not.toThrow();
  });

  it.each([false, 0, '', null, undefined, Number.NaN])('stops at %j', (condition) => {
    expect(() => assert(condition, 'seats add up')).toThrow('assertion failed: seats add up');
  });
});

describe('the reason', () => {
  it.each<[string, unknown]>([
    ['the seat is gone', new Error('the seat is gone')],
    ['TypeError', new TypeError('')],
    ['refused', new AggregateError([new Error('refused'), new Error('late')], 'all failed')],
    ['refused', new AggregateError([new AggregateError([new Error('refused')])])],
    ['all failed', new AggregateError([], 'all failed')],
    ['undefined', undefined],
    ['null', null],
  ])('is "%s"', (reason, error) => {
    expect(reasonOf(error)).toBe(reason);
  });

  it('is what was thrown when that was no error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer(), fc.boolean()), (thrown) => {
        expect(reasonOf(thrown)).toBe(String(thrown));
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { forgetOldest } from './kit.ts';

function filled(count: number): Map<number, string> {
  return new Map(Array.from({ length: count }, (_, index) => [index, `entry ${index}`]));
}

describe('forgetting the oldest', () => {
  it('leaves a map alone that is not too large', () => {
    const map = filled(100);
    forgetOldest(map, 100);
    expect(map.size).toBe(100);
  });

  it('takes those that were put in first', () => {
    const map = filled(3);
    map.delete(0);
    map.set(0, 'again');
    forgetOldest(map, 2);
    expect([...map.keys()]).toEqual([2, 0]);
  });

  it('makes room for more than one in a large map', () => {
    const map = filled(1_601);
    forgetOldest(map, 1_600);
    expect(map.size).toBe(1_500);
    expect(map.has(100)).toBe(false);
    expect(map.has(101)).toBe(true);
  });
});

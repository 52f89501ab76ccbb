import { describe, expect, it } from 'vitest';
import { type Hands, swap } from './swap.ts';

/** A visitor's seats and their people: where each place is for a person, one is the visitor's. */
function cartWith(held: Record<string, string>, { sold = [] as string[], zone = 'box' } = {}) {
  const seats = new Map(Object.entries(held));
  const people = new Map(seats);
  const steps: string[] = [];
  const zoneForPeople = (seat: string) => (seat.startsWith(zone) ? zone : null);
  const hands: Hands = {
    zoneForPeople,
    take: async (seat, instead) => {
      const person = people.get(instead ?? '') ?? 'me';
      const isTwice = [...seats].some(
        ([one, who]) => who === person && zoneForPeople(seat) && zoneForPeople(one),
      );
      if (isTwice || sold.includes(seat)) return false;
      people.set(seat, person);
      seats.set(seat, person);
      steps.push(`+${seat}`);
      return true;
    },
    giveBack: async (seat) => {
      steps.push(`-${seat}`);
      return seats.delete(seat);
    },
  };
  return { seats, steps, hands };
}

describe('another choice of the same size', () => {
  it('is taken before the old seats are given back', async () => {
    const { seats, steps, hands } = cartWith({ 'A-1': 'me' });
    expect(await swap(['A-2'], ['A-1'], hands)).toBe(null);
    expect(steps).toEqual(['+A-2', '-A-1']);
    expect([...seats.keys()]).toEqual(['A-2']);
  });

  it('keeps the old seats when a new one is refused', async () => {
    const { seats, steps, hands } = cartWith({ 'A-1': 'me', 'A-2': 'me' }, { sold: ['A-4'] });
    expect(await swap(['A-3', 'A-4'], ['A-1', 'A-2'], hands)).toEqual([]);
    expect(steps).toEqual(['+A-3', '-A-3']);
    expect([...seats.keys()]).toEqual(['A-1', 'A-2']);
  });
});

describe('where each place is for a person', () => {
  it('an old seat goes first, and its person has the new one', async () => {
    const { seats, hands } = cartWith({ 'box-1': 'me', 'box-2': 'ann' });
    expect(await swap(['box-3', 'box-4'], ['box-1', 'box-2'], hands)).toBe(null);
    expect(Object.fromEntries(seats)).toEqual({ 'box-3': 'me', 'box-4': 'ann' });
  });

  it('an old seat comes back for the same person when a new one is refused', async () => {
    const { seats, hands } = cartWith({ 'box-1': 'me', 'box-2': 'ann' }, { sold: ['box-4'] });
    const again = await swap(['box-3', 'box-4'], ['box-1', 'box-2'], hands);
    expect(again).toEqual(['box-1', 'box-2']);
    expect(Object.fromEntries(seats)).toEqual({ 'box-1': 'me', 'box-2': 'ann' });
  });

  it('only a seat of the same zone goes first', async () => {
    const { steps, hands } = cartWith({ 'A-1': 'me', 'box-1': 'me' });
    expect(await swap(['A-2', 'box-2'], ['A-1', 'box-1'], hands)).toBe(null);
    expect(steps).toEqual(['+A-2', '-box-1', '+box-2', '-A-1']);
  });

  it('nothing is taken for a seat that could not be given back', async () => {
    const { steps, hands } = cartWith({ 'box-1': 'me' });
    const stuck: Hands = { ...hands, giveBack: async () => false };
    expect(await swap(['box-2'], ['box-1'], stuck)).toEqual([]);
    expect(steps).toEqual([]);
  });
});

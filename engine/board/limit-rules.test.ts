import { describe, expect, it } from 'vitest';
import type { SeatingPolicy } from '#policies';
import { joinHashes } from './addresses.ts';
import { aBoard, aZone, hold, places } from './test-boards.ts';
import { Stage } from './test-stage.ts';

const HALL = [
  aZone(0, { has_seats: false, capacity: 100 }),
  aZone(1, { has_seats: false, capacity: 1_000, disabled: true }),
];

/** Buyers who take places one after the other, each from an address of their own. */
function aRush(policy: Partial<SeatingPolicy>) {
  const stage = new Stage(aBoard({ seats: [], zones: HALL, policy }));
  let buyers = 0;
  const take = (home: string | null, network: string, quantity = 1) => {
    const name = `buyer ${buyers++}`;
    const ip = joinHashes({ address: name, site: home, network });
    const outcome = stage.ask(hold(name, [places(0, quantity)], { ip }));
    return outcome.kind === 'refused' ? outcome.details : outcome.kind;
  };
  return { take };
}

describe('the networks around an address', () => {
  it('one home counts as one address', () => {
    const { take } = aRush({ max_holds_per_ip: 2, max_network_share_percent: null });
    expect([take('home', 'street'), take('home', 'street')]).toEqual(['held', 'held']);
    const over = { limit: 'max_holds_per_ip', most: 2, held: 2 };
    expect(take('home', 'street')).toEqual(over);
    expect(take('next door', 'street')).toBe('held');
  });

  it('a network of IPv6 holds as much as four homes', () => {
    const { take } = aRush({ max_holds_per_ip: 1, max_network_share_percent: null });
    const homes = ['one', 'two', 'three', 'four'].map((home) => take(home, 'street'));
    expect(homes).toEqual(['held', 'held', 'held', 'held']);
    expect(take('five', 'street')).toEqual({ limit: 'max_holds_per_ip', most: 4, held: 4 });
    expect(take('five', 'another street')).toBe('held');
  });

  it('a network of IPv4 is many customers: only its share of the event counts', () => {
    const { take } = aRush({ max_holds_per_ip: 1, max_network_share_percent: null });
    expect(Array.from({ length: 6 }, () => take(null, 'carrier'))).toEqual(Array(6).fill('held'));
  });

  it.each([null, 'home'])(
    'hold their share of the places that are open, with the home %s',
    (home) => {
      const { take } = aRush({ max_holds_per_ip: null, max_network_share_percent: 10 });
      expect(take(home, 'carrier', 6)).toBe('held');
      const over = { limit: 'max_network_share_percent', most: 10, held: 6 };
      expect(take(home, 'carrier', 5)).toEqual(over);
      expect(take(home, 'carrier', 4)).toBe('held');
      expect(take(home, 'another', 1)).toBe('held');
    },
  );

  it('are not known of a hold that an older node made: its address counts', () => {
    const policy = { max_holds_per_ip: 2, max_network_share_percent: 1 };
    const stage = new Stage(aBoard({ seats: [], zones: HALL, policy }));
    const take = (quantity: number) =>
      stage.ask(hold(`for ${quantity}`, [places(0, quantity)], { ip: 'address' }));
    expect(take(2)).toMatchObject({ kind: 'held' });
    expect(take(1)).toMatchObject({ details: { limit: 'max_holds_per_ip', most: 2, held: 2 } });
  });
});

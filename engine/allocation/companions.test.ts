import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY, type SeatingPolicy } from '#policies';
import {
  type AccessibleView,
  accessibleEntries,
  companionsKeptFor,
  isCompanionKept,
  isReleasedAt,
  refuseAccessible,
  softReservedFor,
  standingOf,
  touchedBy,
} from './companions.ts';
import { STANDING } from './run-seats.ts';
import { aPlan } from './test-venues.ts';

/** Seats 0 and 3 are wheelchair spaces, 1 and 4 their companions, 2 and 5 are ordinary. */
const plan = aPlan([['WC.', 'WC.']]);

type Held = Readonly<Record<number, string>>;

function aView(
  held: Held = {},
  { released = false, policy = {} }: { released?: boolean; policy?: Partial<SeatingPolicy> } = {},
): AccessibleView {
  return {
    plan,
    policy: { ...DEFAULT_POLICY, ...policy },
    isAvailable: (seat) => held[seat] === undefined,
    holderOf: (seat) => held[seat],
    isReleased: () => released,
  };
}

const wish = (user: string, seats: readonly number[], held: readonly number[] = []) => ({
  user,
  seats,
  held,
});

describe('a companion seat', () => {
  it('is kept for the holder of its wheelchair space and hidden from others', () => {
    const view = aView({ 0: 'ann' });
    expect(softReservedFor(view, 1)).toBe('ann');
    expect(standingOf(view, 1)).toBe(STANDING.gone);
    expect(refuseAccessible(view, wish('bob', [1]))).toEqual({
      code: 'companion_reserved',
      seats: [1],
    });
    expect(refuseAccessible(view, wish('ann', [1], [0]))).toBeNull();
    expect(refuseAccessible(view, wish('ann', [1]))).toBeNull();
  });

  it('is free again for parties with a wheelchair when the hold ends', () => {
    expect(softReservedFor(aView(), 1)).toBeUndefined();
    expect(standingOf(aView(), 1)).toBe(STANDING.protected);
  });

  it('is not sold alone before its release, but with its space it is', () => {
    expect(refuseAccessible(aView(), wish('bob', [1]))).toMatchObject({
      code: 'companion_reserved',
    });
    expect(refuseAccessible(aView(), wish('bob', [1, 3]))).toMatchObject({ seats: [1] });
    expect(refuseAccessible(aView(), wish('bob', [0, 1]))).toBeNull();
  });

  it('is for everybody after the release, or where the rules are off', () => {
    for (const change of [{ released: true }, { policy: { enforce_accessibility_rules: false } }]) {
      const view = aView({ 0: 'ann' }, change);
      expect(softReservedFor(view, 1)).toBeUndefined();
      expect(standingOf(view, 1)).toBe(STANDING.pool);
      expect(refuseAccessible(view, wish('bob', [1]))).toBeNull();
    }
  });
});

describe('a companion seat that is kept', () => {
  it('belongs to a space, and is for nobody else until its release', () => {
    const kept = (view: AccessibleView) => [0, 1, 2].map((seat) => isCompanionKept(view, seat));
    expect(kept(aView())).toEqual([false, true, false]);
    expect(kept(aView({}, { released: true }))).toEqual([false, false, false]);
    const off = { policy: { enforce_accessibility_rules: false } };
    expect(kept(aView({}, off))).toEqual([false, false, false]);
  });

  it('is there for the one who has the space, as long as it is free', () => {
    const view = aView({ 0: 'ann', 3: 'bob' });
    expect(companionsKeptFor(view, 'ann', [0])).toEqual([1]);
    expect(companionsKeptFor(view, 'ann', [2, 0, 3])).toEqual([1]);
    expect(companionsKeptFor(view, 'eve', [0])).toEqual([]);
    expect(companionsKeptFor(aView({ 0: 'ann', 1: 'ann' }), 'ann', [0])).toEqual([]);
    expect(companionsKeptFor(aView({ 0: 'ann' }, { released: true }), 'ann', [0])).toEqual([]);
  });
});

describe('a wheelchair space', () => {
  it('can be booked alone, and as many as the policy says', () => {
    expect(refuseAccessible(aView(), wish('ann', [0]))).toBeNull();
    const second = wish('ann', [3], [0]);
    expect(refuseAccessible(aView({ 0: 'ann' }), second)).toEqual({
      code: 'wheelchair_limit',
      most: 1,
      spaces: [0, 3],
    });
    expect(refuseAccessible(aView({ 0: 'ann' }), wish('ann', [3, 5], [0]))).toMatchObject({
      code: 'wheelchair_limit',
    });
    expect(refuseAccessible(aView({ 0: 'ann', 3: 'ann' }), wish('ann', [5], [0, 3]))).toBeNull();
    const two = { policy: { max_wheelchair_seats_per_booking: 2 } };
    expect(refuseAccessible(aView({ 0: 'ann' }, two), second)).toBeNull();
    const off = { policy: { enforce_accessibility_rules: false } };
    expect(refuseAccessible(aView({}, off), wish('ann', [0, 3]))).toBeNull();
  });

  it('and seats that somebody has are gone, ordinary ones free for all', () => {
    const view = aView({ 3: 'ann', 5: 'ann' });
    expect([3, 5].map((seat) => standingOf(view, seat))).toEqual([STANDING.gone, STANDING.gone]);
    expect(standingOf(view, 2)).toBe(STANDING.pool);
    expect(softReservedFor(view, 2)).toBeUndefined();
  });

  it('stays protected whatever is released, and concerns its companions', () => {
    expect(standingOf(aView({}, { released: true }), 0)).toBe(STANDING.protected);
    expect(touchedBy(plan, 0)).toEqual([0, 1]);
    expect(touchedBy(plan, 2)).toEqual([2]);
  });

  it('is told to the audit with its companions', () => {
    expect(accessibleEntries(aView({ 0: 'ann' }), [0, 2])).toEqual([
      { seat: 0, companions: [1], companion_soft_reserved: true },
    ]);
    expect(accessibleEntries(aView({ 0: 'ann', 1: 'ann' }), [0])).toEqual([
      { seat: 0, companions: [1], companion_soft_reserved: false },
    ]);
    const none = [{ companion_soft_reserved: false }];
    const off = { policy: { enforce_accessibility_rules: false } };
    expect(accessibleEntries(aView({ 0: 'ann' }, off), [0])).toMatchObject(none);
    expect(accessibleEntries(aView({ 0: 'ann' }, { released: true }), [0])).toMatchObject(none);
    const two = { ...aView({ 0: 'ann', 1: 'bob' }), plan: aPlan([['WCC']]) };
    expect(accessibleEntries(two, [0])).toEqual([
      { seat: 0, companions: [1, 2], companion_soft_reserved: true },
    ]);
    const alone = { ...aView({ 0: 'ann' }), plan: aPlan([['W..']]) };
    expect(accessibleEntries(alone, [0])).toEqual([
      { seat: 0, companions: [], companion_soft_reserved: false },
    ]);
  });
});

describe('the release', () => {
  const at = (taken: number, before: boolean, blocked = 0, kept = 0) => {
    const occupancy = { capacity: 100, held: 5, sold: taken - 5, blocked, kept };
    return isReleasedAt(DEFAULT_POLICY, occupancy, before);
  };

  it('comes at 85 percent and goes at 80', () => {
    expect([84, 85, 100].map((taken) => at(taken, false))).toEqual([false, true, true]);
    expect([84, 81, 80, 79].map((taken) => at(taken, true))).toEqual([true, true, false, false]);
  });

  it('comes where everything but the kept seats is taken, and goes five points below that', () => {
    expect([78, 79, 80].map((taken) => at(taken, false, 0, 20))).toEqual([false, false, true]);
    expect([76, 75].map((taken) => at(taken, true, 0, 20))).toEqual([true, false]);
    const small = { capacity: 10, held: 0, sold: 8, blocked: 0, kept: 2 };
    expect(isReleasedAt(DEFAULT_POLICY, small, false)).toBe(true);
    expect(isReleasedAt(DEFAULT_POLICY, { ...small, sold: 7 }, false)).toBe(false);
  });

  it('does not count blocked seats, and needs a seat at all', () => {
    expect(at(45, false, 50)).toBe(true);
    expect(at(42, false, 50)).toBe(false);
    expect(at(5, false, 100)).toBe(false);
  });
});

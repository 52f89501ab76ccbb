import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FreeSeats } from './free-seats.ts';
import { cutOf, hasBlock, RunSeats, STANDING, type Standing } from './run-seats.ts';
import { aPlan } from './test-venues.ts';

const { gone, pool } = STANDING;
const standing = fc.constantFrom<Standing>(STANDING.gone, STANDING.protected, STANDING.pool);

describe('a run by itself', () => {
  const run = fc.tuple(fc.array(standing, { minLength: 1, maxLength: 9 }), fc.boolean());

  /** The seat at a place; outside of a row nobody sits. */
  const seatAt = (seats: readonly Standing[], ring: boolean, place: number) => {
    const { length } = seats;
    return seats[ring ? (place + length) % length : place] ?? gone;
  };

  it('counts what is free, what is for anybody, and who would sit alone', () => {
    fc.assert(
      fc.property(run, ([seats, wanted]) => {
        const ring = wanted && seats.length > 2;
        const { open, pool: all, orphans, longest } = new RunSeats(Uint8Array.from(seats), ring);
        const at = (place: number) => seatAt(seats, ring, place);
        expect(open).toBe(seats.filter((one) => one !== gone).length);
        expect(all).toBe(seats.filter((one) => one === pool).length);
        const alone = seats.filter(
          (one, place) => one === pool && at(place - 1) === gone && at(place + 1) === gone,
        );
        expect(orphans).toBe(alone.length);
        const lengths = seats.map((_, start) => {
          let length = 0;
          while (length < seats.length && at(start + length) === pool) length++;
          return length;
        });
        expect(longest).toBe(Math.max(...lengths));
      }),
      { numRuns: 400 },
    );
  });

  it('says how many seats a block would leave alone', () => {
    const block = fc.tuple(run, fc.nat(8), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(block, ([[seats, wanted], from, many]) => {
        const ring = wanted && seats.length > 2;
        const size = Math.min(many, seats.length);
        const start = ring ? from % seats.length : Math.min(from, seats.length - size);
        const taken = new Set(
          Array.from({ length: size }, (_, nth) => (start + nth) % seats.length),
        );
        const after = seats.map((one, place) => (taken.has(place) ? gone : one));
        const beside = new Set(
          [start - 1, start + size].map((place) =>
            ring ? (place + seats.length) % seats.length : place,
          ),
        );
        const alone = [...beside].filter((place) => {
          const sides = [place - 1, place + 1].map((one) => seatAt(after, ring, one));
          return after[place] === pool && sides.every((one) => one === gone);
        });
        const found = new RunSeats(Uint8Array.from(seats), ring).strandedBy(start, size);
        expect(found).toBe(alone.length);
      }),
      { numRuns: 400 },
    );
  });

  it('tells lengths of blocks apart up to 63 seats', () => {
    for (const length of [31, 32, 33, 63]) {
      const full = new RunSeats(new Uint8Array(length).fill(pool));
      const sizes = [length - 2, length - 1, length, length + 1];
      const tidy = sizes.map((size) => hasBlock(full, size, true));
      expect(tidy).toEqual([true, false, true, false]);
      expect(sizes.map((size) => hasBlock(full, size, false))).toEqual([true, true, true, false]);
    }
  });

  it('of a ring is cut behind a seat that is not taken', () => {
    const cut = (...takes: boolean[]) => cutOf(takes.length, (place) => takes[place] === true);
    expect([cut(true, true), cut(false, true, true), cut(true, false, true)]).toEqual([0, 1, 2]);
    expect(cut(true, true, false)).toBe(0);
  });
});

describe('the index of many runs', () => {
  /** Three zones with more runs than one node of the tree has parts, each of one or two pieces. */
  const text = (row: number) => (row % 3 === 0 ? '..|...' : '.'.repeat(2 + (row % 5)));
  const rows = Array.from({ length: 320 }, (_, row) => text(row));
  const plan = aPlan([rows.slice(0, 40), rows.slice(40, 41), rows.slice(41)]);
  const share = fc.integer({ min: 1, max: 9 });

  it('finds what a look at every run finds', () => {
    const asked = fc.record({ zone: fc.nat(2), size: fc.integer({ min: 1, max: 7 }) });
    fc.assert(
      fc.property(share, fc.nat(9), asked, fc.boolean(), (part, shift, { zone, size }, tidy) => {
        const free = FreeSeats.of(plan, (seat) => ((seat * 7 + shift) % 10 < part ? pool : gone));
        const ranks = plan.ranked.length;
        const all = Array.from({ length: ranks }, (_, rank) => rank).filter((rank) =>
          hasBlock(free.atRank(rank), size, tidy),
        );
        const [from, to] = [plan.zoneStarts[zone] ?? 0, plan.zoneStarts[zone + 1] ?? 0];
        const inside = all.filter((rank) => rank >= from && rank < to);
        expect(free.ranks(from, to, size, tidy)).toEqual(inside);
        expect(free.next(from, to, size, tidy)).toBe(inside[0] ?? -1);
        const later = from + Math.floor((to - from) / 2);
        const rest = inside.filter((rank) => rank > later);
        expect(free.next(later + 1, to, size, tidy)).toBe(rest[0] ?? -1);
        expect(free.ranks(later + 1, to, size, tidy)).toEqual(rest);
        const longest = Math.max(0, ...inside.map((rank) => free.atRank(rank).longest));
        if (!tidy) expect(free.longestIn(zone, 7)).toBe(longestIn(free, zone));
        if (!tidy && longest > 0) expect(free.longestIn(zone, 50)).toBe(longest);
      }),
      { numRuns: 100 },
    );
  });

  /** By every run of the zone, and none longer than seven. */
  function longestIn(free: FreeSeats, zone: number): number {
    const lengths = plan.runs.flatMap((run, number) =>
      run.zone === zone ? free.run(number).longest : [],
    );
    return Math.min(7, Math.max(0, ...lengths));
  }

  it('counts rows and zones, and knows each seat', () => {
    const free = FreeSeats.of(plan, (seat) => (seat % 3 === 0 ? gone : seat % 3 === 1 ? 1 : pool));
    plan.rows.forEach(({ first, count }, row) => {
      const seats = Array.from({ length: count }, (_, nth) => first + nth);
      expect(free.openInRow(row)).toBe(seats.filter((seat) => seat % 3 !== 0).length);
    });
    const zones = [0, 1, 2].map((zone) => {
      const own = Array.from({ length: plan.seatCount }, (_, seat) => seat).filter(
        (seat) => plan.zoneOf(seat) === zone,
      );
      const open = own.filter((seat) => free.isOpen(seat)).length;
      return { open, pool: own.filter((seat) => free.standingOf(seat) === pool).length };
    });
    expect([0, 1, 2].map((zone) => free.zone(zone))).toMatchObject(zones);
    expect(free.zone(9)).toEqual({ open: 0, pool: 0, orphans: 0 });
  });

  it('knows the longest block up to a length, and that a zone without seats has none', () => {
    const free = FreeSeats.of(aPlan([['...', '..'], []]), () => pool);
    expect([5, 3, 2, 1].map((most) => free.longestIn(0, most))).toEqual([3, 3, 2, 1]);
    expect(free.longestIn(1, 5)).toBe(0);
  });

  it('finds long blocks that are taken whole', () => {
    const lengths = [20, 33, 40, 31];
    const free = FreeSeats.of(aPlan([lengths.map((length) => '.'.repeat(length))]), () => pool);
    const found = (size: number) => free.ranks(0, 4, size, true);
    expect([31, 32, 33, 40, 41].map((size) => found(size).length)).toEqual([3, 1, 2, 1, 0]);
    expect(free.next(0, 4, 40, true)).toBe(found(40)[0]);
  });

  it('is built in steps of so many runs', () => {
    const many = aPlan([Array.from({ length: 600 }, () => '..')]);
    expect([...FreeSeats.building(many, () => pool)]).toHaveLength(2);
    expect([...FreeSeats.building(aPlan([['..', '..']]), () => pool)]).toHaveLength(0);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FreeSeats, type SeatChange } from './free-seats.ts';
import { hasBlock, RunSeats, STANDING, type Standing } from './run-seats.ts';
import { eachBlock } from './seat-blocks.ts';
import { aPlan, freeSeats } from './test-venues.ts';

const standing = fc.constantFrom<Standing>(STANDING.gone, STANDING.protected, STANDING.pool);

describe('a run', () => {
  it('says exactly which blocks it has and which of them strand nobody', () => {
    fc.assert(
      fc.property(fc.array(standing, { minLength: 1, maxLength: 14 }), (standings) => {
        const free = FreeSeats.of(aPlan([['.'.repeat(standings.length)]]), (seat) => {
          return standings[seat] ?? STANDING.gone;
        });
        for (let size = 1; size <= standings.length; size++) {
          for (const tidy of [true, false]) {
            let found = false;
            const visit = () => {
              found = true;
            };
            eachBlock(free, 0, { size, tidy }, () => 0, visit);
            expect(hasBlock(free.run(0), size, tidy)).toBe(found);
          }
        }
      }),
    );
  });

  it('counts orphans by what is beside them', () => {
    const orphansOf = (text: string) => freeSeats([[text]]).zone(0).orphans;
    expect(orphansOf('.x.x.')).toBe(3);
    expect(orphansOf('..x.x')).toBe(1);
    expect(orphansOf('.|.x..')).toBe(2);
    // Company of any kind is company, and a wheelchair space is never stranded.
    expect(orphansOf('.Wx.')).toBe(1);
    expect(orphansOf('xWx')).toBe(0);
  });

  it('tells blocks of up to 50 seats apart', () => {
    const run = new RunSeats(new Uint8Array(50).fill(STANDING.pool));
    expect([47, 48, 49, 50].map((size) => hasBlock(run, size, true))).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });
});

describe('the index', () => {
  const rows = Array.from({ length: 40 }, (_, row) => '.'.repeat(3 + (row % 7)));
  const plan = aPlan([rows.slice(0, 23), rows.slice(23)]);
  const change = fc.tuple(fc.integer({ min: 0, max: plan.seatCount - 1 }), standing);

  it('is after any changes what a new one would be', () => {
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 12 }), (batches) => {
        const now = new Array<Standing>(plan.seatCount).fill(STANDING.pool);
        let index = FreeSeats.of(plan, () => STANDING.pool);
        for (const batch of batches) {
          index = index.with(batch);
          for (const [seat, is] of batch) now[seat] = is;
        }
        expect(contentOf(index)).toEqual(
          contentOf(FreeSeats.of(plan, (seat) => now[seat] ?? STANDING.gone)),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('leaves the one it was made from as it was', () => {
    const before = FreeSeats.of(plan, () => STANDING.pool);
    const content = contentOf(before);
    const after = before.with([0, 1, 90].map((seat): SeatChange => [seat, STANDING.gone]));
    expect(contentOf(before)).toEqual(content);
    expect(after.zone(0).open).toBe(before.zone(0).open - 3);
    expect(after.run(plan.runs.length - 1)).toBe(before.run(plan.runs.length - 1));
  });

  it('is itself when nothing changes', () => {
    const index = FreeSeats.of(plan, () => STANDING.pool);
    expect(index.with([[3, STANDING.pool]])).toBe(index);
  });

  it('keeps runs of a zone together, the nearest first', () => {
    const costs = (zone: number) =>
      Array.from(plan.bounds.slice(plan.zoneStarts[zone], plan.zoneStarts[zone + 1]));
    for (const zone of [0, 1]) {
      expect(costs(zone)).toEqual(costs(zone).sort((one, other) => one - other));
      expect(costs(zone)).toHaveLength(zone === 0 ? 23 : 17);
    }
  });
});

/** Everything a search can see of an index. */
function contentOf(index: FreeSeats) {
  const { plan } = index;
  const finds: number[] = [];
  for (const tidy of [true, false]) {
    for (let size = 1; size < 10; size++) {
      for (let from = 0; from < plan.runs.length; from += 3) {
        finds.push(index.next(from, plan.runs.length, size, tidy));
      }
    }
  }
  const standings = Array.from({ length: plan.seatCount }, (_, seat) => index.standingOf(seat));
  return { finds, standings, zones: [index.zone(0), index.zone(1)] };
}

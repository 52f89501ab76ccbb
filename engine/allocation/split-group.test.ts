import { describe, expect, it } from 'vitest';
import { seededRandom } from '#kit';
import { STANDING } from './run-seats.ts';
import { splitGroup } from './split-group.ts';
import { between } from './test-halls.ts';
import { freeSeats } from './test-venues.ts';

const many = (rows: number, row: string) => Array.from({ length: rows }, () => row);

describe('a group that is parted', () => {
  it('finds the fullest rows where neither near rows nor long blocks have room', () => {
    // Every row before has a pair; the last two have eight seats each, one by one.
    const rows = [...many(300, '..xx'), ...many(2, '.x.x.x.x.x.x.x.x')];
    const found = splitGroup(freeSeats([rows]), 0, { size: 16, rows: 2 });
    expect(found).toHaveLength(16);
    expect(Math.min(...(found ?? []))).toBe(1_200);
    expect(splitGroup(freeSeats([rows]), 0, { size: 17, rows: 2 })).toBeNull();
  });

  it('goes far back for blocks that leave no person alone', () => {
    const rows = [...many(300, '.x.x.'), 'x..xx', '.x.x.', '..x..'];
    const found = splitGroup(freeSeats([rows]), 0, { size: 4, rows: 2 });
    expect(found).toEqual([1_501, 1_502, 1_510, 1_511]);
  });

  it('has nothing where there is not enough room, in all or in so many rows', () => {
    const free = freeSeats([['..x', '..x', '..x'], ['....']]);
    expect(splitGroup(free, 0, { size: 7, rows: 9 })).toBeNull();
    expect(splitGroup(free, 0, { size: 5, rows: 2 })).toBeNull();
    expect(splitGroup(free, 0, { size: 6, rows: 3 })).toEqual([0, 1, 3, 4, 6, 7]);
    expect(splitGroup(free, 0, { size: 3, rows: 1 })).toBeNull();
    expect(splitGroup(free, 1, { size: 3, rows: 1 })).toHaveLength(3);
  });

  it('has room where the fullest rows have it, wherever they are, for newcomers too', () => {
    const random = seededRandom(12);
    for (let hall = 0; hall < 12; hall++) {
      // In every other hall each third row may not be taken.
      const lengths = Array.from({ length: 150 }, () => between(random, [1, 9]));
      const free = freeSeats([['..'], lengths.map((length) => `.x${'.'.repeat(length)}`)]);
      const beside = [free.plan.row(2 + hall).first];
      const may = hall % 2 ? (seat: number) => free.plan.rowOf(seat) % 3 > 0 : undefined;
      const taken = free.with(beside.map((seat) => [seat, STANDING.gone]));
      const room = lengths.map((_, index) => {
        const { first, count } = free.plan.row(1 + index);
        const seats = Array.from({ length: count }, (__, nth) => first + nth);
        const all = seats.filter((seat) => taken.isOpen(seat) && (!may || may(seat)));
        return all.length;
      });
      const [most = 0, next = 0, third = 0] = [...room].sort((one, other) => other - one);
      const find = (size: number, rows: number) =>
        splitGroup(taken, 1, { size, rows, beside, ...(may ? { may } : {}) });
      expect(find(most + next, 2)).toHaveLength(most + next);
      expect(find(most + next + 1, 2)).toBeNull();
      expect(find(most + next + third, 3)).toHaveLength(most + next + third);
    }
  });

  it('sits near what the party has, in the second zone and far back too', () => {
    const rows = [...many(40, '..x..'), '.xxxx', ...many(40, '..x..')];
    const free = freeSeats([['..x..', '..x..'], rows]);
    const party = 10 + 200;
    const around = Array.from({ length: 25 }, (_, nth) => party - 10 + nth);
    const taken = free.with([[party, STANDING.gone]]);
    const found = splitGroup(taken, 1, { size: 4, rows: 2, beside: [party] }) ?? [];
    expect(found).toHaveLength(4);
    for (const seat of found) expect(around).toContain(seat);
  });

  it('takes only what may be taken', () => {
    const free = freeSeats([['....', '....', '....']]);
    const may = (seat: number) => seat % 4 < 2 && seat > 3;
    expect(splitGroup(free, 0, { size: 4, rows: 2, may })).toEqual([4, 5, 8, 9]);
    expect(splitGroup(free, 0, { size: 5, rows: 3, may })).toBeNull();
  });

  it('brings the smaller part to the larger one', () => {
    // The pair of the second row is before the three, not in the middle where it is nearest.
    const free = freeSeats([['...xxxxxx', 'xx....xxx']]);
    expect(splitGroup(free, 0, { size: 5, rows: 2 })).toEqual([0, 1, 2, 11, 12]);
  });
});

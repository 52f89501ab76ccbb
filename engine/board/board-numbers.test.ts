import { expect, it } from 'vitest';
import { boardCounts } from './board-numbers.ts';
import { aBoard, aZone, block, hold, places, seat } from './test-boards.ts';
import { Stage } from './test-stage.ts';

it('counts places by zone, and wheelchair spaces that somebody has', () => {
  const zones = [
    aZone(0, { capacity: 8, zone_type: 'vip_reserved' }),
    aZone(1, { capacity: 4 }),
    aZone(2, { has_seats: false, capacity: 8 }),
  ];
  const pairs = [
    [0, 1],
    [4, 5],
    [8, 9],
    [10, 11],
  ] as const;
  const stage = new Stage(aBoard({ zones, pairs, sold: [4] }));
  stage.flush(hold('ann', [seat(0), places(2, 3)]), block([8]));
  expect(boardCounts(stage.board)).toEqual({
    ...{ seats: 12, orphans: 0, taken: 2, spaces: 4, spacesTaken: 2 },
    ...{ vipPlaces: 8, vipTaken: 2 },
  });
});

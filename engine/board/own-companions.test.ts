import { describe, expect, it } from 'vitest';
import { STANDING } from '#allocation';
import { SEAT } from './board-state.ts';
import { aBoard, aZone, block, hold, release, seat } from './test-boards.ts';
import { as, start } from './test-checkouts.ts';
import { BEST } from './test-commands.ts';
import { Stage } from './test-stage.ts';

/** Ten seats in a row; 4 is the companion of the wheelchair space 3. */
function aStage(): Stage {
  const zones = [aZone(0, { capacity: 10 })];
  const policy = { orphan_avoidance_strict: true };
  return new Stage(aBoard({ seats: Array(10).fill(0), zones, pairs: [[2, 3]], policy }));
}

function labelsOf(stage: Stage, user: string, quantity: number): string[] {
  const outcome = stage.ask(hold(user, [], { best: { ...BEST, quantity } }));
  if (outcome.kind !== 'held') return [outcome.kind];
  return outcome.places.map((place) => place.seat?.label ?? '');
}

describe('a wheelchair user with friends', () => {
  it('holds seats that leave another one alone, and checks them out', () => {
    const zones = [aZone(0, { capacity: 20 })];
    const policy = { orphan_avoidance_strict: true };
    const board = aBoard({ seats: Array(20).fill(0), zones, pairs: [[2, 3]], policy });
    const stage = new Stage(board);
    stage.flush(hold('others', [0, 1, 7, 8, 9].map(seat)));
    // The second row has room for everybody who is not bound to the space.
    expect(stage.ask(hold('bob', [4, 5].map(seat)))).toMatchObject({ code: 'orphan_rule' });
    expect(stage.ask(hold('ann', [2, 3, 4, 5].map(seat)))).toMatchObject({
      kind: 'held',
      orphans: { labels: ['A-7'], reason: 'accessible_party' },
    });
    expect(stage.ask(start('ann'))).toMatchObject({ kind: 'checkout' });
    expect(stage.complaints).toEqual([]);
  });
});

describe('the companion seat of a wheelchair space', () => {
  it('is what best available adds for the one who has the space, and for nobody else', () => {
    const stage = aStage();
    stage.ask(hold('ann', [seat(2)]));
    expect(labelsOf(stage, 'bob', 5)).not.toContain('A-4');
    expect(labelsOf(stage, 'ann', 1)).toEqual(['A-4']);
    expect(stage.complaints).toEqual([]);
  });

  it('is checked out by the owner of a sold space, also when staff have blocked it since', () => {
    const stage = aStage();
    const { holds } = as(stage.ask(hold('ann', [seat(2)])), 'held');
    const hold_ids = holds.map(({ hold_id }) => hold_id);
    as(
      stage.ask({ kind: 'sell', hold_ids, method: 'cash', sold_by: 'staff', for_holder: true }),
      'sold',
    );
    as(stage.ask(hold('ann', [seat(3)])), 'held');
    as(stage.ask(block([2])), 'blocked');
    expect(stage.board.codeOf(2)).toBe(SEAT.blockedSold);
    as(stage.ask(start('ann')), 'checkout');
    expect(stage.complaints).toEqual([]);
  });

  it('is for the owner of a sold space that staff have blocked, and for nobody else', () => {
    const stage = aStage();
    const { holds } = as(stage.ask(hold('ann', [seat(2)])), 'held');
    const hold_ids = holds.map(({ hold_id }) => hold_id);
    as(
      stage.ask({ kind: 'sell', hold_ids, method: 'cash', sold_by: 'staff', for_holder: true }),
      'sold',
    );
    as(stage.ask(block([2])), 'blocked');
    expect(stage.board.free.standingOf(3)).toBe(STANDING.gone);
    expect(stage.ask(hold('bob', [seat(3)]))).toMatchObject({ code: 'companion_reserved' });
    as(stage.ask(hold('ann', [seat(3)])), 'held');
    as(stage.ask(start('ann')), 'checkout');
    // A space that is blocked and nobody's is nobody's way to its companion seat.
    const empty = aStage();
    as(empty.ask(block([2])), 'blocked');
    expect(empty.ask(hold('ann', [seat(3)]))).toMatchObject({ code: 'companion_reserved' });
    expect([...stage.complaints, ...empty.complaints]).toEqual([]);
  });

  it('is checked out by a caller whom staff hold it for, not by a buyer without its space', () => {
    const stage = aStage();
    as(stage.ask(hold('ann', [seat(3)], { made_by: 'staff' })), 'held');
    as(stage.ask(start('ann')), 'checkout');
    const other = aStage();
    const { holds } = as(other.ask(hold('bob', [seat(2), seat(3)])), 'held');
    const hold_ids = holds.flatMap(({ hold_id, ordinal }) => (ordinal === 2 ? [hold_id] : []));
    as(other.ask(release({ hold_ids }, 'bob', 'user_cancelled')), 'released');
    as(other.ask(hold('bob', [seat(6)], { made_by: 'staff' })), 'held');
    expect(other.ask(start('bob'))).toMatchObject({
      code: 'companion_reserved',
      items: [{ label: 'A-4' }],
    });
  });
});

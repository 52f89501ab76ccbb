import { describe, expect, it } from 'vitest';
import { aBoard, aZone, hold, seat } from './test-boards.ts';
import { start } from './test-checkouts.ts';
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
});

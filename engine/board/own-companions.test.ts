import { describe, expect, it } from 'vitest';
import { aBoard, aZone, hold, seat } from './test-boards.ts';
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

describe('the companion seat of a wheelchair space', () => {
  it('is what best available adds for the one who has the space, and for nobody else', () => {
    const stage = aStage();
    stage.ask(hold('ann', [seat(2)]));
    expect(labelsOf(stage, 'bob', 5)).not.toContain('A-4');
    expect(labelsOf(stage, 'ann', 1)).toEqual(['A-4']);
    expect(stage.complaints).toEqual([]);
  });
});

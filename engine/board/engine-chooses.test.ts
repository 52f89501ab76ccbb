import { expect, it } from 'vitest';
import { aBoard, aZone, hold, release } from './test-boards.ts';
import { ANN, as, start } from './test-checkouts.ts';
import { BEST } from './test-commands.ts';
import { Stage } from './test-stage.ts';

it('where the engine chooses, a refused choice names no seats that cannot be asked for', () => {
  const zones = [aZone(0, { capacity: 10 })];
  const policy = { orphan_avoidance_strict: true, prefer_clustering_over_selection: true };
  const stage = new Stage(aBoard({ seats: Array(10).fill(0), zones, policy }));
  const wish = hold(ANN, [], { best: { ...BEST, quantity: 2 } });
  const [first] = as(stage.ask(wish), 'held').holds;
  const given = { hold_ids: [first?.hold_id ?? ''] };
  as(stage.ask(release(given, ANN, 'user_cancelled')), 'released');
  expect(stage.ask(start())).toMatchObject({
    code: 'orphan_rule',
    message:
      'This choice would leave seat A-1 alone. ' +
      'Please give these seats back and ask for the best available.',
    details: { orphans: ['A-1'], alternatives: [] },
  });
  as(stage.ask(release({ user_id: ANN }, ANN, 'user_cancelled')), 'released');
  as(stage.ask(wish), 'held');
  as(stage.ask(start()), 'checkout');
});

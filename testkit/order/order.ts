/**
 * The order in which `npm test` begins its test files: those that take longest first, so that none
 * of them is left for the end, when the other workers have nothing to do any more. `npm test`
 * prints the times of a run.
 */
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By their time when the suite was measured last. */
export const LONGEST: readonly string[] = [
  'server/processes/start.test.ts',
  'web/app/buying.test.ts',
  'testkit/simulator/simulator.test.ts',
  'web/map/map.test.ts',
  'web/app/waiting.test.ts',
  'web/office/box-office.test.ts',
  'web/plans/layouts.test.ts',
  'web/organiser/wizard.test.ts',
  'web/organiser/organiser.test.ts',
  'faults/model/model.test.ts',
  'client/packing/package.test.ts',
  'server/processes/invariants.test.ts',
  'web/door/door.test.ts',
  'web/office/long-work.test.ts',
  'web/records/records.test.ts',
  'web/office/screens.test.ts',
  'faults/hammer/control.test.ts',
  'web/element/element.test.ts',
  'testkit/simulator/guards.test.ts',
  'server/embedded/embedded.test.ts',
  'server/routes/holds-codes.test.ts',
  'server/routes/access.test.ts',
  'server/processes/webhook-kill.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = new Map(LONGEST.map((file, index) => [join(process.cwd(), file), index]));
    const rank = ({ moduleId }: TestSpecification) => order.get(moduleId) ?? LONGEST.length;
    return files.sort(
      (one, other) => rank(one) - rank(other) || (one.moduleId < other.moduleId ? -1 : 1),
    );
  }
}

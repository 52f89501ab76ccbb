import type { SeatingPolicy } from '#policies';
import type { Invalid } from '#reading';
import { checkCompanions } from './check-companions.ts';
import { checkGroups } from './check-groups.ts';
import { checkNames, checkRows } from './check-names.ts';
import { checkOverlaps } from './check-overlaps.ts';
import { checkPolicy, checkZones } from './check-zones.ts';
import type { LayoutConfig } from './layout-config.ts';
import { LayoutProblems } from './layout-problems.ts';
import { readConfig } from './read-config.ts';

type LayoutCheck = Readonly<{ kind: 'valid'; config: LayoutConfig }> | Invalid;

/** Judges any JSON as a layout and reports everything that is wrong with it at once. */
export function validateLayout(config: unknown, policy: SeatingPolicy): LayoutCheck {
  const problems = new LayoutProblems();
  const draft = readConfig(config, problems);
  checkZones(draft, problems);
  checkPolicy(draft, policy, problems);
  const seats = checkNames(draft, problems);
  checkRows(draft, problems);
  checkCompanions(draft, seats, problems);
  checkGroups(draft, seats, problems);
  checkOverlaps(draft, problems);
  if (!problems.empty) return problems.invalid();
  return Object.freeze({ kind: 'valid', config: config as LayoutConfig });
}

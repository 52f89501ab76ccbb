import type { Problem, SeatingPolicy } from '#policies';
import { checkCompanions } from './check-companions.ts';
import { checkGroups } from './check-groups.ts';
import { checkNames, checkRows } from './check-names.ts';
import { checkOverlaps } from './check-overlaps.ts';
import { checkPolicy, checkZones } from './check-zones.ts';
import type { LayoutConfig } from './layout-config.ts';
import { ProblemList } from './problem-list.ts';
import { readConfig } from './read-config.ts';

export type LayoutCheck =
  | Readonly<{ kind: 'valid'; config: LayoutConfig }>
  | Readonly<{ kind: 'invalid'; problems: readonly Problem[] }>;

/** Judges any JSON as a layout and reports everything that is wrong with it at once. */
export function validateLayout(config: unknown, policy: SeatingPolicy): LayoutCheck {
  const problems = new ProblemList();
  const draft = readConfig(config, problems);
  checkZones(draft, problems);
  checkPolicy(draft, policy, problems);
  const seats = checkNames(draft, problems);
  checkRows(draft, problems);
  checkCompanions(draft, seats, problems);
  checkGroups(draft, seats, problems);
  checkOverlaps(draft, problems);
  if (!problems.empty) return Object.freeze({ kind: 'invalid', problems: problems.list() });
  return Object.freeze({ kind: 'valid', config: config as LayoutConfig });
}

import { isRole, ROLES } from '#accounts';
import type { ProblemList } from './problem-list.ts';

/** A role that nobody can have would close the zone to everybody, without a word. */
export function checkRoles(roles: readonly unknown[], path: string, problems: ProblemList): void {
  roles.forEach((role, index) => {
    const place = `${path}[${index}]`;
    if (typeof role !== 'string') problems.add(place, 'wrong_type', 'A role must be a text.');
    else if (!isRole(role)) {
      problems.add(place, 'unknown_value', `A role must be one of ${ROLES.join(', ')}.`);
    }
  });
}

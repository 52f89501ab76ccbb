import { type Problem, recordOf } from '#reading';
import {
  isPolicyFieldName,
  LOCKED_FIELDS,
  POLICY_FIELD_NAMES,
  POLICY_FIELDS,
  type PolicyFieldName,
  type SeatingPolicy,
} from './policy-fields.ts';
import { MOST_POLICY_PROBLEMS, readValue, sameValue, unknownField } from './policy-values.ts';

export type PolicyOutcome =
  | Readonly<{ kind: 'policy'; policy: SeatingPolicy }>
  | Readonly<{ kind: 'refused'; problems: readonly Problem[] }>;

/** The platform administrator sets locks and may change what is locked; an owner may do neither. */
export type PolicyAuthor = 'platform' | 'owner';

export const DEFAULT_POLICY: SeatingPolicy = freezePolicy({
  ...Object.fromEntries(POLICY_FIELD_NAMES.map((name) => [name, POLICY_FIELDS[name].default])),
  locked_fields: LOCKED_FIELDS.default,
});

/**
 * A stored policy. Fields that are younger than it have their default, and fields that are younger
 * than this code are left out, so that two versions can run side by side.
 */
export function readPolicy(stored: unknown): PolicyOutcome {
  const record = recordOf(stored);
  if (!record) return changePolicy(DEFAULT_POLICY, stored, 'platform');
  const names = [...POLICY_FIELD_NAMES, 'locked_fields'].filter((name) =>
    Object.hasOwn(record, name),
  );
  const known = Object.fromEntries(names.map((name) => [name, record[name]]));
  return changePolicy(DEFAULT_POLICY, known, 'platform');
}

/**
 * The policy after `changes`; what they do not name stays. A locked field may be repeated with the
 * value it has, so that an owner can send back the whole policy that was read.
 */
export function changePolicy(
  current: SeatingPolicy,
  changes: unknown,
  author: PolicyAuthor,
): PolicyOutcome {
  const locked = author === 'platform' ? [] : current.locked_fields;
  return applyFields(current, changes, (name, value) => {
    if (name === 'locked_fields') {
      if (author === 'platform' || sameValue(value, current.locked_fields)) return undefined;
      return lockedProblem(name, 'Only the platform administrator sets locked fields.');
    }
    if (!locked.includes(name) || sameValue(value, current[name])) return undefined;
    return lockedProblem(name, 'The platform administrator has locked this field.');
  });
}

/**
 * The policy of one event: the organization's, with the event's overrides. An override of a locked
 * field is refused whatever its value, because it would otherwise outlive a change of the lock's
 * value.
 */
export function effectivePolicy(organization: SeatingPolicy, overrides: unknown): PolicyOutcome {
  return applyFields(organization, overrides ?? {}, (name) => {
    if (name === 'locked_fields') {
      return lockedProblem(name, 'Only the platform administrator sets locked fields.');
    }
    if (organization.locked_fields.includes(name)) {
      return lockedProblem(name, 'The platform administrator has locked this field.');
    }
    if (POLICY_FIELDS[name].per_event) return undefined;
    const message = 'This holds for the whole organization and cannot be overridden for an event.';
    return { path: name, code: 'not_overridable', message };
  });
}

/**
 * Overrides that were legal when they were set, without those that have been locked since. A new
 * lock must reach events that already override the field instead of leaving them without any
 * policy.
 */
export function permittedOverrides(
  organization: SeatingPolicy,
  overrides: Readonly<Record<string, unknown>>,
): Readonly<{ kept: Readonly<Record<string, unknown>>; dropped: readonly string[] }> {
  const locked: readonly string[] = organization.locked_fields;
  const entries = Object.entries(overrides);
  return Object.freeze({
    kept: Object.freeze(Object.fromEntries(entries.filter(([name]) => !locked.includes(name)))),
    dropped: Object.freeze(Object.keys(overrides).filter((name) => locked.includes(name))),
  });
}

type Objection = (name: PolicyFieldName | 'locked_fields', value: unknown) => Problem | undefined;

function applyFields(base: SeatingPolicy, input: unknown, objection: Objection): PolicyOutcome {
  const record = recordOf(input);
  if (!record) {
    return refused([{ path: '', code: 'wrong_type', message: 'A policy must be an object.' }]);
  }
  const next: Record<string, unknown> = { ...base };
  const problems: Problem[] = [];
  for (const name of Object.keys(record)) {
    if (problems.length >= MOST_POLICY_PROBLEMS) break;
    if (name === 'kind' && record.kind === base.kind) continue;
    if (name !== 'locked_fields' && !isPolicyFieldName(name)) {
      problems.push(unknownField('', name));
      continue;
    }
    const field = name === 'locked_fields' ? LOCKED_FIELDS : POLICY_FIELDS[name];
    const reading = readValue(field, name, record[name]);
    const problem = 'problem' in reading ? reading.problem : objection(name, reading.value);
    if (problem) problems.push(problem);
    else if ('value' in reading) next[name] = reading.value;
  }
  if (problems.length > 0) return refused(problems);
  return Object.freeze({ kind: 'policy', policy: freezePolicy(next) });
}

function freezePolicy(values: Record<string, unknown>): SeatingPolicy {
  return Object.freeze({ ...values, kind: 'seating_policy' }) as SeatingPolicy;
}

function refused(problems: readonly Problem[]): PolicyOutcome {
  return Object.freeze({ kind: 'refused', problems: Object.freeze(problems) });
}

function lockedProblem(path: string, message: string): Problem {
  return { path, code: 'policy_locked', message };
}

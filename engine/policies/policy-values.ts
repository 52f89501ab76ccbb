import { fieldPath, type Problem } from '#reading';
import type { ChoicesField, NumberField, PolicyField } from './policy-fields.ts';

/** What became of one input value. */
type Reading = Readonly<{ value: unknown }> | Readonly<{ problem: Problem }>;

/** Reads one value of an input by its field's row in the table. */
export function readValue(field: PolicyField, path: string, input: unknown): Reading {
  if (field.kind === 'yes_no') {
    if (typeof input === 'boolean') return { value: input };
    return refusal(path, 'wrong_type', 'This must be true or false.');
  }
  if (field.kind === 'number') return readNumber(field, path, input);
  return readChoices(field, path, input);
}

function readNumber(field: NumberField<number | null>, path: string, input: unknown): Reading {
  if (input === null && field.nullable) return { value: null };
  if (typeof input !== 'number') {
    const or_null = field.nullable ? ' or null' : '';
    return refusal(path, 'wrong_type', `This must be a whole number${or_null}.`);
  }
  if (!Number.isInteger(input)) {
    return refusal(path, 'not_integer', 'This must be a whole number.');
  }
  if (field.outside === 'clamp') {
    return { value: Math.min(Math.max(input, field.least), field.most) };
  }
  if (input < field.least || input > field.most) {
    const sentence = `This must lie between ${field.least} and ${field.most}.`;
    return refusal(path, 'out_of_range', sentence);
  }
  return { value: input };
}

/** Kept in the table's order and without repeats, so that equal choices are equal values. */
function readChoices(field: ChoicesField<string>, path: string, input: unknown): Reading {
  if (!Array.isArray(input)) return refusal(path, 'wrong_type', 'This must be a list.');
  const strange = input.findIndex((entry) => !field.choices.includes(entry));
  if (strange >= 0) {
    const sentence = `This must be one of ${field.choices.join(', ')}.`;
    return refusal(`${path}[${strange}]`, 'unknown_value', sentence);
  }
  return { value: Object.freeze(field.choices.filter((choice) => input.includes(choice))) };
}

export function sameValue(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((entry, index) => entry === other[index]);
}

/** An input nobody needs would otherwise become a list as long as itself. */
export const MOST_POLICY_PROBLEMS = 100;

export function unknownField(path: string, name: string): Problem {
  return refusal(fieldPath(path, name), 'unknown_field', 'There is no such field.').problem;
}

function refusal(path: string, code: string, message: string): Readonly<{ problem: Problem }> {
  return { problem: Object.freeze({ path, code, message }) };
}

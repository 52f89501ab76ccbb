import { d } from '#desk-words';

/** A value of the policy as people say it. */
export function wordFor(value: unknown): string {
  if (value === true) return d().organiser.yes;
  if (value === false) return d().organiser.no;
  if (value === null || value === undefined) return d().organiser.noLimit;
  if (Array.isArray(value)) {
    return value.length === 0 ? d().common.none : value.map(choiceWord).join(', ');
  }
  return String(value);
}

export function choiceWord(choice: string): string {
  const { choices, categories } = d().plans;
  return { ...choices, ...categories }[choice as keyof typeof choices] ?? choice;
}

import { isFailure } from '@voelgoed/client/client';
import { d } from '#desk-words';
import { type RuleDetails, sentenceOfRule } from '#words';
import { type Problem, problemsOf } from './problems.ts';

/** Why something failed, as staff read it. */
export function reasonOf(error: unknown): string {
  if (!isFailure(error)) return d().errors.internal;
  const [first, ...others] = problemsOf(error);
  if (first && others.length === 0) return sentenceOfProblem(first);
  return sentenceOfRule(d().rules, error.details as RuleDetails) ?? d().errors[error.code];
}

/** One thing that was not accepted: the field by its name on the screen, and what to change. */
export function sentenceOfProblem({ path, code = '', message }: Problem): string {
  const { problems } = d();
  if (message === 'must be a public https address') return problems.httpsOnly;
  const said = problems.saying(message) ?? (problems.isKind(code) ? null : message);
  // A message about places in a file means nothing on a screen: what kind it is does.
  if (said === null || (said.includes('[') && problems.isKind(code))) return problems.kind(code, 1);
  const field = fieldIn(path, message);
  if (field === '' || PLACES.test(message)) return said;
  return problems.field(problems.fieldOf(field), said);
}

const PLACES = /places, but the venue/;

/** `body/prices/0/price_cents` and `zones[2].name` are about the last name in them. */
export function fieldIn(path: string, message = ''): string {
  const missing = /required property '(\w+)'/.exec(message)?.[1];
  if (missing) return missing;
  const names = path.split(/[/.[\]]+/).filter((part) => part !== '' && !/^\d+$/.test(part));
  const last = names.at(-1) ?? '';
  return last === 'body' || last === 'querystring' ? '' : last;
}

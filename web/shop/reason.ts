import { isFailure } from '@voelgoed/client/client';
import { type RuleDetails, sentenceOfRule, t } from '#words';

/** A sentence for whatever went wrong. A bug is not explained away: it is said that it is one. */
export function reasonOf(error: unknown): string {
  const { errors } = t();
  if (!isFailure(error)) return errors.internal;
  return sentenceOfRule(t(), error.details as RuleDetails) ?? errors[error.code];
}

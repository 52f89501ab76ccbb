import { isFailure } from '@voelgoed/client/client';
import { t } from '#words';
import { sentenceOfRule, type Told } from './rule-words.ts';

/** A sentence for whatever went wrong. A bug is not explained away: it is said that it is one. */
export function reasonOf(error: unknown): string {
  const { errors } = t();
  if (!isFailure(error)) return errors.internal;
  return sentenceOfRule(t(), error.details as Told) ?? errors[error.code];
}

import { isFailure } from '@voelgoed/client/client';
import { t } from '#words';

/** A sentence for whatever went wrong. A bug is not explained away: it is said that it is one. */
export function reasonOf(error: unknown): string {
  return t().errors[isFailure(error) ? error.code : 'internal'];
}

import { ERRORS, type ErrorCode } from '@voelgoed/client/wire';
import type { TSchema } from 'typebox';

/** For the schema of a route that needs a credential. */
export const WITH_CREDENTIAL = { security: [{ bearer: [] }] };

/** What every route may answer, besides its own. */
const ALWAYS: readonly ErrorCode[] = ['internal', 'overloaded', 'unavailable'];
/** Every route that reads something or somebody. */
const COMMON: readonly ErrorCode[] = ['invalid_request', 'unauthorized', 'forbidden'];

/** The replies of a route: what success looks like, and every code that it may refuse with. */
export function replies<const Success extends Record<number, TSchema>>(
  success: Success,
  codes: readonly ErrorCode[] = COMMON,
): Success {
  return { ...success, ...errorReplies([...codes, ...ALWAYS]) };
}

/** The same for routes behind a credential, with codes of their own. */
export function repliesOr<const Success extends Record<number, TSchema>>(
  success: Success,
  ...codes: readonly ErrorCode[]
): Success {
  return replies(success, [...COMMON, ...codes]);
}

/** One entry per status that names the codes that come with it. */
function errorReplies(codes: readonly ErrorCode[]): Record<number, object> {
  const byStatus = new Map<number, Set<ErrorCode>>();
  for (const code of codes) {
    const status = ERRORS[code];
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      { description: [...names].sort().join(', '), $ref: 'Error#' },
    ]),
  );
}

import { ERRORS, type ErrorCode } from '@voelgoed/client/wire';
import type { FastifyInstance } from 'fastify';
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

/** Every route that takes a body can be sent one that is too large, whether it says so or not. */
export function describeTooLarge(http: FastifyInstance): void {
  http.addHook('onRoute', ({ schema }) => {
    const response = schema?.response as Record<number, object> | undefined;
    if (schema?.body && response && !(413 in response)) {
      schema.response = { ...response, ...errorReplies(['body_too_large']) };
    }
  });
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

import { Type } from 'typebox';

/** Every code that an answer may carry, with its HTTP status. Clients decide by the code. */
export const ERRORS = {
  invalid_request: 400,
  not_found: 404,
  body_too_large: 413,
  internal: 500,
  overloaded: 503,
  event_busy: 503,
  outcome_unknown: 503,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERRORS;

export const ErrorReply = Type.Object(
  {
    error: Type.String({ description: 'A code that programs decide by' }),
    message: Type.String({ description: 'A sentence for people' }),
    details: Type.Record(Type.String(), Type.Unknown(), { description: 'Depends on the code' }),
    request_id: Type.String({ description: 'Names this request in the logs' }),
  },
  { $id: 'Error', additionalProperties: false },
);

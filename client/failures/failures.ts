/**
 * Failures: every way in which a call can end other than well, as one class whose `code` tells
 * which, and whose `details` have the type that belongs to the code. It knows codes and details;
 * it knows no request and no retry.
 */
import type { DetailsOf, FailureCode } from './details.ts';

export type { DetailsOf, FailureCode, RefusedSeat, RefusedZone } from './details.ts';

export type FailureFacts = Readonly<{
  message: string;
  details: object;
  /** Of the answer; 0 when there was none. */
  status: number;
  /** Names the request in the server's logs. */
  request_id: string | null;
  /** How long the server asks to wait. */
  retry_after_ms: number | null;
  /** `GET /api/events/:event_id`. */
  route: string;
  /** How often it was tried. */
  attempts: number;
  cause?: unknown;
}>;

export class SeatingError<Code extends FailureCode = FailureCode> extends Error {
  override readonly name = 'SeatingError';
  readonly code: Code;
  readonly details: DetailsOf<Code>;
  readonly status: number;
  readonly request_id: string | null;
  readonly retry_after_ms: number | null;
  readonly route: string;
  readonly attempts: number;

  constructor(code: Code, facts: FailureFacts) {
    super(facts.message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.code = code;
    this.details = facts.details as DetailsOf<Code>;
    this.status = facts.status;
    this.request_id = facts.request_id;
    this.retry_after_ms = facts.retry_after_ms;
    this.route = facts.route;
    this.attempts = facts.attempts;
  }
}

/** Any failure: `code` tells which, and narrows `details`. */
export type Failure = { [Code in FailureCode]: SeatingError<Code> }[FailureCode];

/** Is it a failure of a call, and if codes are given: one of these? */
export function isFailure(error: unknown): error is Failure;
export function isFailure<const Code extends FailureCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is Extract<Failure, { code: Code }>;
export function isFailure(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof SeatingError && (codes.length === 0 || codes.includes(error.code));
}

/** What became of a call, for those who would rather look than catch. */
export type Outcome<Answer> =
  | Readonly<{ ok: true; answer: Answer }>
  | Readonly<{ ok: false; failure: Failure }>;

/** Waits for a call and tells how it ended. Only bugs are still thrown. */
export async function outcomeOf<Answer>(call: Promise<Answer>): Promise<Outcome<Answer>> {
  try {
    return { ok: true, answer: await call };
  } catch (error) {
    if (isFailure(error)) return { ok: false, failure: error };
    throw error;
  }
}

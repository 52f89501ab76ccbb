import { statement } from '#postgres';

/** For the rest of the transaction: a short list that says so is better than a long wait. */
export const limitTime = statement<object, [milliseconds: string]>(
  'limits.set_time',
  `select set_config('statement_timeout', $1, true)`,
);

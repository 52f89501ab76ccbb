/**
 * The kit: what every room needs and what would make sense without seats. Time, randomness and ids
 * come from here and are handed in, so that tests are deterministic. It knows nothing of the
 * domain, opens no connection and reads no environment. Every room may call it.
 */
export { backoff } from './backoff.ts';
export { forgetOldest } from './bounded.ts';
export { type Clock, manualClock, nextTurn, systemClock, type Timers } from './clock.ts';
export { assert, isOperatingError, OperatingError, reasonOf } from './errors.ts';
export { Gathering } from './gathering.ts';
export { firstIdAt, isUuid, LAST_ID, NIL_ID, uuidOf, uuidText, uuidv7 } from './ids.ts';
export { canonicalJson } from './json.ts';
export { type Networks, networksOf } from './networks.ts';
export { type Random, seededRandom, systemRandom } from './random.ts';
export { Semaphore } from './semaphore.ts';
export { SharedCalls } from './shared-calls.ts';
export { finish, inTurns, type Steps } from './steps.ts';
export { type BucketRate, retryAfter_s, type Taken, TokenBuckets } from './token-bucket.ts';

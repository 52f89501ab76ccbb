/**
 * Client: what a platform's developer gets: every route as a method, failures with types, the
 * server's time, and events that can be followed. It puts the other rooms together and is what the
 * published package exports. It runs in browsers and in Node 20 and later, and needs nothing else.
 */
export type { Countdown, CountdownListener, CountdownOptions, Moment, ServerClock } from '#clock';
/** @public */
export {
  type DetailsOf,
  type Failure,
  type FailureCode,
  isFailure,
  type Outcome,
  outcomeOf,
  type RefusedSeat,
  type RefusedZone,
  SeatingError,
} from '#failures';
/** @public */
export { type Fetch, type Host, systemHost } from '#host';
/** @public */
export {
  type Following,
  type FollowOptions,
  type LiveEvent,
  type LiveListener,
  LiveMap,
  type LiveStatus,
  type LiveZone,
  type OwnHold,
  seatBytes,
  stateAt,
} from '#live';
export type { AnswerOf, InputOf, Route, Routes } from '#routes';
export type * from '#shapes';
/** @public */
export {
  type CallOptions,
  type Observation,
  type RetryOptions,
  type TokenGiver,
  type TokenReason,
  wholeList,
} from '#transport';
/** @public */
export { type SignedMessage, signWebhook, verifyWebhook } from '#webhooks';
export { createClient, type SeatingClient, type SeatingOptions } from './create-client.ts';

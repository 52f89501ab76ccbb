/**
 * Transport: one call, from the wish to the answer or the failure. It knows addresses, tokens, time
 * limits, keys and when it is safe and sensible to try again; it knows no route and no shape.
 */
export type { RetryOptions } from './budget.ts';
export {
  type Asked,
  type CallOptions,
  type Input,
  type Observation,
  Transport,
  type TransportOptions,
} from './calls.ts';
export { wholeList } from './pages.ts';
export type { TokenGiver, TokenReason } from './tokens.ts';

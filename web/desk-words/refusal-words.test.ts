import { ERRORS } from '@voelgoed/client/wire';
import { expect, it } from 'vitest';
import { DASHBOARD_AF } from './dashboard-af.ts';
import { DASHBOARD_EN } from './dashboard-en.ts';

/** Answers to requests that hold, buy or pay for nothing: they are not in the list of refusals. */
const ELSEWHERE = new Set([
  'invalid_request',
  'mixed_events',
  'layout_invalid',
  'unauthorized',
  'signature_invalid',
  'not_found',
  'policy_locked',
  'version_immutable',
  'layout_in_use',
  'webhook_limit_reached',
  'body_too_large',
  'idempotency_key_reused',
  'amount_mismatch',
  'provider_mismatch',
  'internal',
]);

it('every code by which something is refused to a buyer is said in words', () => {
  const codes = Object.keys(ERRORS).filter((code) => !ELSEWHERE.has(code));
  for (const words of [DASHBOARD_EN, DASHBOARD_AF]) {
    expect(codes.filter((code) => !words.refusedFor[code])).toEqual([]);
  }
});

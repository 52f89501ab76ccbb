import { SeatingError } from '@voelgoed/client/client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

/** Nothing is drawn here: what is kept for drawing is a value like any other. */
beforeAll(() => {
  const keep = <Value>(value: Value) => value;
  vi.stubGlobal('$state', Object.assign(keep, { raw: keep }));
});
afterAll(() => void vi.unstubAllGlobals());

function alone(labels: readonly string[]): SeatingError {
  const alternatives = labels.map((label) => ({ seats: [{ seat_id: label, label }] }));
  return new SeatingError('orphan_rule', {
    message: 'A seat would be alone.',
    details: { orphans: ['F-1'], alternatives },
    status: 409,
    request_id: null,
    retry_after_ms: null,
    route: 'POST /api/checkouts/:id/pay',
    attempts: 1,
  });
}

it('a checkout promises other choices only where there are some', async () => {
  const { refusalOf } = await import('./refusals.ts');
  const first = 'You have given something back, and what is left would leave seat F-1 alone. ';
  expect(refusalOf(alone(['F-2']))).toBe(
    `${first}Go back to the seats and to checkout again: other choices are shown there.`,
  );
  expect(refusalOf(alone([]))).toBe(
    `${first}Go back to the seats, give these back too, and let us find others.`,
  );
});

import { control, type Off } from '@voelgoed/testkit/controls';
import { describe, expect, it } from 'vitest';
import type { Checkout } from '#checkouts';
import { type BoardState, type Change, Draft } from './board.ts';
import { aBoard, hold, MINUTE_MS, release, seat } from './test-boards.ts';
import { ANN, as, BOB, code, pay, said, start } from './test-checkouts.ts';
import { Stage } from './test-stage.ts';

/** Does not see that somebody is paying, and keeps nothing for it. */
class UnawareDraft extends Draft {
  override checkoutOf(checkoutId: string): Checkout | undefined {
    const found = super.checkoutOf(checkoutId);
    return found?.status === 'paying' ? { ...found, status: 'started' } : found;
  }

  override record(...changes: readonly Change[]): void {
    super.record(
      ...changes.map((one) => (one.kind === 'payment_begun' ? { ...one, deadline_ms: 0 } : one)),
    );
  }
}

/** Takes the first attempt for the one that the buyer is at. */
class ConfusedDraft extends Draft {
  override checkoutOf(checkoutId: string): Checkout | undefined {
    const found = super.checkoutOf(checkoutId);
    return found && { ...found, attempts: found.attempts.toReversed() };
  }
}

/** Ann at the till, five minutes after she came to it. */
function anAtTheTill(Kind: new (below: BoardState, at_ms: number) => Draft) {
  const parts = { isOn: false };
  const stage = new Stage(aBoard(), {
    draft: (below, at_ms) => (parts.isOn ? new Kind(below, at_ms) : new Draft(below, at_ms)),
  });
  const { holds } = as(stage.ask(hold(ANN, [seat(0), seat(1)])), 'held');
  const { checkout } = as(stage.ask(start()), 'checkout');
  stage.now_ms += 5 * MINUTE_MS;
  const { checkout_id } = checkout;
  const hold_ids = holds.map(({ hold_id }) => hold_id);
  return { stage, parts, checkout_id, hold_ids, pays: () => stage.ask(pay(checkout_id)) };
}

type Till = ReturnType<typeof anAtTheTill>;

/** While Ann pays, and before the deadline that she was told, something happens to her seats. */
function paidInTime(off: Off, meanwhile: (till: Till) => void): string[] {
  const till = anAtTheTill(UnawareDraft);
  const { stage, parts, checkout_id } = till;
  parts.isOn = off.has('paying not reapable');
  const begun = as(till.pays(), 'payment_begun');
  meanwhile(till);
  expect(stage.now_ms).toBeLessThan(begun.deadline_ms);
  parts.isOn = false;
  stage.ask(said('payment.succeeded', begun));
  const isSeated = stage.checkouts.get(checkout_id)?.status === 'completed';
  return isSeated ? [] : ['paid in time, and not seated'];
}

const givenBack = ({ stage, hold_ids }: Till) => {
  stage.ask(release({ hold_ids }, ANN, 'user_cancelled'));
};

/** The hold by itself would be over by now, and somebody else is quick. */
const outlived = ({ stage }: Till) => {
  stage.now_ms += 12 * MINUTE_MS;
  stage.ask(hold(BOB, [seat(0)]));
};

/** A first card takes long; a second one is being tried when the first is declined. */
function oldDecline(off: Off): string[] {
  const { stage, parts, checkout_id, pays } = anAtTheTill(ConfusedDraft);
  const first = as(pays(), 'payment_begun');
  const second = as(pays(), 'payment_begun');
  parts.isOn = off.has('attempt check');
  stage.ask(said('payment.failed', first));
  parts.isOn = false;
  const { status } = stage.board.checkoutOf(checkout_id) ?? {};
  const harm = status === 'paying' ? [] : ['an old decline has stopped a payment'];
  expect(code(stage.ask(said('payment.succeeded', second)))).toBe('payment_message');
  return [...harm, ...stage.complaints];
}

describe('who is paying', () => {
  control('paying not reapable', (off) => paidInTime(off, outlived));
  control('attempt check', oldDecline);

  it('loses the seats to a release as well, when nobody sees that somebody is paying', () => {
    expect(paidInTime(new Set(), givenBack)).toEqual([]);
    const off = new Set(['paying not reapable'] as const);
    expect(paidInTime(off, givenBack)).toEqual(['paid in time, and not seated']);
  });
});

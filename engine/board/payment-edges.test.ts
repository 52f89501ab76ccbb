import { describe, expect, it } from 'vitest';
import { SEAT } from './board-state.ts';
import type { Command } from './commands.ts';
import { TASK_PIECE } from './tasks.ts';
import { aBoard, aZone, block, hold, MINUTE_MS, release, seat, seatId } from './test-boards.ts';
import {
  ANN,
  aCheckout,
  as,
  BOB,
  cancel,
  code,
  pay,
  paying,
  said,
  start,
} from './test-checkouts.ts';
import { Stage } from './test-stage.ts';

const step = (wanted: 'open' | 'end' | 'cancel'): Command => {
  return { kind: 'change_event_state', step: wanted, reason: null };
};

/** Reasons of all refunds that a stage has recorded. */
const owed = (stage: Stage) =>
  stage.rows.flatMap(({ changes }) =>
    changes.flatMap((one) => (one.kind === 'refund_due' ? [one.reason] : [])),
  );

/** What became of attempts, in the order in which it was recorded. */
const attempts = (stage: Stage) =>
  stage.rows.flatMap(({ changes }) =>
    changes.flatMap((one) => (one.kind === 'attempt' ? [one.status] : [])),
  );

describe('a payment is begun', () => {
  it('also when the sale has closed meanwhile, but not for a suspended organization', () => {
    const { stage, checkout_id } = aCheckout();
    const { event } = stage.board.config;
    const closed = { ...event, sale_closes_ms: stage.now_ms - 1 };
    stage.board.setConfig({ ...stage.board.config, event: closed });
    expect(code(stage.ask(pay(checkout_id)))).toBe('payment_begun');
    const facts = { organizationActive: true };
    const other = new Stage(aBoard(), { facts });
    as(other.ask(hold(ANN, [seat(0)])), 'held');
    const { checkout } = as(other.ask(start()), 'checkout');
    facts.organizationActive = false;
    expect(other.ask(pay(checkout.checkout_id))).toMatchObject({
      code: 'event_not_available',
      details: { status: 'published' },
    });
  });

  it('not for a seat that staff have closed and the work has not reached', () => {
    const seats = Array<number>(3 * TASK_PIECE).fill(0);
    const { stage, checkout_id } = aCheckout({ seats, zones: [aZone(0)] });
    stage.ask(block([...seats.keys()].reverse()));
    expect([stage.board.isClosing(0), stage.board.codeOf(0)]).toEqual([true, SEAT.held]);
    expect(stage.ask(pay(checkout_id))).toMatchObject({
      code: 'seat_not_available',
      items: [{ label: 'A-1' }, { label: 'A-2' }],
    });
  });

  it('no more when half an hour is over since the first attempt', () => {
    const { stage, checkout_id, begun } = paying({ policy: { payment_grace_minutes: 15 } });
    stage.now_ms += 14 * MINUTE_MS;
    stage.ask(said('payment.failed', begun));
    stage.now_ms += 14 * MINUTE_MS;
    const second = as(stage.ask(pay(checkout_id)), 'payment_begun');
    expect(second.deadline_ms).toBe(stage.now_ms + 2 * MINUTE_MS);
    stage.now_ms += MINUTE_MS;
    stage.ask(said('payment.failed', second));
    stage.now_ms += MINUTE_MS - 1;
    expect(as(stage.ask(pay(checkout_id)), 'payment_begun').deadline_ms).toBe(stage.now_ms + 1);
    const late = aLateDecline();
    expect(late.stage.ask(pay(late.checkout_id))).toMatchObject({
      code: 'checkout_closed',
      details: { status: 'started', attempts: 2 },
    });
  });

  /** Two attempts were declined, and exactly half an hour is over since the first. */
  function aLateDecline() {
    const one = paying({ policy: { payment_grace_minutes: 15 } });
    one.stage.now_ms += 14 * MINUTE_MS;
    one.stage.ask(said('payment.failed', one.begun));
    one.stage.now_ms += 14 * MINUTE_MS;
    const second = as(one.stage.ask(pay(one.checkout_id)), 'payment_begun');
    one.stage.ask(said('payment.failed', second));
    one.stage.now_ms += 2 * MINUTE_MS;
    return one;
  }

  it('by its owner, and not in the flush that has closed the checkout', () => {
    const { stage, checkout_id } = aCheckout();
    expect(code(stage.ask(pay(checkout_id, BOB)))).toBe('checkout_not_found');
    expect(code(stage.ask(pay('none')))).toBe('checkout_not_found');
    expect(stage.flush(cancel(checkout_id), pay(checkout_id)).map(code)).toEqual([
      'checkout_cancelled',
      'again',
    ]);
    expect(stage.ask(pay(checkout_id))).toMatchObject({
      code: 'checkout_closed',
      details: { status: 'cancelled' },
    });
  });
});

describe('a success', () => {
  it('after another has completed the checkout is owed as paid twice', () => {
    const { stage, checkout_id, begun } = paying();
    const second = as(stage.ask(pay(checkout_id)), 'payment_begun');
    stage.ask(said('payment.succeeded', second));
    stage.ask(said('payment.succeeded', begun));
    expect(owed(stage)).toEqual(['paid_twice']);
    expect(attempts(stage)).toEqual(['succeeded', 'refund_due']);
  });

  it('of a checkout that was cancelled is owed, also when the seats are free', () => {
    const { stage, checkout_id, begun } = paying();
    stage.ask(said('payment.failed', begun));
    as(stage.ask(cancel(checkout_id)), 'checkout_cancelled');
    expect(stage.ask(said('payment.succeeded', begun))).toMatchObject({
      outcome: 'refund_due',
      status: 'cancelled',
    });
    expect(owed(stage)).toEqual(['checkout_cancelled']);
    expect(stage.board.codeOf(0)).toBe(SEAT.available);
  });

  it('of a checkout that has failed gets the seats when they are free', () => {
    const { stage, checkout_id, begun } = paying({ policy: { payment_grace_minutes: 0 } });
    stage.ask(said('payment.failed', begun));
    expect(stage.checkouts.get(checkout_id)?.status).toBe('failed');
    expect(stage.ask(said('payment.succeeded', begun))).toMatchObject({ outcome: 'completed' });
    expect(attempts(stage)).toEqual(['failed', 'succeeded']);
    expect(stage.board.codeOf(0)).toBe(SEAT.sold);
  });

  it('of a checkout that is over and whose seats are gone is owed for that', () => {
    const { stage, begun } = paying();
    stage.now_ms += 16 * MINUTE_MS;
    stage.ask(hold(BOB, [seat(0)]));
    stage.ask(said('payment.succeeded', begun));
    expect(owed(stage)).toEqual(['seats_gone']);
  });

  it('for a seat that the plan does not have any more is owed', () => {
    const { stage, checkout_id, begun } = paying();
    stage.now_ms += 16 * MINUTE_MS;
    stage.flush();
    const known = stage.checkouts.get(checkout_id);
    if (!known) throw new Error('what was abandoned is known');
    const items = known.items.map((item) => ({ ...item, seat_id: seatId(99) }));
    stage.checkouts.set(checkout_id, { ...known, items });
    expect(stage.ask(said('payment.succeeded', begun))).toMatchObject({ outcome: 'refund_due' });
    expect(owed(stage)).toEqual(['seats_gone']);
  });

  it('of a cancelled event is owed for that, once the checkout is over too', () => {
    const { stage, begun } = paying();
    stage.ask(step('cancel'));
    stage.now_ms += 16 * MINUTE_MS;
    stage.settle();
    expect(stage.ask(said('payment.succeeded', begun))).toMatchObject({ outcome: 'refund_due' });
    expect(owed(stage)).toEqual(['event_cancelled']);
  });

  it('of a wrong amount ends the checkout where the policy gives no time, marked once', () => {
    const { stage, begun } = paying({ policy: { payment_grace_minutes: 0 } });
    expect(stage.ask(said('payment.succeeded', begun, { amount_cents: 1 }))).toMatchObject({
      outcome: 'amount_mismatch',
      status: 'failed',
    });
    expect(attempts(stage)).toEqual(['refund_due']);
    expect(owed(stage)).toEqual(['amount_mismatch']);
    expect(stage.board.codeOf(0)).toBe(SEAT.available);
  });

  it('of a wrong amount for an older attempt leaves the current one alone', () => {
    const { stage, checkout_id, begun } = paying();
    as(stage.ask(pay(checkout_id)), 'payment_begun');
    expect(stage.ask(said('payment.succeeded', begun, { amount_cents: 1 }))).toMatchObject({
      outcome: 'amount_mismatch',
      status: 'paying',
    });
    expect(stage.ask(said('payment.succeeded', begun))).toMatchObject({ outcome: 'ignored' });
  });
});

describe('what the log says of a sale', () => {
  const sold = (stage: Stage) =>
    stage.rows.flatMap(({ changes }) => changes.filter((one) => one.kind === 'sold'));

  it('is how it was paid for, by which attempt, and what became of the holds', () => {
    const { stage, checkout_id, hold_ids, begun } = paying();
    stage.ask(said('payment.succeeded', begun));
    const { attempt_id } = begun;
    const about = { checkout_id, user_id: ANN, currency: 'ZAR', sold_by: null };
    expect(sold(stage)).toMatchObject([
      {
        ...{ ...about, method: 'payment', attempt_id, holds: hold_ids },
        tickets: hold_ids.map((hold_id, ordinal) => {
          return { hold_id, ordinal, zone: 0, price_cents: 1_000 };
        }),
      },
    ]);
  });

  it('is the same for money that came late, whose holds are over', () => {
    const { stage, checkout_id, hold_ids, begun } = paying();
    stage.now_ms += 16 * MINUTE_MS;
    stage.ask(hold(ANN, [seat(1)]));
    const own = stage.board.holdOfSeat(1)?.hold_id;
    stage.ask(said('payment.succeeded', begun));
    const { attempt_id } = begun;
    expect(sold(stage)).toMatchObject([
      {
        ...{ checkout_id, method: 'payment', attempt_id, sold_by: null, holds: [own] },
        tickets: hold_ids.map((hold_id, ordinal) => ({ hold_id, ordinal, zone: 0 })),
      },
    ]);
  });

  it('is that nothing had to be paid', () => {
    const zones = aBoard().config.zones.map((zone) => ({ ...zone, price_cents: 0 }));
    const { stage, checkout_id } = aCheckout({ zones });
    const outcome = as(stage.ask(pay(checkout_id)), 'sold');
    expect(outcome).toMatchObject({ checkout_id, total_cents: 0, currency: 'ZAR' });
    expect(outcome.tickets.map(({ place }) => place.seat?.label)).toEqual(['A-1', 'A-2']);
    expect(sold(stage)).toMatchObject([{ method: 'free', attempt_id: null, sold_by: null }]);
  });
});

describe('a decline', () => {
  it('of an older attempt is kept with it, and the second word about it ignored', () => {
    const { stage, checkout_id, begun } = paying();
    as(stage.ask(pay(checkout_id)), 'payment_begun');
    stage.ask(said('payment.failed', begun));
    expect(attempts(stage)).toEqual(['failed']);
    stage.ask(said('payment.failed', begun));
    expect(attempts(stage)).toEqual(['failed']);
    expect(stage.board.checkoutOf(checkout_id)?.attempts.map(({ status }) => status)).toEqual([
      'failed',
      'pending',
    ]);
  });

  it('that comes when the checkout is over is kept with its attempt, like a wrong amount', () => {
    for (const [type, wanted, outcome, status] of [
      ['payment.failed', {}, 'ignored', 'failed'],
      ['payment.succeeded', { amount_cents: 1 }, 'amount_mismatch', 'refund_due'],
    ] as const) {
      const { stage, begun } = paying();
      stage.now_ms += 16 * MINUTE_MS;
      stage.flush();
      const heard = stage.ask(said(type, begun, wanted));
      expect(heard).toMatchObject({ outcome, status: 'abandoned' });
      expect(attempts(stage)).toEqual([status]);
    }
  });

  it('where the policy gives no time is kept as failed', () => {
    const { stage, checkout_id, begun } = paying({ policy: { payment_grace_minutes: 0 } });
    expect(stage.ask(said('payment.failed', begun))).toMatchObject({
      outcome: 'declined',
      status: 'failed',
    });
    expect(stage.checkouts.get(checkout_id)).toMatchObject({
      status: 'failed',
      attempts: [{ status: 'failed' }],
    });
    expect(stage.rows.at(-1)?.changes).toContainEqual(
      expect.objectContaining({ kind: 'ended', reason: 'payment_failed' }),
    );
  });

  it('after the event was cancelled gives everything back at once', () => {
    const { stage, begun } = paying();
    stage.ask(step('cancel'));
    expect(stage.ask(said('payment.failed', begun))).toMatchObject({
      outcome: 'declined',
      status: 'cancelled',
    });
    expect(stage.board.codeOf(0)).toBe(SEAT.available);
    expect(stage.rows.at(-1)?.changes).toContainEqual(
      expect.objectContaining({ kind: 'ended', reason: 'event_cancelled' }),
    );
    expect(stage.complaints).toEqual([]);
  });
});

describe('money that was given back', () => {
  const refund = (begun: { checkout_id: string; attempt_id: string }, amount_cents: number) =>
    said('payment.refunded', begun, { amount_cents });
  const refunded = (stage: Stage) =>
    stage.rows.flatMap(({ changes }) =>
      changes.flatMap((one) => (one.kind === 'refunded' ? [one.amount_cents] : [])),
    );

  it('in part leaves the payment what it is, and is recorded', () => {
    const { stage, begun } = paying();
    stage.ask(said('payment.succeeded', begun));
    expect(stage.ask(refund(begun, 1_999))).toMatchObject({
      outcome: 'refunded',
      status: 'completed',
    });
    expect([attempts(stage), refunded(stage)]).toEqual([['succeeded'], [1_999]]);
  });

  it('as a whole marks the payment, and a second word about it is ignored', () => {
    const { stage, checkout_id, begun } = paying();
    stage.ask(said('payment.succeeded', begun));
    stage.ask(refund(begun, 2_000));
    expect(attempts(stage)).toEqual(['succeeded', 'refunded']);
    expect(stage.checkouts.get(checkout_id)?.attempts).toMatchObject([{ status: 'refunded' }]);
    expect(stage.ask(refund(begun, 2_000))).toMatchObject({ outcome: 'ignored' });
    expect(refunded(stage)).toEqual([2_000]);
  });

  it('before it was known to be taken marks the payment, whatever the amount', () => {
    const { stage, begun } = paying();
    stage.ask(refund(begun, 1));
    expect(attempts(stage)).toEqual(['refunded']);
  });
});

describe('a message', () => {
  it('about an attempt that the checkout does not have is refused', () => {
    const { stage, begun } = paying();
    const none = said('payment.succeeded', { ...begun, attempt_id: 'none' });
    expect(code(stage.ask(none))).toBe('checkout_not_found');
    const nowhere = said('payment.succeeded', { ...begun, checkout_id: 'none' });
    expect(code(stage.ask(nowhere))).toBe('checkout_not_found');
  });

  it('of another type under a known name is refused', () => {
    const { stage, begun } = paying();
    const message_id = 'once';
    const first = stage.ask(said('payment.failed', begun, { message_id }));
    expect(first).toMatchObject({ outcome: 'declined', repeated: false });
    const other = said('payment.succeeded', begun, { message_id });
    expect(code(stage.ask(other))).toBe('message_reused');
    expect(stage.ask(said('payment.failed', begun, { message_id }))).toMatchObject({
      outcome: 'declined',
      repeated: true,
    });
  });

  it('waits for the flush that has released what it is about', () => {
    const { stage, begun, hold_ids } = paying();
    const forced = { ...release({ hold_ids }), force: true } as Command;
    expect(stage.flush(forced, said('payment.succeeded', begun)).map(code)).toEqual([
      'released',
      'again',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { SEAT } from './board-state.ts';
import { TASK_PIECE } from './tasks.ts';
import { aBoard, aZone, type BoardWish, block, hold, MINUTE_MS, places } from './test-boards.ts';
import { ANN, aCheckout, as, BOB, code, pay, paying, said, start } from './test-checkouts.ts';
import { Stage } from './test-stage.ts';

const PIT = 2;
const step = (wanted: 'open' | 'end' | 'postpone') =>
  ({ kind: 'change_event_state', step: wanted, reason: null }) as const;

/** Until the deadline has passed and the holds are over. */
function letEnd(stage: Stage, checkout_id: string): void {
  stage.now_ms += 16 * MINUTE_MS;
  stage.flush();
  expect(stage.checkouts.get(checkout_id)?.status).toBe('abandoned');
}

/** Ann pays for places of a pit of eight, and her time is over. */
function latePlaces(quantity: number, wish: BoardWish = {}) {
  const stage = new Stage(aBoard(wish));
  stage.ask(hold(ANN, [places(PIT, quantity)]));
  const { checkout } = as(stage.ask(start()), 'checkout');
  const begun = as(stage.ask(pay(checkout.checkout_id)), 'payment_begun');
  letEnd(stage, checkout.checkout_id);
  const { amount_cents } = begun;
  return { stage, succeed: () => stage.ask(said('payment.succeeded', begun, { amount_cents })) };
}

describe('money for places that comes late', () => {
  it('gets them when there is room for all, and none of them when there is not', () => {
    const enough = latePlaces(3);
    enough.stage.ask(hold(BOB, [places(PIT, 5)]));
    expect(enough.succeed()).toMatchObject({ outcome: 'completed' });
    expect(enough.stage.board.countsOf(PIT)).toEqual({ held: 5, sold: 3, blocked: 0 });
    const full = latePlaces(3);
    full.stage.ask(hold(BOB, [places(PIT, 6)]));
    expect(full.succeed()).toMatchObject({ outcome: 'refund_due', status: 'abandoned' });
    expect(full.stage.board.countsOf(PIT)).toEqual({ held: 6, sold: 0, blocked: 0 });
    expect(full.stage.complaints).toEqual([]);
  });

  it('counts places of the same zone together', () => {
    const stage = new Stage(aBoard());
    stage.ask(hold(ANN, [places(PIT, 2), places(PIT, 2)]));
    const { checkout } = as(stage.ask(start()), 'checkout');
    const begun = as(stage.ask(pay(checkout.checkout_id)), 'payment_begun');
    letEnd(stage, checkout.checkout_id);
    stage.ask(hold(BOB, [places(PIT, 5)]));
    const { amount_cents } = begun;
    const late = stage.ask(said('payment.succeeded', begun, { amount_cents }));
    expect(late).toMatchObject({ outcome: 'refund_due' });
    expect(stage.complaints).toEqual([]);
  });
});

describe('money for seats that comes late', () => {
  it('buys no seat that staff have closed and the work has not reached', () => {
    const count = 3 * TASK_PIECE;
    const { stage, checkout_id, begun } = paying({
      seats: Array(count).fill(0),
      zones: [aZone(0)],
    });
    letEnd(stage, checkout_id);
    const others = Array.from({ length: count - 2 }, (_, index) => index + 2);
    stage.ask(block([...others, 0, 1]));
    expect([stage.board.codeOf(0), stage.board.isClosing(0)]).toEqual([SEAT.available, true]);
    const late = stage.ask(said('payment.succeeded', begun));
    expect(late).toMatchObject({ outcome: 'refund_due', status: 'abandoned' });
    expect(stage.board.isClosing(0)).toBe(true);
    stage.settle();
    expect(stage.board.codeOf(0)).toBe(SEAT.blocked);
    expect(stage.complaints).toEqual([]);
  });

  it('buys nothing of an event that is over, also when the seats are free', () => {
    const { stage, checkout_id, begun } = paying();
    letEnd(stage, checkout_id);
    stage.flush(step('open'), step('end'));
    expect(stage.board.config.event.status).toBe('ended');
    const late = stage.ask(said('payment.succeeded', begun));
    expect(late).toMatchObject({ outcome: 'refund_due', status: 'abandoned' });
    expect(stage.board.codeOf(0)).toBe(SEAT.available);
  });

  it('buys the seats of an event that is postponed', () => {
    const { stage, checkout_id, begun } = paying();
    letEnd(stage, checkout_id);
    stage.flush(step('postpone'));
    expect(stage.ask(said('payment.succeeded', begun))).toMatchObject({ outcome: 'completed' });
  });
});

describe('a payment', () => {
  it('is not begun for an event that has no date, or is over', () => {
    const postponed = aCheckout();
    postponed.stage.flush(step('postpone'));
    const over = aCheckout();
    over.stage.flush(step('open'), step('end'));
    for (const { stage, checkout_id } of [postponed, over]) {
      expect(code(stage.ask(pay(checkout_id)))).toBe('event_not_available');
      expect(stage.board.checkoutOf(checkout_id)?.status).toBe('started');
    }
  });
});

import { describe, expect, it } from 'vitest';
import { SEAT } from './board-state.ts';
import type { Command } from './commands.ts';
import { aBoard, block, hold, MINUTE_MS, places, release, STAFF, seat } from './test-boards.ts';
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

describe('a checkout', () => {
  it('takes everything the user holds, at the prices of the zones, and is longer once', () => {
    const { stage, checkout, checkout_id } = aCheckout();
    expect(checkout).toMatchObject({ status: 'started', currency: 'ZAR', user_id: ANN });
    expect(checkout.items.map(({ price_cents }) => price_cents)).toEqual([1_000, 1_000]);
    const until = stage.board.holdsOfUser(ANN).map(({ until_ms }) => until_ms - stage.now_ms);
    expect(until).toEqual([15 * MINUTE_MS, 15 * MINUTE_MS]);
    const again = as(stage.ask(start()), 'checkout');
    expect(again).toMatchObject({ existing: true, until_ms: stage.now_ms + 15 * MINUTE_MS });
    expect(again.checkout.checkout_id).toBe(checkout_id);
    expect(stage.complaints).toEqual([]);
  });

  it('has the named holds from now on, without a second extension', () => {
    const { stage, checkout_id, hold_ids } = aCheckout();
    const { holds } = as(stage.ask(hold(ANN, [places(2, 3)])), 'held');
    const added = holds[0]?.hold_id ?? '';
    const wish = start(ANN, { hold_ids: [hold_ids[0] ?? '', added] });
    const { checkout, existing } = as(stage.ask(wish), 'checkout');
    expect(checkout.items.map(({ hold_id }) => hold_id)).toEqual([hold_ids[0], added]);
    expect(checkout).toMatchObject({ checkout_id });
    expect(existing).toBe(true);
    expect(stage.board.holdOf(hold_ids[1] ?? '')?.checkout_id).toBeNull();
    expect(stage.board.holdOf(added)?.until_ms).toBe(stage.now_ms + 10 * MINUTE_MS);
  });

  it('needs holds, all of them the user`s own and alive', () => {
    const { stage, hold_ids } = aCheckout();
    expect(code(stage.ask(start(BOB)))).toBe('no_active_holds');
    expect(code(stage.ask(start(BOB, { hold_ids })))).toBe('hold_not_found');
    expect(code(stage.ask(start(ANN, { cart_token: 'another' })))).toBe('no_active_holds');
  });

  it('ends with its first hold, whose time is over; the others stay until theirs is', () => {
    const stage = new Stage(aBoard());
    stage.ask(hold(ANN, [seat(0)]));
    stage.now_ms += 5 * MINUTE_MS;
    stage.ask(hold(ANN, [seat(1)]));
    const { checkout } = as(stage.ask(start()), 'checkout');
    stage.now_ms += 10 * MINUTE_MS;
    stage.flush();
    expect(stage.checkouts.get(checkout.checkout_id)?.status).toBe('abandoned');
    expect(stage.board.codeOf(0)).toBe(SEAT.available);
    expect(stage.board.holdOfSeat(1)).toMatchObject({ checkout_id: null });
    expect(code(stage.ask(pay(checkout.checkout_id)))).toBe('hold_expired');
    expect(stage.complaints).toEqual([]);
  });

  it('is given back whole, and a second time nothing happens', () => {
    const { stage, checkout_id } = aCheckout();
    const done = as(stage.ask(cancel(checkout_id)), 'checkout_cancelled');
    expect(done.released.map(({ place }) => place.seat?.label)).toEqual(['A-1', 'A-2']);
    const again = as(stage.ask(cancel(checkout_id)), 'checkout_cancelled');
    expect(again.released).toEqual([]);
    expect(code(stage.ask(pay(checkout_id)))).toBe('checkout_closed');
    expect(code(stage.ask(cancel(checkout_id, BOB)))).toBe('checkout_not_found');
  });

  it('loses what is released of it, and ends with the last', () => {
    const { stage, checkout_id, hold_ids } = aCheckout();
    stage.ask(release({ hold_ids: [hold_ids[0] ?? ''] }, ANN, 'user_cancelled'));
    const { items } = stage.board.checkoutOf(checkout_id) ?? { items: [] };
    expect(items.map(({ hold_id }) => hold_id)).toEqual([hold_ids[1]]);
    stage.ask(release({ hold_ids: [hold_ids[1] ?? ''] }, ANN, 'user_cancelled'));
    expect(stage.checkouts.get(checkout_id)?.status).toBe('cancelled');
  });

  it('is not begun when the sale is over, except for what staff hold for a caller', () => {
    const stage = new Stage(aBoard());
    stage.ask(hold(ANN, [seat(0)]));
    stage.ask(hold(BOB, [seat(1)], { made_by: 'staff', hold_seconds: 3_600 }));
    const { event } = stage.board.config;
    const closed = { ...event, sale_closes_ms: stage.now_ms - 1 };
    const entry = { action: 'event_changed', changes: {} } as const;
    stage.ask({ kind: 'change_config', expected: null, changes: { event: closed }, entry });
    expect(code(stage.ask(start(ANN)))).toBe('event_sales_closed');
    expect(code(stage.ask(start(BOB)))).toBe('checkout');
  });
});

describe('paying', () => {
  it('keeps everything until the deadline, from everybody', () => {
    const { stage, hold_ids, checkout_id, begun } = paying();
    expect(begun).toMatchObject({ amount_cents: 2_000, currency: 'ZAR' });
    expect(begun.deadline_ms).toBe(stage.now_ms + 15 * MINUTE_MS);
    const released = as(stage.ask(release({ hold_ids }, ANN, 'user_cancelled')), 'released');
    expect(released.holds.map(({ outcome }) => outcome)).toEqual([
      'payment_in_progress',
      'payment_in_progress',
    ]);
    expect(code(stage.ask(cancel(checkout_id)))).toBe('payment_in_progress');
    expect(stage.ask(block([0]))).toMatchObject({ kind: 'refused', code: 'payment_in_progress' });
    as(stage.ask(release('all')), 'released');
    expect(stage.board.codeOf(0)).toBe(SEAT.held);
    expect(code(stage.ask(start(ANN, { hold_ids: hold_ids.slice(1) })))).toBe(
      'payment_in_progress',
    );
    expect(stage.complaints).toEqual([]);
  });

  it('gives way to staff who insist; a success then finds the seats or is owed', () => {
    const { stage, hold_ids, begun } = paying();
    const forced = { ...release({ hold_ids: hold_ids.slice(0, 1) }), force: true } as Command;
    as(stage.ask(forced), 'released');
    expect(stage.checkouts.get(begun.checkout_id)?.status).toBe('cancelled');
    expect(stage.ask(said('payment.succeeded', begun))).toMatchObject({ outcome: 'refund_due' });
  });

  it('completes by the first success, whichever attempt it is; others are owed', () => {
    const { stage, checkout_id, begun } = paying();
    const second = as(stage.ask(pay(checkout_id)), 'payment_begun');
    expect(stage.ask(said('payment.succeeded', begun))).toMatchObject({
      outcome: 'completed',
      status: 'completed',
    });
    expect(stage.ask(said('payment.succeeded', second))).toMatchObject({ outcome: 'refund_due' });
    expect(stage.ask(said('payment.succeeded', second))).toMatchObject({ outcome: 'ignored' });
    expect([stage.board.codeOf(0), stage.board.codeOf(1)]).toEqual([SEAT.sold, SEAT.sold]);
    expect(code(stage.ask(pay(checkout_id)))).toBe('ticket_already_paid');
    expect(code(stage.ask(cancel(checkout_id)))).toBe('ticket_already_paid');
  });

  it('is heard once per message, also twice in one flush', () => {
    const { stage, begun } = paying();
    const message = said('payment.succeeded', begun);
    expect(stage.flush(message, message).map(code)).toEqual(['payment_message', 'again']);
    expect(stage.ask(message)).toMatchObject({ outcome: 'completed', repeated: true });
  });

  it('does not take another message for a repeat because it has the same id', () => {
    const { stage, begun } = paying();
    stage.ask(hold(BOB, [seat(4)]));
    const { checkout } = as(stage.ask(start(BOB)), 'checkout');
    const bobs = as(stage.ask(pay(checkout.checkout_id, BOB)), 'payment_begun');
    const message_id = 'not so unique';
    const one = said('payment.succeeded', begun, { message_id });
    const other = said('payment.succeeded', bobs, { message_id, amount_cents: 1_000 });
    expect(stage.flush(one, other).map(code)).toEqual(['payment_message', 'again']);
    expect(code(stage.ask(other))).toBe('message_reused');
    expect(stage.ask(one)).toMatchObject({ outcome: 'completed', repeated: true });
  });

  it('leaves time for another card after a decline, and never less than there was', () => {
    const { stage, checkout_id, hold_ids, begun } = paying();
    stage.now_ms += 14 * MINUTE_MS;
    expect(stage.ask(said('payment.failed', begun))).toMatchObject({
      outcome: 'declined',
      status: 'started',
    });
    expect(stage.board.holdOf(hold_ids[0] ?? '')?.until_ms).toBe(stage.now_ms + 3 * MINUTE_MS);
    const again = as(stage.ask(pay(checkout_id)), 'payment_begun');
    expect(again.deadline_ms).toBe(stage.now_ms + 15 * MINUTE_MS);
    stage.ask(said('payment.failed', again));
    stage.now_ms += 3 * MINUTE_MS;
    stage.flush();
    expect(stage.checkouts.get(checkout_id)?.status).toBe('failed');
    const ended = stage.rows.flatMap(({ changes }) =>
      changes.filter((one) => one.kind === 'ended'),
    );
    expect(ended).toMatchObject([{ reason: 'payment_failed' }]);
    expect(stage.complaints).toEqual([]);
  });

  it('keeps an extension that was promised while paying, also after a decline', () => {
    const { stage, hold_ids, begun } = paying();
    const [first = '', second = ''] = hold_ids;
    const { hold: longer } = as(
      stage.ask({ kind: 'extend', user_id: ANN, hold_id: first }),
      'extended',
    );
    expect(longer.until_ms).toBe(stage.now_ms + 20 * MINUTE_MS);
    stage.ask(said('payment.failed', begun));
    const until = [first, second].map((id) => stage.board.holdOf(id)?.until_ms);
    expect(until).toEqual([longer.until_ms, stage.now_ms + 15 * MINUTE_MS]);
  });

  it('releases at once where the policy gives no time', () => {
    const { stage, begun } = paying({ policy: { payment_grace_minutes: 0 } });
    expect(stage.ask(said('payment.failed', begun))).toMatchObject({ status: 'failed' });
    expect(stage.board.codeOf(0)).toBe(SEAT.available);
  });

  it('does not mind a decline of an attempt that is not the current one', () => {
    const { stage, checkout_id, begun } = paying();
    const second = as(stage.ask(pay(checkout_id)), 'payment_begun');
    expect(stage.ask(said('payment.failed', begun))).toMatchObject({
      outcome: 'ignored',
      status: 'paying',
    });
    expect(stage.ask(said('payment.succeeded', second))).toMatchObject({ outcome: 'completed' });
  });

  it('takes a success after a decline of the same attempt: the bank changed its mind', () => {
    const { stage, begun } = paying();
    stage.ask(said('payment.failed', begun));
    expect(stage.ask(said('payment.succeeded', begun))).toMatchObject({ outcome: 'completed' });
    expect(stage.ask(said('payment.failed', begun))).toMatchObject({ outcome: 'ignored' });
  });

  it('owes a wrong amount, and a wrong currency, and lets the buyer pay again', () => {
    for (const wrong of [{ amount_cents: 1_999 }, { currency: 'EUR' }]) {
      const { stage, checkout_id, begun } = paying();
      expect(stage.ask(said('payment.succeeded', begun, wrong))).toMatchObject({
        outcome: 'amount_mismatch',
        status: 'started',
      });
      expect(stage.checkouts.get(checkout_id)?.attempts).toMatchObject([{ status: 'refund_due' }]);
      const again = as(stage.ask(pay(checkout_id)), 'payment_begun');
      expect(stage.ask(said('payment.succeeded', again))).toMatchObject({ outcome: 'completed' });
    }
  });

  it.each([
    ['more', (stage: Stage) => stage.ask(hold(ANN, [seat(2), seat(3)]))],
    [
      'less',
      (stage: Stage, [first = '']: readonly string[]) =>
        stage.ask(release({ hold_ids: [first] }, ANN, 'user_cancelled')),
    ],
  ])('does not sell %s than an older attempt was asked for: that is owed', (_, change) => {
    const { stage, checkout_id, hold_ids, begun } = paying();
    const second = as(stage.ask(pay(checkout_id)), 'payment_begun');
    stage.ask(said('payment.failed', second));
    change(stage, hold_ids);
    as(stage.ask(start()), 'checkout');
    expect(stage.ask(said('payment.succeeded', begun))).toMatchObject({
      outcome: 'refund_due',
      status: 'started',
    });
    expect(stage.checkouts.get(checkout_id)?.attempts[0]).toMatchObject({ status: 'refund_due' });
    const third = as(stage.ask(pay(checkout_id)), 'payment_begun');
    const { amount_cents } = third;
    expect(stage.ask(said('payment.succeeded', third, { amount_cents }))).toMatchObject({
      outcome: 'completed',
    });
    expect(stage.complaints).toEqual([]);
  });

  it('has five attempts, and half an hour for all of them', () => {
    const { stage, checkout_id } = paying();
    for (let attempt = 1; attempt < 5; attempt++) as(stage.ask(pay(checkout_id)), 'payment_begun');
    expect(code(stage.ask(pay(checkout_id)))).toBe('checkout_closed');
    const other = paying();
    other.stage.now_ms += 14 * MINUTE_MS;
    as(other.stage.ask(pay(other.checkout_id)), 'payment_begun');
    other.stage.now_ms += 14 * MINUTE_MS;
    const last = as(other.stage.ask(pay(other.checkout_id)), 'payment_begun');
    expect(last.deadline_ms).toBe(other.stage.now_ms + 2 * MINUTE_MS);
  });

  it('is not needed where nothing costs anything', () => {
    const free = aBoard().config.zones.map((zone) => ({ ...zone, price_cents: 0 }));
    const { stage, checkout_id } = aCheckout({ zones: free });
    const sold = as(stage.ask(pay(checkout_id)), 'sold');
    expect(sold.tickets).toHaveLength(2);
    expect(stage.board.codeOf(0)).toBe(SEAT.sold);
  });

  it('makes a ticket for each place of a zone', () => {
    const stage = new Stage(aBoard());
    stage.ask(hold(ANN, [seat(0), places(2, 3)]));
    const { checkout } = as(stage.ask(start()), 'checkout');
    const begun = as(stage.ask(pay(checkout.checkout_id)), 'payment_begun');
    stage.ask(said('payment.succeeded', begun, { amount_cents: 4_000 }));
    const tickets = stage.rows.flatMap(({ changes }) =>
      changes.flatMap((one) => (one.kind === 'sold' ? one.tickets : [])),
    );
    expect(tickets.map(({ ordinal }) => ordinal)).toEqual([0, -1, -1, -1]);
    expect(stage.board.countsOf(2)).toEqual({ held: 0, sold: 3, blocked: 0 });
  });
});

describe('a success that comes when everything is over', () => {
  const late = (meanwhile: (stage: Stage) => void) => {
    const one = paying();
    one.stage.now_ms += 16 * MINUTE_MS;
    one.stage.flush();
    expect(one.stage.checkouts.get(one.checkout_id)?.status).toBe('abandoned');
    meanwhile(one.stage);
    return { ...one, answer: one.stage.ask(said('payment.succeeded', one.begun)) };
  };

  it('gets all its seats again when they are free, whatever the sale says', () => {
    const { answer, stage } = late(({ board }) => {
      const event = { ...board.config.event, sale_closes_ms: 0 };
      board.setConfig({ ...board.config, event });
    });
    expect(answer).toMatchObject({ outcome: 'completed' });
    expect(stage.board.codeOf(1)).toBe(SEAT.sold);
  });

  it('gets them out of the buyer`s own new hold', () => {
    const { answer, stage } = late((one) => one.ask(hold(ANN, [seat(0)])));
    expect(answer).toMatchObject({ outcome: 'completed' });
    expect(stage.board.holdsOfUser(ANN)).toEqual([]);
  });

  it.each([
    ['held by another', (stage: Stage) => stage.ask(hold(BOB, [seat(1)]))],
    ['blocked', (stage: Stage) => stage.ask(block([1]))],
    [
      'in another checkout of the buyer',
      (stage: Stage) => {
        stage.ask(hold(ANN, [seat(1)]));
        stage.ask(start());
      },
    ],
  ])('gets nothing when one of them is %s, and is owed', (_, meanwhile) => {
    const { answer, stage } = late(meanwhile);
    expect(answer).toMatchObject({ outcome: 'refund_due', status: 'abandoned' });
    expect(stage.board.codeOf(0)).toBe(SEAT.available);
    expect(stage.complaints).toEqual([]);
  });

  it('is owed when the event is cancelled, also while paying', () => {
    const { stage, begun } = paying();
    stage.ask({ kind: 'change_event_state', step: 'cancel', reason: 'rain' });
    stage.settle();
    expect(stage.board.codeOf(0)).toBe(SEAT.held);
    expect(stage.ask(said('payment.succeeded', begun))).toMatchObject({
      outcome: 'refund_due',
      status: 'cancelled',
    });
    expect(stage.board.codeOf(0)).toBe(SEAT.available);
    expect(stage.complaints).toEqual([]);
  });

  it('buys nothing when the money went back before', () => {
    const { stage, begun } = paying();
    expect(stage.ask(said('payment.refunded', begun))).toMatchObject({ outcome: 'refunded' });
    expect(stage.ask(said('payment.succeeded', begun))).toMatchObject({ outcome: 'ignored' });
  });
});

describe('a sale at the door', () => {
  it('makes tickets of holds at once, and takes them out of a checkout', () => {
    const { stage, checkout_id, hold_ids } = aCheckout();
    const sell: Command = {
      kind: 'sell',
      hold_ids,
      method: 'cash',
      sold_by: STAFF.id,
      for_holder: true,
    };
    const sold = as(stage.ask(sell), 'sold');
    expect(sold).toMatchObject({ total_cents: 2_000, currency: 'ZAR' });
    expect(stage.checkouts.get(checkout_id)?.status).toBe('cancelled');
    expect(code(stage.ask(sell))).toBe('hold_not_found');
  });

  it('sells no more at once than one commit can, nor is more checked out', () => {
    const zones = aBoard().config.zones.map((zone) => ({ ...zone, capacity: 5_000 }));
    const stage = new Stage(aBoard({ zones }));
    const many = [places(2, 1_000), places(2, 1)];
    const hold_ids = many.flatMap((one) => {
      const { holds } = as(stage.ask(hold(ANN, [one], { made_by: STAFF.id })), 'held');
      return holds.map(({ hold_id }) => hold_id);
    });
    const sell = (ids: readonly string[]): Command => {
      return { kind: 'sell', hold_ids: ids, method: 'cash', sold_by: STAFF.id };
    };
    expect(code(stage.ask(start()))).toBe('hold_limit_reached');
    expect(code(stage.ask(sell(hold_ids)))).toBe('hold_limit_reached');
    expect(code(stage.ask(sell(hold_ids.slice(0, 1))))).toBe('sold');
  });

  it('never sells nothing, nor what somebody is paying for', () => {
    const { stage, hold_ids } = paying();
    const sell = (ids: readonly string[]): Command => {
      return { kind: 'sell', hold_ids: ids, method: 'card', sold_by: null, for_holder: true };
    };
    expect(code(stage.ask(sell(hold_ids)))).toBe('payment_in_progress');
    expect(code(stage.ask(sell([])))).toBe('hold_not_found');
  });
});

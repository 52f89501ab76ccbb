import { describe, expect, it } from 'vitest';
import { aBoard, aZone, block, hold, MINUTE_MS, places, seat } from './test-boards.ts';
import { ANN, as, code, pay, said, start } from './test-checkouts.ts';
import { Stage } from './test-stage.ts';

/** A zone of eight seats, one for a companion, that an event uses as a field for five. */
function aField(): Stage {
  const seats = Array(8).fill(0);
  const blocked = seats.map((_, ordinal) => ordinal);
  const zones = [aZone(0, { has_seats: false, capacity: 5 })];
  const counts = { 0: { blocked: 0 } };
  return new Stage(aBoard({ seats, zones, blocked, counts, pairs: [[1, 0]] }));
}

describe('a zone that is used without its seats', () => {
  it('sells places and no seat, and nobody opens a seat of it', () => {
    const stage = aField();
    expect(code(stage.ask(hold(ANN, [places(0, 6)])))).toBe('block_at_capacity');
    expect(code(stage.ask(hold(ANN, [seat(2)])))).toBe('seat_not_available');
    expect(code(stage.ask(block([2], 'unblock')))).toBe('seat_not_available');
    expect(stage.ask(block([2]))).toMatchObject({ unchanged: 1 });
    expect(code(stage.ask(hold(ANN, [places(0, 5)])))).toBe('held');
    const [row] = stage.rows;
    // Five of five are taken: with seats its companion seats would go to everybody now.
    expect(row?.changes.map(({ kind }) => kind)).toEqual(['held']);
    expect(stage.board.countsOf(0)).toEqual({ held: 5, sold: 0, blocked: 0 });
  });
});

describe('money that comes for places when the zone has seats again', () => {
  it('is owed, because nobody chose a seat', () => {
    const stage = new Stage(aBoard());
    stage.ask(hold(ANN, [places(2, 2)]));
    const { checkout } = as(stage.ask(start()), 'checkout');
    const begun = as(stage.ask(pay(checkout.checkout_id)), 'payment_begun');
    stage.now_ms += 16 * MINUTE_MS;
    stage.flush();
    const { config } = stage.board;
    const zones = config.zones.map((zone) => ({ ...zone, has_seats: true }));
    stage.board.setConfig({ ...config, zones });
    expect(stage.ask(said('payment.succeeded', begun))).toMatchObject({ outcome: 'refund_due' });
  });
});

import { describe, expect, it } from 'vitest';
import type { SeatingPolicy } from '#policies';
import { aBoard, type BoardWish, changeConfig, hold, places, seat } from './test-boards.ts';
import { ANN, as, code, pay, said, start } from './test-checkouts.ts';
import { BEST } from './test-commands.ts';
import { Stage } from './test-stage.ts';

const stageWith = (policy: Partial<SeatingPolicy>, wish: BoardWish = {}) =>
  new Stage(aBoard({ ...wish, policy }));
const inCart = (cart_token: string) => ({ cart_token });

describe('max_seats_per_booking', () => {
  it('counts everything that the buyer is about to buy, whatever cart it is in', () => {
    const stage = stageWith({ max_seats_per_booking: 4 });
    as(stage.ask(hold(ANN, [seat(0), seat(1)], inCart('one'))), 'held');
    as(stage.ask(hold(ANN, [places(2, 2)], inCart('two'))), 'held');
    const more = stage.ask(hold(ANN, [seat(2)], inCart('three')));
    expect(more).toMatchObject({
      code: 'hold_limit_reached',
      message: 'A booking may have 4 seats: you have 4 and asked for 1 more.',
      details: { limit: 'max_seats_per_booking', most: 4, held: 4 },
    });
    expect(code(stage.ask(hold('bob', [seat(2)])))).toBe('held');
    const best = hold(ANN, [], { ...inCart('three'), best: { ...BEST, quantity: 1 } });
    expect(code(stage.ask(best))).toBe('hold_limit_reached');
    expect(stage.complaints).toEqual([]);
  });

  it('counts what is in an open checkout, and not what is being paid for', () => {
    const stage = stageWith({ max_seats_per_booking: 2 });
    stage.ask(hold(ANN, [seat(0), seat(1)]));
    const { checkout } = as(stage.ask(start()), 'checkout');
    expect(code(stage.ask(hold(ANN, [seat(2)])))).toBe('hold_limit_reached');
    const begun = as(stage.ask(pay(checkout.checkout_id)), 'payment_begun');
    as(stage.ask(hold(ANN, [seat(2), seat(3)], inCart('next'))), 'held');
    stage.ask(said('payment.succeeded', begun));
    expect(as(stage.ask(start()), 'checkout').checkout.items).toHaveLength(2);
    expect(stage.complaints).toEqual([]);
  });

  it('is judged again when a checkout begins, and when more comes into it', () => {
    const stage = stageWith({ max_seats_per_booking: 2 });
    stage.ask(hold(ANN, [seat(0), seat(1)], inCart('one')));
    const { checkout } = as(stage.ask(start()), 'checkout');
    const begun = as(stage.ask(pay(checkout.checkout_id)), 'payment_begun');
    stage.ask(hold(ANN, [seat(2), seat(3)], inCart('two')));
    // Declined: it is open again, beside the cart that was allowed while it was being paid for.
    stage.ask(said('payment.failed', begun));
    expect(stage.ask(start())).toMatchObject({
      code: 'hold_limit_reached',
      message: 'A booking may have 2 seats: this one has 4.',
      details: { limit: 'max_seats_per_booking', most: 2, held: 4 },
    });
    const same = as(stage.ask(start(ANN, { cart_token: 'one' })), 'checkout');
    expect(same.existing).toBe(true);
    expect(code(stage.ask(start(ANN, { cart_token: 'two' })))).toBe('checkout');
  });

  it('does not count what staff hold for a caller, who is theirs to judge', () => {
    const stage = stageWith({ max_seats_per_booking: 2 });
    stage.ask(hold(ANN, [places(2, 8)], { made_by: 'staff' }));
    as(stage.ask(hold(ANN, [seat(0), seat(1)])), 'held');
    expect(as(stage.ask(start()), 'checkout').checkout.items).toHaveLength(3);
  });
});

it('a limit of one is said in the singular, and how much was asked for', () => {
  const stage = stageWith({ max_seats_per_booking: 1 });
  expect(stage.ask(hold(ANN, [seat(0), seat(1)]))).toMatchObject({
    message: 'A booking may have 1 seat: you asked for 2.',
    items: [],
  });
});

describe('max_wheelchair_seats_per_booking', () => {
  const PAIRS = [
    [0, 1],
    [4, 5],
  ] as const;
  const accessible = { best: { ...BEST, quantity: 1, accessible: 1 } };

  it('counts the spaces of every cart', () => {
    const stage = stageWith({}, { pairs: PAIRS });
    as(stage.ask(hold(ANN, [seat(0)], inCart('one'))), 'held');
    expect(stage.ask(hold(ANN, [seat(4)], inCart('two')))).toMatchObject({
      code: 'wheelchair_limit',
      message: 'A booking may have 1 wheelchair space: you have 1 and asked for 1 more.',
      details: { limit: 'max_wheelchair_seats_per_booking', most: 1, held: 1 },
    });
    const best = hold(ANN, [], { ...inCart('two'), ...accessible });
    expect(code(stage.ask(best))).toBe('wheelchair_limit');
    expect(code(stage.ask(hold(ANN, [seat(1)], inCart('two'))))).toBe('held');
  });

  it('is said in the plural, too, and binds nobody where the rules are off', () => {
    const three = { best: { ...BEST, quantity: 3, accessible: 3 } };
    const stage = stageWith({ max_wheelchair_seats_per_booking: 2 }, { pairs: PAIRS });
    expect(stage.ask(hold(ANN, [], three))).toMatchObject({
      message: 'A booking may have 2 wheelchair spaces: you asked for 3.',
    });
    const policy = { enforce_accessibility_rules: false, max_wheelchair_seats_per_booking: 1 };
    const lax = stageWith(policy, { pairs: PAIRS });
    as(lax.ask(hold(ANN, [seat(0), seat(4)])), 'held');
    as(lax.ask(start()), 'checkout');
  });

  it('is judged again when a checkout begins', () => {
    const stage = stageWith({ max_wheelchair_seats_per_booking: 2 }, { pairs: PAIRS });
    stage.ask(hold(ANN, [seat(0)], inCart('one')));
    stage.ask(hold(ANN, [seat(4)], inCart('two')));
    const { policy } = stage.board.config;
    const one = { ...policy, max_wheelchair_seats_per_booking: 1 };
    stage.ask(changeConfig({ policy: one }));
    expect(stage.ask(start())).toMatchObject({
      code: 'wheelchair_limit',
      message: 'A booking may have 1 wheelchair space: this one has 2.',
    });
    expect(code(stage.ask(start(ANN, { cart_token: 'two' })))).toBe('checkout');
  });
});

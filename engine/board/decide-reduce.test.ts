import { describe, expect, it } from 'vitest';
import { Draft, decide, formatOf, KNOWN_FORMATS, LOG_FORMAT } from './board.ts';
import {
  aBoard,
  boardFrom,
  factsAt,
  hold,
  MINUTE_MS,
  places,
  release,
  seat,
} from './test-boards.ts';
import { ANN, as, BOB, code, pay, said, start } from './test-checkouts.ts';
import { Stage } from './test-stage.ts';

/** The zone without seats of a board that is not said otherwise. */
const PIT = 2;
const IP = 'address';

/** Ann with four places, and two seats beside them. */
function aStage(wanted: Parameters<typeof aBoard>[0] = {}) {
  const stage = new Stage(aBoard(wanted));
  const wish = hold(ANN, [places(PIT, 4), seat(0), seat(1)], { ip: IP });
  const { holds } = as(stage.ask(wish), 'held');
  const { hold_id = '' } = holds.find(({ ordinal }) => ordinal < 0) ?? {};
  const one = holds.find(({ ordinal }) => ordinal >= 0)?.hold_id ?? '';
  const reduce = (quantity: number, user_id = ANN, id = hold_id) =>
    stage.ask({ kind: 'reduce', user_id, hold_id: id, quantity });
  return { stage, hold_id, one, reduce };
}

describe('a hold of four places', () => {
  it('becomes three: the same hold, and one place for everybody else', () => {
    const { stage, hold_id, reduce } = aStage();
    const before = stage.board.holdOf(hold_id);
    stage.now_ms += MINUTE_MS;
    const outcome = as(reduce(3), 'reduced');
    expect(outcome).toMatchObject({ released: 1, hold: { ...before, quantity: 3 } });
    expect(stage.board.holdOf(hold_id)).toEqual({ ...before, quantity: 3 });
    expect(stage.board.countsOf(PIT).held).toBe(3);
    expect(stage.board.heldByIp(IP)).toBe(5);
    expect(stage.complaints).toEqual([]);
  });

  it('never becomes five, and stays what it is when it is asked for four', () => {
    const { stage, reduce } = aStage();
    const { revision } = stage.board;
    expect(reduce(5)).toMatchObject({ code: 'hold_cannot_grow', details: { quantity: 4 } });
    expect(reduce(4)).toMatchObject({ kind: 'reduced', released: 0 });
    expect(stage.board.revision).toBe(revision);
  });

  it('is nobody else`s, and no seat', () => {
    const { reduce, one } = aStage();
    expect(code(reduce(3, BOB))).toBe('hold_not_found');
    expect(code(reduce(3, ANN, 'nothing'))).toBe('hold_not_found');
    expect(code(reduce(2, ANN, one))).toBe('hold_cannot_grow');
    expect(reduce(1, ANN, one)).toMatchObject({ kind: 'reduced', released: 0 });
  });

  it('is over at the end of its time, also before anybody has ended it', () => {
    const { stage, hold_id } = aStage();
    const { until_ms = 0 } = stage.board.holdOf(hold_id) ?? {};
    const command = { kind: 'reduce', user_id: ANN, hold_id, quantity: 3 } as const;
    const at = [-1, 0].map((ms) => {
      const draft = new Draft(stage.board, until_ms + ms);
      return code(decide(draft, command, factsAt(until_ms + ms), () => []));
    });
    expect(at).toEqual(['reduced', 'hold_expired']);
  });

  it('is counted with what is left when it ends', () => {
    const { stage, hold_id, reduce } = aStage();
    reduce(1);
    expect(stage.ask(release({ hold_ids: [hold_id] }, ANN))).toMatchObject({ seats: 1 });
    expect(stage.board.countsOf(PIT).held).toBe(0);
    expect(stage.board.heldByIp(IP)).toBe(2);
    expect(stage.complaints).toEqual([]);
  });

  it('leaves room under the limit of its address at once, in the same flush', () => {
    const { stage, hold_id } = aStage({ policy: { max_holds_per_ip: 6 } });
    const fewer = { kind: 'reduce', user_id: ANN, hold_id, quantity: 3 } as const;
    const one = () => hold(BOB, [places(PIT, 1)], { ip: IP });
    const [refused, , held, again] = stage.flush(one(), fewer, one(), one());
    expect([refused, held, again].map(code)).toEqual([
      'hold_limit_reached',
      'held',
      'hold_limit_reached',
    ]);
  });

  it('is the same on a board that was loaded, and in a replay', () => {
    const { stage, reduce } = aStage();
    reduce(2);
    const { plan } = stage.board;
    const loaded = boardFrom(plan, stage.board.content());
    const [first] = stage.contents;
    if (!first) throw new Error('a stage begins with a board');
    const replayed = boardFrom(plan, first);
    for (const row of stage.rows) replayed.advance(row);
    for (const board of [loaded, replayed]) {
      expect(board.digest).toBe(stage.board.digest);
      expect([...board.holds()]).toEqual([...stage.board.holds()]);
    }
  });
});

describe('a hold of places in a checkout', () => {
  it('takes what it gives back off the checkout, at the price that was agreed', () => {
    const { stage, reduce } = aStage();
    const { checkout } = as(stage.ask(start()), 'checkout');
    reduce(1);
    const after = stage.board.checkoutOf(checkout.checkout_id);
    expect(after?.items.map(({ quantity, price_cents }) => [quantity, price_cents])).toEqual(
      checkout.items.map(({ quantity, price_cents }) => [quantity === 4 ? 1 : 1, price_cents]),
    );
    const begun = as(stage.ask(pay(checkout.checkout_id)), 'payment_begun');
    const sum = after?.items.reduce((all, one) => all + one.price_cents * one.quantity, 0);
    expect(begun.amount_cents).toBe(sum);
    expect(stage.complaints).toEqual([]);
  });

  it('stays what it is while somebody pays, and can be given back after a decline', () => {
    const { stage, reduce } = aStage();
    const { checkout } = as(stage.ask(start()), 'checkout');
    const begun = as(stage.ask(pay(checkout.checkout_id)), 'payment_begun');
    expect(code(reduce(3))).toBe('payment_in_progress');
    stage.ask(said('payment.failed', begun, { amount_cents: begun.amount_cents }));
    expect(reduce(3)).toMatchObject({ kind: 'reduced', released: 1 });
    // Money for four places buys no three: it is given back.
    const late = stage.ask(said('payment.succeeded', begun, { amount_cents: begun.amount_cents }));
    expect(late).toMatchObject({ outcome: 'refund_due' });
    expect(stage.complaints).toEqual([]);
  });
});

describe('a row with a reduction', () => {
  it('has a format of its own, which older versions do not pass over', () => {
    const { stage, reduce } = aStage();
    reduce(3);
    expect(stage.rows.map(({ changes }) => formatOf(changes))).toEqual([LOG_FORMAT, 3]);
    expect(KNOWN_FORMATS).toEqual([1, 2, 3]);
  });
});

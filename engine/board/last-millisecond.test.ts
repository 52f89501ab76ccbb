import { describe, expect, it } from 'vitest';
import type { Command, Outcome } from './commands.ts';
import { hold, MINUTE_MS, release, seat } from './test-boards.ts';
import { ANN, aCheckout, BOB, code, pay } from './test-checkouts.ts';
import type { Stage } from './test-stage.ts';

describe('the last millisecond', () => {
  /** Ann's hold ends at `T`; these meet it there in every order. */
  const wishes: Readonly<Record<string, (one: ReturnType<typeof aCheckout>) => Command>> = {
    extend: ({ hold_ids }) => ({ kind: 'extend', user_id: ANN, hold_id: hold_ids[0] ?? '' }),
    pay: ({ checkout_id }) => pay(checkout_id),
    takeover: () => hold(BOB, [seat(0)]),
    release: ({ hold_ids }) => release({ hold_ids }, null, 'admin_override'),
  };
  const orders = permutations(Object.keys(wishes));
  const FITTING: Readonly<Record<string, readonly string[]>> = {
    extend: ['extended', 'hold_not_found', 'extension_limit_reached'],
    pay: ['payment_begun', 'hold_expired', 'checkout_closed'],
    takeover: ['held', 'seat_held_by_another_user'],
    release: ['released'],
  };

  it.each([-1, 0, 1])('at %i ms every order has one owner, and each loser its code', (offset) => {
    for (const together of [true, false]) {
      for (const order of orders) {
        const one = aCheckout();
        const { stage } = one;
        stage.now_ms += 15 * MINUTE_MS + offset;
        const commands = order.map((name) => wishes[name]?.(one) as Command);
        const outcomes = together
          ? settle(stage, commands)
          : commands.map((command) => stage.ask(command));
        const codes = outcomes.map(code);
        const about = `${order.join()} ${codes.join()}`;
        order.forEach((name, index) => {
          expect(FITTING[name], `${name} in ${about}`).toContain(codes[index]);
        });
        const bob = codes[order.indexOf('takeover')] === 'held';
        expect(stage.board.holdOfSeat(0)?.user_id === BOB, about).toBe(bob);
        // Whoever pays keeps the seat; whoever was too late has lost it before.
        if (codes.includes('payment_begun')) expect(bob, about).toBe(false);
        if (offset >= 0) expect(codes[order.indexOf('pay')], about).toBe('hold_expired');
        expect(stage.complaints).toEqual([]);
      }
    }
  });

  /** All in one flush; what has to wait is decided in the next. */
  function settle(stage: Stage, commands: readonly Command[]): Outcome[] {
    const first = stage.flush(...commands);
    return first.map((outcome, index) => outcome ?? stage.ask(commands[index] as Command));
  }
});

function permutations(items: readonly string[]): string[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [
      item,
      ...rest,
    ]),
  );
}

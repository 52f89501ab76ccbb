import { describe, expect, it } from 'vitest';
import type { Command, HoldCommand } from './commands.ts';
import { aBoard, hold, MINUTE_MS, places, STAFF, seat } from './test-boards.ts';
import { ANN, as, BOB, code } from './test-checkouts.ts';
import { Stage } from './test-stage.ts';

const COUNTER: Partial<HoldCommand> = { source: 'box_office', made_by: STAFF.id };
const CALLER = 'caller';

/** Holds at the counter or in the shop, with their ids. */
function held(stage: Stage, user: string, seats: readonly number[], more?: Partial<HoldCommand>) {
  const { holds } = as(stage.ask(hold(user, seats.map(seat), more)), 'held');
  return holds.map(({ hold_id }) => hold_id);
}

function sell(hold_ids: readonly string[], more: object = {}): Command {
  return { kind: 'sell', hold_ids, method: 'cash', sold_by: 'staff', ...more };
}

const soldBy = (stage: Stage) => stage.rows.at(-1)?.changes.find(({ kind }) => kind === 'sold');

describe('a sale at the counter', () => {
  it('is of holds of the box office, and takes no buyer’s cart by mistake', () => {
    const stage = new Stage(aBoard());
    const cart = held(stage, ANN, [0, 1]);
    const refusal = stage.ask(sell(cart));
    expect(refusal).toMatchObject({
      code: 'seat_held_by_another_user',
      details: { needs: 'for_holder' },
      items: [{ label: 'A-1' }, { label: 'A-2' }],
    });
    expect(stage.board.holdOfSeat(0)?.user_id).toBe(ANN);
    const own = held(stage, CALLER, [4], COUNTER);
    expect(as(stage.ask(sell(own)), 'sold').tickets).toHaveLength(1);
    expect(soldBy(stage)).not.toHaveProperty('for_holder');
  });

  it('is for the buyer of a cart when staff say so, and the log knows where it was held', () => {
    const stage = new Stage(aBoard());
    const cart = held(stage, ANN, [0, 1]);
    as(stage.ask(sell(cart, { for_holder: true })), 'sold');
    expect(soldBy(stage)).toMatchObject({ user_id: ANN, for_holder: ['web'] });
  });

  it.each([{ source: 'scanner' }, { source: 'offline_sync' }] as const)(
    'asks for holds of %o too, and for places',
    (more) => {
      const stage = new Stage(aBoard());
      const wish = hold(BOB, [places(2, 2)], more);
      const [first] = as(stage.ask(wish), 'held').holds;
      expect(stage.ask(sell([first?.hold_id ?? '']))).toMatchObject({
        code: 'seat_held_by_another_user',
        items: [{ code: 'seat_held_by_another_user' }],
      });
      const flagged = sell([first?.hold_id ?? ''], { for_holder: true });
      expect(code(stage.ask(flagged))).toBe('sold');
    },
  );

  it('needs no flag for what staff hold, also when it is given', () => {
    const stage = new Stage(aBoard());
    const own = held(stage, CALLER, [0], COUNTER);
    as(stage.ask(sell(own, { for_holder: true })), 'sold');
    expect(soldBy(stage)).not.toHaveProperty('for_holder');
  });
});

describe('more time for a caller', () => {
  const lengthen = (hold_ids: readonly string[], minutes: number): Command => {
    return { kind: 'lengthen', hold_ids, seconds: minutes * 60 };
  };

  it('counts from now, and never takes any away', () => {
    const stage = new Stage(aBoard());
    const [own = ''] = held(stage, CALLER, [0], { ...COUNTER, hold_seconds: 600 });
    stage.now_ms += 5 * MINUTE_MS;
    const until_ms = stage.now_ms + 60 * MINUTE_MS;
    const more = as(stage.ask(lengthen([own, own], 60)), 'lengthened');
    expect(more.holds).toEqual([{ hold_id: own, outcome: 'extended', until_ms }]);
    expect(stage.board.holdOf(own)?.until_ms).toBe(until_ms);
    const less = as(stage.ask(lengthen([own], 10)), 'lengthened');
    expect(less.holds).toEqual([{ hold_id: own, outcome: 'unchanged', until_ms }]);
    expect(stage.complaints).toEqual([]);
  });

  it('is not for what a buyer holds, nor for what is over', () => {
    const stage = new Stage(aBoard());
    const [cart = ''] = held(stage, ANN, [0]);
    const [own = ''] = held(stage, CALLER, [1], { ...COUNTER, hold_seconds: 60 });
    const before_ms = stage.board.holdOf(cart)?.until_ms;
    stage.now_ms += 2 * MINUTE_MS;
    const { holds } = as(stage.ask(lengthen([cart, own, 'gone'], 60)), 'lengthened');
    expect(holds.map(({ outcome }) => outcome)).toEqual(['shop_hold', 'not_active', 'not_active']);
    expect(stage.board.holdOf(cart)?.until_ms).toBe(before_ms);
  });
});

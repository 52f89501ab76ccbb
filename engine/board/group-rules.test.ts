import { describe, expect, it } from 'vitest';
import { aBoard, hold, release, seat, zoneId } from './test-boards.ts';
import { ANN, as, BOB, code, start } from './test-checkouts.ts';
import { BEST } from './test-commands.ts';
import { Stage } from './test-stage.ts';

/** Zone 0 is a row of eight: a table, a family block, two seats; zone 1 a row of four. */
const GROUPS = [
  { kind: 'vip_table', seats: [0, 1, 2] },
  { kind: 'family_block', seats: [3, 4, 5] },
] as const;
const aHall = () => new Stage(aBoard({ groups: GROUPS }));
const seats = (...ordinals: readonly number[]) => ordinals.map(seat);
const best = (quantity: number) => ({ best: { ...BEST, quantity, zone_ids: [zoneId(0)] } });
const singly = { orphans: 'tell' } as const;

describe('a table', () => {
  it('is sold as a whole: what is missing is named', () => {
    const stage = aHall();
    expect(stage.ask(hold(ANN, seats(0, 1)))).toMatchObject({
      code: 'forbidden',
      message: 'This table is sold as a whole: A-3 belong to it and are missing.',
      details: { rule: 'vip_table', missing: ['A-3'] },
    });
    as(stage.ask(hold(ANN, seats(0, 1, 2, 7))), 'held');
    as(stage.ask(start()), 'checkout');
    expect(stage.complaints).toEqual([]);
  });

  it('is put together seat by seat, and judged at the checkout', () => {
    const stage = aHall();
    for (const ordinal of [0, 1]) stage.ask(hold(ANN, seats(ordinal), singly));
    expect(stage.ask(start())).toMatchObject({ details: { missing: ['A-3'] } });
    const { holds } = as(stage.ask(hold(ANN, seats(2), singly)), 'held');
    const hold_ids = stage.board.holdsOfUser(ANN).map(({ hold_id }) => hold_id);
    expect(code(stage.ask(start(ANN, { hold_ids: hold_ids.slice(1) })))).toBe('forbidden');
    as(stage.ask(start()), 'checkout');
    expect(holds).toHaveLength(1);
  });

  it('of which others have a part is sold as what is left', () => {
    const stage = aHall();
    as(stage.ask(hold(BOB, seats(0), { made_by: 'staff' })), 'held');
    expect(code(stage.ask(hold(ANN, seats(1))))).toBe('forbidden');
    as(stage.ask(hold(ANN, seats(1, 2))), 'held');
    as(stage.ask(start(BOB)), 'checkout');
  });

  it('is chosen by the engine for exactly as many, and for nobody else', () => {
    const ordinals = (quantity: number) => {
      const { holds } = as(aHall().ask(hold(ANN, [], best(quantity))), 'held');
      return holds.map(({ ordinal }) => ordinal);
    };
    expect(ordinals(3)).toEqual([0, 1, 2]);
    expect(ordinals(1).some((ordinal) => ordinal < 6)).toBe(false);
    expect(ordinals(2).some((ordinal) => ordinal < 3)).toBe(false);
    expect(code(aHall().ask(hold(ANN, [], best(7))))).toMatch(/^no_/);
  });
});

describe('a family block', () => {
  it('is for two or more in one booking, until one seat of it is left', () => {
    const stage = aHall();
    expect(stage.ask(hold(ANN, seats(3)))).toMatchObject({
      code: 'forbidden',
      message:
        'These seats are for families, at least 2 of them in one booking: A-5, A-6 are free.',
      details: { rule: 'family_block', missing: ['A-5', 'A-6'] },
    });
    as(stage.ask(hold(ANN, seats(3, 4))), 'held');
    as(stage.ask(hold(BOB, seats(5))), 'held');
    as(stage.ask(start(BOB)), 'checkout');
    const [first] = stage.board.holdsOfUser(ANN);
    const which = { hold_ids: [first?.hold_id ?? ''] };
    as(stage.ask(release(which, ANN, 'user_cancelled')), 'released');
    expect(code(stage.ask(start()))).toBe('forbidden');
  });

  it('is chosen by the engine for two, not for one', () => {
    const stage = aHall();
    as(stage.ask(hold(BOB, seats(6, 7, 8, 9, 10, 11))), 'held');
    expect(code(stage.ask(hold(ANN, [], best(1))))).toMatch(/^no_/);
    const { holds } = as(stage.ask(hold(ANN, [], best(2))), 'held');
    expect(holds.every(({ ordinal }) => ordinal >= 3 && ordinal <= 5)).toBe(true);
    expect(stage.complaints).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { digestOfHolds } from './digest.ts';
import {
  aBoard,
  aContent,
  aZone,
  block,
  boardFrom,
  hold,
  MINUTE_MS,
  places,
  release,
  seat,
} from './test-boards.ts';
import { ANN, aCheckout, as, BOB, pay, paying, said, start } from './test-checkouts.ts';
import { Stage } from './test-stage.ts';

const FIXED = { checkout_id: '00000000-0000-4000-8000-0000000000c0', user_id: ANN };

/** Some of everything that a digest is made of, the same in every run and every version. */
function aBoardOfEverything() {
  const { plan, content } = aContent({ sold: [3], blocked: [7] });
  const about = { user_id: ANN, cart_token: 'cart', source: 'web', created_ms: 0 } as const;
  const none = { ip: null, made_by: null, notes: null, checkout_id: null } as const;
  const item = { zone_id: 'zone', quantity: 1, price_cents: 1_000, until_ms: null };
  return boardFrom(plan, {
    ...content,
    codes: content.codes.with(0, 1).with(9, 7),
    holds: [
      { ...about, ...none, hold_id: 'one', ordinal: 0, zone: 0, quantity: 1, until_ms: 12_345 },
      {
        ...{ ...about, ...none, hold_id: 'two', ordinal: -1, zone: 2, quantity: 3 },
        until_ms: 1_800_000_000_001,
      },
    ],
    counts: [
      { held: 1, sold: 1, blocked: 1 },
      { held: 0, sold: 0, blocked: 1 },
      { held: 3, sold: 0, blocked: 0 },
    ],
    checkouts: [
      {
        ...{ ...FIXED, status: 'started', currency: 'ZAR', created_ms: 0, declined: true },
        given_back: false,
        items: [{ ...item, hold_id: 'one', seat_id: null }],
        attempts: [
          {
            ...{ attempt_id: 'attempt', provider: 'bank', amount_cents: 1_000 },
            ...{ created_ms: 0, deadline_ms: 0, status: 'failed' },
          },
        ],
      },
    ],
    released: [1],
  });
}

describe('the digest of a board', () => {
  it('is the same on nodes of every version, which compare theirs', () => {
    const board = aBoardOfEverything();
    expect(board.digest).toBe('d7108e897eb22cfa');
    expect(digestOfHolds(board.holds())).toBe('b972fc51234a708e');
  });

  it('goes back to what it was when everything is undone', () => {
    const stage = new Stage(aBoard());
    const before = stage.board.digest;
    stage.flush(hold(ANN, [seat(0), places(2, 3)]), block([5]));
    expect(stage.board.digest).not.toBe(before);
    stage.flush(release('all'), block([5], 'unblock'));
    expect(stage.board.digest).toBe(before);
  });

  it('knows every step of a checkout', () => {
    const { stage, checkout_id } = aCheckout();
    const seen = [stage.board.digest];
    const begun = as(stage.ask(pay(checkout_id)), 'payment_begun');
    seen.push(stage.board.digest);
    stage.ask(said('payment.failed', begun));
    seen.push(stage.board.digest);
    stage.ask(release('all'));
    seen.push(stage.board.digest);
    expect(new Set(seen).size).toBe(4);
    expect(stage.board.digest).toBe('0'.repeat(16));
  });
});

describe('a board in memory', () => {
  it('says how large it is: seats, holds, checkouts and users of keys', () => {
    const sizes = [{}, { keyed: [ANN, BOB] }].map((wish) => aBoard(wish).bytes);
    const stage = new Stage(aBoard());
    const empty = stage.board.bytes;
    expect(sizes).toEqual([empty, empty + 200]);
    expect(empty).toBe(12 * 5);
    stage.flush(hold(ANN, [seat(0), seat(1)]));
    expect(stage.board.bytes).toBe(empty + 2 * 530);
    stage.ask(start());
    expect(stage.board.bytes).toBe(empty + 2 * 530 + 1_000);
  });

  it('packs the states of seats, four to a byte', () => {
    const board = aBoard({ sold: [1, 6], blocked: [3, 11] });
    expect([...board.packedStates()]).toEqual([0b11_00_10_00, 0b00_10_00_00, 0b11_00_00_00]);
  });

  it('says what the last row has touched, and only that', () => {
    const stage = new Stage(aBoard());
    stage.flush(hold(ANN, [seat(0), places(2, 2)]));
    const [first, second] = stage.board.holdsOfUser(ANN).map(({ hold_id }) => hold_id);
    expect(stage.board.touched).toEqual({ seats: [0], holds: [first, second] });
    stage.flush(block([5]));
    expect(stage.board.touched).toEqual({ seats: [5], holds: [] });
    stage.ask({ kind: 'extend', user_id: ANN, hold_id: first ?? '' });
    expect(stage.board.touched).toEqual({ seats: [0], holds: [first] });
    stage.flush(release({ hold_ids: [second ?? ''] }));
    expect(stage.board.touched).toEqual({ seats: [], holds: [second] });
    const loaded = boardFrom(stage.board.plan, stage.board.content());
    expect(loaded.touched).toEqual({ seats: [], holds: [] });
  });

  it('shows seats anew that a task is about to block, or does not any more', () => {
    const stage = new Stage(aBoard({ seats: Array(1_200).fill(0), zones: [aZone(0)] }));
    stage.flush(block([...Array(1_200).keys()]));
    expect(stage.board.touched.seats).toHaveLength(1_200);
    stage.flush();
    expect(stage.board.touched.seats).toHaveLength(500);
  });

  it('counts the holds that are being paid for', () => {
    const { stage, begun } = paying();
    expect(stage.board.payingCount).toBe(2);
    stage.ask(said('payment.failed', begun));
    expect(stage.board.payingCount).toBe(0);
    const again = as(stage.ask(pay(begun.checkout_id)), 'payment_begun');
    expect(stage.board.payingCount).toBe(2);
    stage.ask(said('payment.succeeded', again));
    expect([stage.board.payingCount, stage.board.holdCount]).toEqual([0, 0]);
  });

  it('knows when the next hold ends, however often the ends have changed', () => {
    const stage = new Stage(aBoard());
    expect(stage.board.nextDue()).toBe(Number.POSITIVE_INFINITY);
    stage.flush(hold(ANN, [seat(0)]), hold(BOB, [seat(1)], { hold_seconds: 3_600 }));
    const { hold_id = '', until_ms } = stage.board.holdOfSeat(0) ?? {};
    expect(stage.board.nextDue()).toBe(until_ms);
    stage.ask({ kind: 'extend', user_id: ANN, hold_id });
    expect(stage.board.nextDue()).toBe(stage.now_ms + 15 * MINUTE_MS);
    stage.flush(release({ hold_ids: [hold_id] }));
    expect(stage.board.nextDue()).toBe(stage.now_ms + 60 * MINUTE_MS);
    expect(stage.board.due(stage.now_ms + 60 * MINUTE_MS, 10)).toHaveLength(1);
    expect(stage.board.due(stage.now_ms + 60 * MINUTE_MS, 0)).toEqual([]);
  });

  it('is stored in an order that does not depend on how it came about', () => {
    const { plan, content } = aContent();
    const owners = [
      [5, ANN],
      [2, BOB],
    ] as const;
    const stored = boardFrom(plan, { ...content, released: [2, 0, 1], owners }).content();
    expect(stored).toMatchObject({ released: [0, 1, 2], owners: [...owners].reverse() });
  });

  it('of an older snapshot has no checkouts, releases or owners', () => {
    const { plan, content } = aContent();
    const { checkouts: _, ...older } = content;
    const board = boardFrom(plan, older as typeof content);
    expect([...board.checkouts()]).toEqual([]);
    expect(board.isReleased(0)).toBe(false);
    expect(board.content()).toMatchObject({ released: [], owners: [] });
  });

  it('knows nothing of seats and zones that it does not have', () => {
    const board = aBoard();
    expect([board.codeOf(99), board.versionOf(99)]).toEqual([0, 0]);
    expect(board.countsOf(99)).toEqual({ held: 0, sold: 0, blocked: 0 });
  });
});

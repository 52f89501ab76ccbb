import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { availabilityOf, isKept, publicCountsOf, publicStateOf } from './availability.ts';
import { SEAT } from './board-state.ts';
import { Board } from './live-board.ts';
import {
  aBoard,
  aZone,
  block,
  changeConfig,
  hold,
  MINUTE_MS,
  release,
  seat,
  seatId,
} from './test-boards.ts';
import { as, start } from './test-checkouts.ts';
import { named, someRounds, aWish as someWish } from './test-commands.ts';
import { Stage } from './test-stage.ts';

const ALWAYS = Number.NEGATIVE_INFINITY;

/** Ten seats in a row; 3 is the companion of the wheelchair space 2, and 8 that of 7. */
const PAIRS = [
  [2, 3],
  [7, 8],
] as const;

function aStage(policy: Parameters<typeof aBoard>[0] & object = {}): Stage {
  const zones = [aZone(0, { capacity: 10 })];
  return new Stage(aBoard({ seats: Array(10).fill(0), zones, pairs: PAIRS, ...policy }));
}

function statesOf(board: Board, at_ms = ALWAYS): number[] {
  const { seats } = availabilityOf(board, at_ms);
  return Array.from({ length: board.plan.seatCount }, (_, ordinal) => {
    return ((seats[ordinal >> 2] ?? 0) >> ((ordinal & 3) * 2)) & 3;
  });
}

const kept = (stage: Stage, ordinal: number, userId: string | null) =>
  isKept(stage.board, ordinal, { now_ms: stage.now_ms, userId });

function sell(stage: Stage, user_id: string, ...ordinals: number[]) {
  const { holds } = as(stage.ask(hold(user_id, ordinals.map(seat))), 'held');
  const hold_ids = holds.map(({ hold_id }) => hold_id);
  const sale = {
    kind: 'sell',
    hold_ids,
    method: 'cash',
    sold_by: 'staff',
    for_holder: true,
  } as const;
  return as(stage.ask(sale), 'sold');
}

describe('a companion seat whose wheelchair space nobody has', () => {
  it('is shown and counted as what it is for the public: not available', () => {
    const { board } = aStage();
    expect(statesOf(board)).toEqual([0, 0, 0, 3, 0, 0, 0, 0, 3, 0]);
    expect([2, 3].map((ordinal) => publicStateOf(board, ordinal))).toEqual([0, SEAT.blocked]);
    const counts = { held: 0, sold: 0, blocked: 2 };
    expect(publicCountsOf(board, 0)).toEqual(counts);
    expect(availabilityOf(board, ALWAYS).counts).toEqual([counts]);
    expect(board.countsOf(0)).toEqual({ held: 0, sold: 0, blocked: 0 });
  });

  it('is free for everybody without the rules, or when it is released', () => {
    const off = aStage({ policy: { enforce_accessibility_rules: false } }).board;
    expect(statesOf(off)).toEqual(Array(10).fill(0));
    expect(publicCountsOf(off, 0).blocked).toBe(0);
    const stage = aStage({ policy: { max_seats_per_booking: 20 } });
    stage.flush(hold('many', [0, 1, 4, 5, 6, 9].map(seat)));
    sell(stage, 'ann', 2);
    expect(statesOf(stage.board)).toEqual([1, 1, 2, 3, 1, 1, 1, 0, 3, 1]);
    sell(stage, 'bob', 7);
    expect(statesOf(stage.board)).toEqual([1, 1, 2, 0, 1, 1, 1, 2, 0, 1]);
    expect(publicCountsOf(stage.board, 0)).toEqual({ held: 6, sold: 2, blocked: 0 });
  });

  it('is not free when the time of a hold on it is over', () => {
    const stage = aStage();
    stage.flush(hold('ann', [2, 3].map(seat)));
    expect(statesOf(stage.board).slice(2, 4)).toEqual([1, 1]);
    const after_ms = stage.now_ms + 11 * MINUTE_MS;
    expect(statesOf(stage.board, after_ms).slice(2, 4)).toEqual([0, 3]);
    const [counts] = availabilityOf(stage.board, after_ms).counts;
    expect(counts).toEqual({ held: 0, sold: 0, blocked: 2 });
  });

  it('is shown to the one alone who holds its space, while they do', () => {
    const stage = aStage();
    stage.flush(hold('ann', [seat(2)]));
    expect([kept(stage, 3, 'ann'), kept(stage, 3, 'bob'), kept(stage, 3, null)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(kept(stage, 8, 'ann')).toBe(true);
    stage.now_ms += 11 * MINUTE_MS;
    expect(kept(stage, 3, 'ann')).toBe(true);
    expect(kept(stage, 4, null)).toBe(false);
  });
});

it('states, counts and changes of the map agree, whatever happens', () => {
  fc.assert(
    fc.property(someRounds(someWish({ seats: 10, gaZone: 0, users: 4 })), (rounds) => {
      const stage = aStage();
      const shown = statesOf(stage.board);
      for (const { passed_ms, wishes } of rounds) {
        stage.now_ms += passed_ms;
        const before = stage.board.revision;
        stage.flush(...wishes.map((wish) => named(wish, stage.holdIds)));
        if (stage.board.revision === before) continue;
        for (const ordinal of stage.board.touched.seats) {
          shown[ordinal] = publicStateOf(stage.board, ordinal);
        }
        const states = statesOf(stage.board);
        expect(shown).toEqual(states);
        const [free, held, sold, blocked] = [0, 1, 2, 3].map(
          (state) => states.filter((one) => one === state).length,
        );
        expect(publicCountsOf(stage.board, 0)).toEqual({ held, sold, blocked });
        expect(10 - (held ?? 0) - (sold ?? 0) - (blocked ?? 0)).toBe(free);
      }
    }),
    { numRuns: 150 },
  );
});

describe('the owner of a sold wheelchair space', () => {
  it('can buy its companion seat online, and nobody else can', () => {
    const stage = aStage();
    sell(stage, 'ann', 2);
    expect(statesOf(stage.board)[3]).toBe(SEAT.blocked);
    expect([kept(stage, 3, 'ann'), kept(stage, 3, 'bob')]).toEqual([false, true]);
    expect(stage.ask(hold('bob', [seat(3)]))).toMatchObject({ code: 'companion_reserved' });
    expect(stage.ask(hold('ann', [seat(8)]))).toMatchObject({ code: 'companion_reserved' });
    expect(stage.ask(hold('ann', [seat(3)]))).toMatchObject({ kind: 'held' });
    expect(stage.ask(start())).toMatchObject({ kind: 'checkout' });
    expect(stage.complaints).toEqual([]);
  });

  it('is known on every node, from rows of the log and from what is stored', () => {
    const stage = aStage();
    sell(stage, 'ann', 2);
    const loaded = new Board(stage.board.plan, stage.board.content());
    expect(loaded.ownerOf(2)).toBe('ann');
    const followed = aStage().board;
    for (const row of stage.rows) followed.advance(row);
    expect(followed.content()).toEqual(stage.board.content());
    const { owners: _, ...older } = stage.board.content();
    const before = new Stage(new Board(stage.board.plan, older));
    expect(before.board.digest).toBe(stage.board.digestOf({ owners: false }));
    expect(before.board.digest).not.toBe(stage.board.digest);
    expect(before.ask(hold('ann', [seat(3)]))).toMatchObject({ code: 'companion_reserved' });
  });

  it('is whoever has the ticket: not after a refund, and after a reseat elsewhere', () => {
    const stage = aStage();
    const [ticket] = sell(stage, 'ann', 2).tickets;
    const [other] = sell(stage, 'bob', 5).tickets;
    const record = (one: typeof ticket, user_id: string, ordinal: number) => ({
      ticket_id: one?.ticket_id ?? '',
      checkout_id: '',
      attempt_id: null,
      user_id,
      status: 'active' as const,
      seat_id: seatId(ordinal),
      zone_id: '',
      price_cents: 0,
      currency: 'ZAR',
      owed: false,
      paid_back: false,
    });
    const tickets = new Map([
      [ticket?.ticket_id ?? '', record(ticket, 'ann', 2)],
      [other?.ticket_id ?? '', record(other, 'bob', 5)],
    ]);
    const later = new Stage(stage.board, { facts: { tickets } });
    const to = { reason: 'asked', actor: null } as const;
    later.ask({
      kind: 'reseat',
      ticket_id: other?.ticket_id ?? '',
      seat_id: seatId(7),
      ...to,
    } as never);
    expect(later.board.ownerOf(7)).toBe('bob');
    const status = { status: 'refunded', block: false, reason: 'asked' } as const;
    later.ask({ kind: 'end_ticket', ticket_id: ticket?.ticket_id ?? '', ...status } as never);
    expect([later.board.codeOf(2), later.board.ownerOf(2)]).toEqual([SEAT.available, undefined]);
    expect(later.ask(hold('ann', [seat(3)]))).toMatchObject({ code: 'companion_reserved' });
    expect(later.ask(hold('bob', [seat(8)]))).toMatchObject({ kind: 'held' });
    expect(later.complaints).toEqual([]);
  });
});

describe('a small zone', () => {
  const policy = { max_seats_per_booking: 20, max_wheelchair_seats_per_booking: 2 };

  it('gives its companion seats to everybody when all else is taken, at 80 percent', () => {
    const stage = aStage({ policy });
    sell(stage, 'ann', 2, 7);
    stage.flush(hold('many', [0, 1, 4, 5, 6].map(seat)));
    expect(stage.board.isReleased(0)).toBe(false);
    stage.flush(hold('one', [seat(9)]));
    expect(stage.board.isReleased(0)).toBe(true);
    expect(stage.ask(hold('bob', [seat(3)]))).toMatchObject({ kind: 'held' });
    expect(stage.complaints).toEqual([]);
  });

  it('keeps those of a space that is in a cart: its buyer may be about to take them', () => {
    const stage = aStage({ policy });
    stage.flush(hold('many', [0, 1, 4, 5, 6, 9].map(seat)));
    sell(stage, 'ann', 2);
    stage.flush(hold('bob', [seat(7)]));
    expect(stage.board.isReleased(0)).toBe(false);
    expect(stage.ask(hold('bob', [seat(8)]))).toMatchObject({ kind: 'held' });
    expect(stage.board.isReleased(0)).toBe(true);
  });

  it('counts without the seats that are blocked', () => {
    const stage = aStage({ policy, blocked: [0, 1] });
    sell(stage, 'ann', 2, 7);
    stage.flush(hold('many', [4, 5, 6].map(seat)));
    expect(stage.board.isReleased(0)).toBe(false);
    stage.flush(hold('one', [seat(9)]));
    expect(stage.board.isReleased(0)).toBe(true);
  });

  it('does not take them back for one hold that comes and goes', () => {
    const eight = [...Array(8).keys()];
    const stage = new Stage(
      aBoard({
        seats: Array(40).fill(0),
        zones: [aZone(0, { capacity: 40 })],
        pairs: eight.map((space) => [space, space + 8] as const),
        sold: eight,
        policy,
      }),
    );
    const take = (user: string, from: number, to: number) => {
      const seats = Array.from({ length: to - from }, (_, nth) => seat(from + nth));
      return stage.flush(hold(user, seats));
    };
    take('many', 16, 36);
    take('some', 36, 39);
    expect(stage.board.isReleased(0)).toBe(false);
    take('one', 39, 40);
    expect(stage.board.isReleased(0)).toBe(true);
    const seen = ['one', 'some'].map((user_id) => {
      const [held] = stage.board.holdsOfUser(user_id);
      stage.flush(release({ hold_ids: [held?.hold_id ?? ''] }));
      return stage.board.isReleased(0);
    });
    expect(seen).toEqual([true, false]);
  });

  it('gives nothing away where the rules are off, whatever is taken', () => {
    const stage = aStage({ policy: { ...policy, enforce_accessibility_rules: false } });
    stage.flush(hold('many', [0, 1, 2, 4, 5, 6, 7, 9].map(seat)), hold('all', [seat(3), seat(8)]));
    const kinds = stage.rows.flatMap(({ changes }) => changes.map(({ kind }) => kind));
    expect(new Set(kinds)).toEqual(new Set(['held']));
  });

  it('of spaces and companions alone keeps them for the owners of the spaces', () => {
    const zones = [aZone(0, { capacity: 4 })];
    const pairs = [
      [0, 1],
      [2, 3],
    ] as const;
    const stage = new Stage(aBoard({ seats: [0, 0, 0, 0], zones, pairs, policy }));
    sell(stage, 'ann', 0, 2);
    expect(stage.board.isReleased(0)).toBe(false);
    expect(stage.ask(hold('bob', [seat(1)]))).toMatchObject({ code: 'companion_reserved' });
    expect(stage.ask(hold('ann', [seat(1)]))).toMatchObject({ kind: 'held' });
  });
});

it('follows the policy and blocks at once', () => {
  const stage = aStage();
  stage.flush(block([3]));
  expect(publicCountsOf(stage.board, 0)).toEqual({ held: 0, sold: 0, blocked: 2 });
  const policy = { ...stage.board.config.policy, enforce_accessibility_rules: false };
  stage.flush(changeConfig({ policy }, stage.board.config.version));
  expect(statesOf(stage.board)).toEqual([0, 0, 0, 3, 0, 0, 0, 0, 0, 0]);
});

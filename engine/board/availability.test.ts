import { describe, expect, it } from 'vitest';
import { availabilityOf, publicStateOf } from './availability.ts';
import { SEAT } from './board-state.ts';
import type { Board } from './live-board.ts';
import {
  aBoard,
  aContent,
  aZone,
  block,
  boardFrom,
  hold,
  MINUTE_MS,
  places,
  STAFF,
  START_MS,
  seat,
} from './test-boards.ts';
import { ANN, BOB } from './test-checkouts.ts';
import { Stage } from './test-stage.ts';

const END_MS = START_MS + 10 * MINUTE_MS;

function statesOf(board: Board, now_ms: number): number[] {
  const { seats } = availabilityOf(board, now_ms);
  return Array.from({ length: board.plan.seatCount }, (_, ordinal) => {
    return ((seats[ordinal >> 2] ?? 0) >> ((ordinal & 3) * 2)) & 3;
  });
}

describe('what everybody may see', () => {
  it('is right until the first hold ends, then looked at again soon', () => {
    const stage = new Stage(aBoard());
    expect(availabilityOf(stage.board, START_MS).until_ms).toBe(Number.POSITIVE_INFINITY);
    stage.flush(hold(ANN, [seat(0)]), hold(BOB, [seat(1)], { hold_seconds: 3_600 }));
    const until = [-1, 0, 1].map((ms) => availabilityOf(stage.board, END_MS + ms).until_ms);
    expect(until).toEqual([END_MS, END_MS + 100, END_MS + 101]);
    expect(availabilityOf(stage.board, START_MS).revision).toBe(2);
  });

  it('is every seat by itself, whatever its place in a byte', () => {
    const stage = new Stage(aBoard({ sold: [2, 9], blocked: [5, 11] }));
    stage.flush(hold(ANN, [0, 3, 4, 7].map(seat)));
    const shown = [1, 0, 2, 1, 1, 3, 0, 1, 0, 2, 0, 3];
    expect(statesOf(stage.board, START_MS)).toEqual(shown);
    const over = shown.map((state) => (state === SEAT.held ? SEAT.available : state));
    expect(statesOf(stage.board, END_MS)).toEqual(over);
    const { counts } = availabilityOf(stage.board, END_MS);
    expect(counts[0]).toEqual({ held: 0, sold: 1, blocked: 1 });
    expect(stage.board.countsOf(0).held).toBe(4);
  });

  it('counts places whose time is over as free', () => {
    const stage = new Stage(aBoard());
    stage.flush(hold(ANN, [places(2, 3)]), hold(BOB, [places(2, 2)], { hold_seconds: 3_600 }));
    const held = [-1, 0].map((ms) => availabilityOf(stage.board, END_MS + ms).counts[2]?.held);
    expect(held).toEqual([5, 2]);
  });

  it('shows seats as blocked that a task will block, also when their hold is over', () => {
    const seats = Array<number>(1_200).fill(0);
    const stage = new Stage(aBoard({ seats, zones: [aZone(0)] }));
    stage.flush(hold(ANN, [seat(1_100)]));
    stage.flush(block([...seats.keys()]));
    for (const now_ms of [START_MS, END_MS]) {
      expect(new Set(statesOf(stage.board, now_ms))).toEqual(new Set([SEAT.blocked]));
    }
    expect([1_100, 1_199].map((one) => publicStateOf(stage.board, one))).toEqual([3, 3]);
  });

  it('shows seats as they are that a task will give back', () => {
    const { plan, content } = aContent({ blocked: [3] });
    const about = { task_id: 'task', reason: null, actor: STAFF };
    const tasks = [{ ...about, what: 'unblock' as const, ordinals: [3, 4] }];
    const board = boardFrom(plan, { ...content, tasks });
    expect(statesOf(board, START_MS).slice(0, 5)).toEqual([0, 0, 0, 3, 0]);
  });
});

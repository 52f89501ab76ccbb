import { describe, expect, it } from 'vitest';
import { availabilityOf, currentAvailability } from './availability.ts';
import { aBoard, hold, MINUTE_MS, seat } from './test-boards.ts';
import { as } from './test-checkouts.ts';
import { Stage } from './test-stage.ts';

function aStageWithAHold(): Stage {
  const stage = new Stage(aBoard());
  as(stage.ask(hold('ann', [seat(3)])), 'held');
  return stage;
}

describe('the public state that is worked out once', () => {
  it('is the same object until something changes', () => {
    const { board, now_ms } = aStageWithAHold();
    const first = currentAvailability(board, now_ms);
    expect(currentAvailability(board, now_ms + 1)).toBe(first);
    expect(currentAvailability(board, now_ms)).toBe(first);
  });

  it('is another one when the board has changed', () => {
    const stage = aStageWithAHold();
    const first = currentAvailability(stage.board, stage.now_ms);
    as(stage.ask(hold('ben', [seat(4)])), 'held');
    const second = currentAvailability(stage.board, stage.now_ms);
    expect(second.seats).not.toEqual(first.seats);
    expect(second).toEqual(availabilityOf(stage.board, stage.now_ms));
  });

  it('shows a hold as over once its time is', () => {
    const { board, now_ms } = aStageWithAHold();
    currentAvailability(board, now_ms);
    const late_ms = now_ms + 60 * MINUTE_MS;
    expect(currentAvailability(board, late_ms)).toEqual(availabilityOf(board, late_ms));
  });

  it('shows a hold again that was over by a clock that has been set back', () => {
    const { board, now_ms } = aStageWithAHold();
    const held = currentAvailability(board, now_ms);
    const over = currentAvailability(board, now_ms + 24 * 60 * MINUTE_MS);
    expect(over.seats).not.toEqual(held.seats);
    expect(currentAvailability(board, now_ms)).toEqual(held);
  });
});

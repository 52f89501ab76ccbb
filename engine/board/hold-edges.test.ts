import { describe, expect, it } from 'vitest';
import { availabilityOf, Draft, decide, screen } from './board.ts';
import type { Command, Outcome } from './commands.ts';
import { aBoard, factsAt, hold, places, release, seat } from './test-boards.ts';
import { Stage } from './test-stage.ts';

/** Ann's seat 0 and two of her places, and the moment at which both are over. */
function held() {
  const stage = new Stage(aBoard());
  stage.flush(hold('ann', [seat(0), places(2, 2)]));
  const own = stage.board.holdOfSeat(0);
  if (!own) throw new Error('the seat is held');
  return { stage, own, until_ms: own.until_ms };
}

const word = (outcome: Outcome) => (outcome.kind === 'refused' ? outcome.code : outcome.kind);

/** A millisecond before the end, at the end, and a millisecond after it. */
const AROUND = [-1, 0, 1] as const;
type Three = readonly [string, string, string];

describe('around the end of a hold, by the database’s clock', () => {
  /** Each command: what it is told before, at and after the end, in a flush that ends it. */
  const flushed: Record<string, [(holdId: string) => Command, Three]> = {
    extend: [
      (hold_id) => ({ kind: 'extend', user_id: 'ann', hold_id }),
      ['extended', 'hold_not_found', 'hold_not_found'],
    ],
    takeover: [() => hold('bob', [seat(0)]), ['seat_held_by_another_user', 'held', 'held']],
    'the same user again': [() => hold('ann', [seat(0)]), ['held', 'held', 'held']],
    release: [
      (id) => release({ hold_ids: [id] }, 'ann', 'user_cancelled'),
      ['released', 'released', 'released'],
    ],
    'all places of the zone': [
      () => hold('bob', [places(2, 8)]),
      ['block_at_capacity', 'held', 'held'],
    ],
  };

  it.each(Object.entries(flushed))('%s', (_, [command, expected]) => {
    const words = AROUND.map((after_ms) => {
      const { stage, own, until_ms } = held();
      stage.now_ms = until_ms + after_ms;
      const outcome = stage.ask(command(own.hold_id));
      expect(stage.complaints).toEqual([]);
      return word(outcome);
    });
    expect(words).toEqual(expected);
  });

  it('the same user gets the same hold before, and a new one from the end on', () => {
    const same = AROUND.map((after_ms) => {
      const { stage, own, until_ms } = held();
      stage.now_ms = until_ms + after_ms;
      stage.ask(hold('ann', [seat(0)]));
      return stage.board.holdOfSeat(0)?.hold_id === own.hold_id;
    });
    expect(same).toEqual([true, false, false]);
  });

  it('a release says what it ended: something before, nothing from the end on', () => {
    const seats = AROUND.map((after_ms) => {
      const { stage, own, until_ms } = held();
      stage.now_ms = until_ms + after_ms;
      const outcome = stage.ask(release({ hold_ids: [own.hold_id] }, 'ann', 'user_cancelled'));
      return outcome.kind === 'released' && [outcome.seats, outcome.holds[0]?.outcome];
    });
    expect(seats).toEqual([
      [1, 'released'],
      [0, 'not_active'],
      [0, 'not_active'],
    ]);
  });

  it('an extension just before adds to the end, not to now, and counts from then on', () => {
    const { stage, own, until_ms } = held();
    stage.now_ms = until_ms - 1;
    stage.ask({ kind: 'extend', user_id: 'ann', hold_id: own.hold_id });
    const extended_ms = stage.board.holdOfSeat(0)?.until_ms ?? 0;
    expect(extended_ms - until_ms).toBe(5 * 60_000);
    stage.now_ms = until_ms + 1;
    expect(word(stage.ask(hold('bob', [seat(0)])))).toBe('seat_held_by_another_user');
    stage.now_ms = extended_ms;
    expect(word(stage.ask(hold('bob', [seat(0)])))).toBe('held');
  });

  it('two in one flush: whoever comes first, and the other is told exactly', () => {
    const { stage, own, until_ms } = held();
    stage.now_ms = until_ms;
    const extend = { kind: 'extend', user_id: 'ann', hold_id: own.hold_id } as const;
    const outcomes = stage.flush(hold('bob', [seat(0)]), extend, hold('ann', [seat(0)]));
    expect(outcomes.map((one) => one && word(one))).toEqual([
      'held',
      'hold_not_found',
      'seat_held_by_another_user',
    ]);
    expect(stage.complaints).toEqual([]);
  });
});

/** What is decided when nobody has swept yet: the rules themselves look at the time. */
describe('around the end of a hold that nobody has ended yet', () => {
  const unswept = (command: (holdId: string) => Command) =>
    AROUND.map((after_ms) => {
      const { stage, own, until_ms } = held();
      const now_ms = until_ms + after_ms;
      const draft = new Draft(stage.board, now_ms);
      return word(decide(draft, command(own.hold_id), factsAt(now_ms), () => []));
    });

  it('an extension is refused as expired, never revived', () => {
    const extend = (hold_id: string) => ({ kind: 'extend', user_id: 'ann', hold_id }) as const;
    expect(unswept(extend)).toEqual(['extended', 'hold_expired', 'hold_expired']);
  });

  it('memory refuses nobody in the last 50 ms, and shows the seat free at the end', () => {
    const { stage, until_ms } = held();
    const at = (now_ms: number) =>
      screen(stage.board, hold('bob', [seat(0)]), { now_ms, organizationActive: true })?.code;
    expect(at(until_ms - 51)).toBe('seat_held_by_another_user');
    expect([-50, -1, 0, 1].map((after_ms) => at(until_ms + after_ms))).toEqual(
      Array(4).fill(undefined),
    );
    const shown = AROUND.map((after_ms) => {
      const { seats, counts } = availabilityOf(stage.board, until_ms + after_ms);
      return [(seats[0] ?? 0) & 3, counts[0]?.held, counts[2]?.held];
    });
    expect(shown).toEqual([
      [1, 1, 2],
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { type Command, Draft, decide } from './board.ts';
import {
  aBoard,
  factsAt,
  hold,
  MINUTE_MS,
  places,
  release,
  START_MS,
  seat,
} from './test-boards.ts';
import { Stage } from './test-stage.ts';

/** The hold that somebody has on a seat. */
function heldBy(stage: Stage, ordinal: number): string {
  return stage.board.holdOfSeat(ordinal)?.hold_id ?? '';
}

function aHeldStage(): Stage {
  const stage = new Stage(aBoard());
  stage.flush(hold('ann', [seat(0)]));
  return stage;
}

describe('a release', () => {
  it('of all takes those made just before, and leaves those ended just before', () => {
    const stage = new Stage(aBoard());
    stage.flush(hold('ann', [seat(0)], { hold_seconds: 60 }), hold('bob', [seat(1)]));
    stage.now_ms += MINUTE_MS;
    const [, outcome] = stage.flush(hold('eve', [seat(2), places(2, 3)]), release('all'));
    expect(outcome).toMatchObject({ kind: 'released', seats: 5 });
    expect(stage.board.holdCount).toBe(0);
    expect(stage.complaints).toEqual([]);
  });

  it('says of each hold what became of it', () => {
    const stage = new Stage(aBoard());
    stage.flush(hold('ann', [seat(0)]), hold('bob', [seat(1)]));
    const own = heldBy(stage, 0);
    const foreign = heldBy(stage, 1);
    const ids = { hold_ids: [own, foreign, 'gone', own] };
    const outcome = stage.ask(release(ids, 'ann', 'user_cancelled'));
    expect(outcome).toMatchObject({
      kind: 'released',
      seats: 1,
      holds: [
        { hold_id: own, hold: { user_id: 'ann' }, outcome: 'released' },
        { hold_id: foreign, hold: null, outcome: 'not_found' },
        { hold_id: 'gone', hold: null, outcome: 'not_active' },
      ],
    });
    expect(stage.ask(release(ids, 'ann'))).toMatchObject({ seats: 0 });
    expect(stage.board.holdOfSeat(1)?.user_id).toBe('bob');
  });

  it('shows the owner what it was, and staff its id alone', () => {
    const stage = new Stage(aBoard());
    stage.flush(hold('ann', [seat(0), seat(1)]));
    const [first, second] = [heldBy(stage, 0), heldBy(stage, 1)];
    expect(stage.ask(release({ hold_ids: [first] }, 'ann'))).toMatchObject({
      holds: [{ hold: { user_id: 'ann' }, place: { seat: { label: 'A-1' } } }],
    });
    expect(stage.ask(release({ hold_ids: [second] }))).toMatchObject({
      holds: [{ hold_id: second, hold: null, place: null }],
    });
  });

  it('is kept with its note, and without one where nothing was said', () => {
    const stage = aHeldStage();
    const hold_id = heldBy(stage, 0);
    stage.ask(release({ hold_ids: [hold_id] }, 'ann', 'user_cancelled'));
    const ended = { kind: 'ended', reason: 'user_cancelled' };
    expect(stage.rows.at(-1)?.changes).toEqual([{ ...ended, holds: [hold_id] }]);
    stage.ask(hold('ann', [seat(0)]));
    const again = heldBy(stage, 0);
    const noted = { ...release({ hold_ids: [again] }, 'ann', 'user_cancelled'), note: 'ill' };
    stage.ask(noted as Command);
    expect(stage.rows.at(-1)?.changes).toEqual([{ ...ended, note: 'ill', holds: [again] }]);
  });

  it('by staff ends the holds of anybody, for the reason given', () => {
    const stage = new Stage(aBoard());
    stage.flush(hold('ann', [seat(0)]), hold('bob', [places(2, 4)]));
    stage.flush(release('all', null, 'payment_failed'));
    expect(stage.rows.at(-1)?.changes).toMatchObject([{ kind: 'ended', reason: 'payment_failed' }]);
    expect(stage.board.countsOf(2).held).toBe(0);
  });
});

describe('an extension', () => {
  const extend = (stage: Stage, user_id = 'ann') =>
    stage.ask({ kind: 'extend', user_id, hold_id: heldBy(stage, 0) });

  it('goes to the cap and not beyond', () => {
    const stage = new Stage(aBoard({ policy: { max_hold_total_minutes: 17 } }));
    stage.flush(hold('ann', [seat(0)]));
    const made_ms = stage.now_ms;
    const minutes = () => ((stage.board.holdOfSeat(0)?.until_ms ?? 0) - made_ms) / MINUTE_MS;
    const seen = [0, 1, 2].map(() => [extend(stage).kind, minutes()]);
    expect(seen).toEqual([
      ['extended', 15],
      ['extended', 17],
      ['refused', 17],
    ]);
    expect(extend(stage)).toMatchObject({ code: 'extension_limit_reached' });
  });

  it('is for the owner, and for the living', () => {
    const stage = new Stage(aBoard());
    stage.flush(hold('ann', [seat(0)]));
    const hold_id = heldBy(stage, 0);
    expect(extend(stage, 'bob')).toMatchObject({ code: 'hold_not_found' });
    stage.now_ms += 10 * MINUTE_MS;
    const late = stage.ask({ kind: 'extend', user_id: 'ann', hold_id });
    expect(late).toMatchObject({ code: 'hold_not_found' });
    expect(stage.board.codeOf(0)).toBe(0);
  });

  it('does not revive what is over and not yet ended', () => {
    const { board } = aHeldStage();
    const hold_id = board.holdOfSeat(0)?.hold_id ?? '';
    const command = { kind: 'extend', user_id: 'ann', hold_id } as const;
    const at = (passed_ms: number) => {
      const draft = new Draft(board, START_MS + passed_ms);
      return decide(draft, command, factsAt(START_MS + passed_ms), () => board.holds());
    };
    expect(at(10 * MINUTE_MS)).toMatchObject({ code: 'hold_expired' });
    expect(at(10 * MINUTE_MS - 1)).toMatchObject({ kind: 'extended' });
  });

  it('leaves a hold alone that is longer than the cap', () => {
    const stage = new Stage(aBoard());
    stage.flush(hold('ann', [seat(0)], { hold_seconds: 3_600 }));
    const before = stage.board.holdOfSeat(0);
    expect(extend(stage)).toMatchObject({ code: 'extension_limit_reached' });
    expect(stage.board.holdOfSeat(0)).toBe(before);
  });
});

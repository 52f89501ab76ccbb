import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FreeSeats, STANDING } from '#allocation';
import { uuidOf } from '#kit';
import { BoardSeating } from './board-seating.ts';
import { decide } from './decide.ts';
import { Draft } from './draft.ts';
import { aBoard, block, factsAt, hold, idSource, release, START_MS, seat } from './test-boards.ts';

const SEATS = 12;
const SPACE = 3;
const COMPANION = 4;

/** Seat 4 of the test board goes with the wheelchair space 3. */
const pairs = [[SPACE, COMPANION]] as const;

const anew = (draft: Draft) => new BoardSeating(draft).index();

const standings = (index: FreeSeats) =>
  Array.from({ length: SEATS }, (_, ordinal) => index.standingOf(ordinal));

it('keeps the index of a draft by what the draft changed alone', () => {
  const ordinal = fc.integer({ min: 0, max: SEATS - 1 });
  const step = fc.record({ what: fc.constantFrom('hold', 'release', 'block'), ordinal });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const board = aBoard({ policy: { max_seats_per_booking: 100 }, pairs });
      const facts = factsAt(START_MS, { newId: idSource() });
      const onBoard = board.free;
      const batch = new Draft(board, START_MS);
      for (const { what, ordinal: number } of steps) {
        const draft = new Draft(batch, START_MS);
        const user = uuidOf('user', String(number));
        if (what === 'hold') decide(draft, hold(user, [seat(number)]), facts, () => []);
        else if (what === 'release') decide(draft, release({ user_id: user }), facts, () => []);
        else decide(draft, block([number]), facts, () => []);
        expect(standings(draft.free)).toEqual(standings(new BoardSeating(draft).index()));
        batch.record(...draft.changes);
        if (number % 2 === 0) expect(batch.free.zone(0)).toEqual(anew(batch).zone(0));
      }
      expect(standings(batch.free)).toEqual(standings(anew(batch)));
      expect(standings(onBoard).every((standing) => standing !== STANDING.gone)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

it('hides the companion seat of a held wheelchair space until the hold ends', () => {
  const board = aBoard({ pairs });
  expect(board.free.standingOf(COMPANION)).toBe(STANDING.protected);
  const draft = new Draft(board, START_MS);
  const user = uuidOf('user');
  decide(draft, hold(user, [seat(SPACE)]), factsAt(START_MS), () => []);
  expect(draft.free.standingOf(COMPANION)).toBe(STANDING.gone);
  const released = new Draft(draft, START_MS);
  released.record({ kind: 'companions', zone: 0, released: true });
  expect(released.free.standingOf(COMPANION)).toBe(STANDING.pool);
  const later = new Draft(draft, START_MS);
  decide(later, release({ user_id: user }), factsAt(START_MS), () => []);
  expect(later.free.standingOf(COMPANION)).toBe(STANDING.protected);
});

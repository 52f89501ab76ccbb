import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FreeSeats, SeatingPlan, STANDING } from '#allocation';
import { uuidOf } from '#kit';
import { SEAT_CATEGORIES } from '#policies';
import { BoardSeating } from './board-seating.ts';
import { decide } from './decide.ts';
import { Draft } from './draft.ts';
import { aBoard, block, factsAt, hold, idSource, release, START_MS, seat } from './test-boards.ts';

const SEATS = 12;
const SPACE = 3;
const COMPANION = 4;

/** The twelve seats of the test board in one row; seat 4 goes with the wheelchair space 3. */
const plan = new SeatingPlan({
  zones: Uint16Array.from({ length: SEATS }, (_, ordinal) => (ordinal < 8 ? 0 : 1)),
  rows: Uint32Array.from({ length: SEATS }, (_, ordinal) => (ordinal < 8 ? 0 : 1)),
  runs: Uint32Array.from({ length: SEATS }, (_, ordinal) => (ordinal < 8 ? 0 : 1)),
  x: Int32Array.from({ length: SEATS }, (_, ordinal) => ordinal * 1_000),
  y: new Int32Array(SEATS),
  categories: Uint8Array.from({ length: SEATS }, (_, ordinal) => {
    const category = { [SPACE]: 'wheelchair', [COMPANION]: 'companion' } as const;
    return SEAT_CATEGORIES.indexOf(category[ordinal as 3 | 4] ?? 'standard');
  }),
  companionOf: Int32Array.from({ length: SEATS }, (_, ordinal) =>
    ordinal === COMPANION ? SPACE : -1,
  ),
  rowNames: ['A', 'B'].map((row) => ({ section: null, row })),
  focalPoints: [
    { x: 0, y: 0 },
    { x: 0, y: 0 },
  ],
});

const standings = (index: FreeSeats) =>
  Array.from({ length: SEATS }, (_, ordinal) => index.standingOf(ordinal));

it('keeps the index of a draft by what the draft changed alone', () => {
  const ordinal = fc.integer({ min: 0, max: SEATS - 1 });
  const step = fc.record({ what: fc.constantFrom('hold', 'release', 'block'), ordinal });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const board = aBoard({ policy: { max_seats_per_booking: 100 } });
      const facts = factsAt(START_MS, { newId: idSource() });
      const onBoard = new BoardSeating(board, plan, new Set()).index();
      const batch = new Draft(board, START_MS);
      let index = onBoard;
      for (const { what, ordinal: number } of steps) {
        const draft = new Draft(batch, START_MS);
        const user = uuidOf('user', String(number));
        if (what === 'hold') decide(draft, hold(user, [seat(number)]), facts, () => []);
        else if (what === 'release') decide(draft, release({ user_id: user }), facts, () => []);
        else decide(draft, block([number]), facts, () => []);
        const seating = new BoardSeating(draft, plan, new Set());
        index = seating.indexAfter(index, draft.seats.keys());
        expect(standings(index)).toEqual(standings(seating.index()));
        batch.record(...draft.changes);
      }
      expect(standings(onBoard).every((standing) => standing !== STANDING.gone)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

it('hides the companion seat of a held wheelchair space until the hold ends', () => {
  const board = aBoard();
  const index = new BoardSeating(board, plan, new Set()).index();
  expect(index.standingOf(COMPANION)).toBe(STANDING.protected);
  const draft = new Draft(board, START_MS);
  const user = uuidOf('user');
  decide(draft, hold(user, [seat(SPACE)]), factsAt(START_MS), () => []);
  const kept = new BoardSeating(draft, plan, new Set());
  const after = kept.indexAfter(index, draft.seats.keys());
  expect(after.standingOf(COMPANION)).toBe(STANDING.gone);
  const released = new BoardSeating(draft, plan, new Set([0]));
  expect(released.index().standingOf(COMPANION)).toBe(STANDING.pool);
  const later = new Draft(draft, START_MS);
  decide(later, release({ user_id: user }), factsAt(START_MS), () => []);
  const free = new BoardSeating(later, plan, new Set());
  expect(free.indexAfter(after, later.seats.keys()).standingOf(COMPANION)).toBe(STANDING.protected);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Command, END_REASONS, type Outcome, wordOf } from './board.ts';
import {
  aBoard,
  aZone,
  block,
  changeConfig,
  hold,
  MINUTE_MS,
  places,
  release,
  START_MS,
  seat,
} from './test-boards.ts';
import { Model, type ModelRules, type ModelWish } from './test-model.ts';
import { Stage } from './test-stage.ts';

const SEATS = 6;
const SOLD = [2];
const RULES: ModelRules = {
  capacity: 5,
  perBooking: 4,
  perUser: 5,
  perIp: 6,
  minutes: 10,
  extension: 5,
  most: 17,
};

type Step =
  | Readonly<{ kind: 'hold'; wish: ModelWish }>
  | Readonly<{ kind: 'extend'; user: string; nth: number }>
  | Readonly<{ kind: 'reduce'; user: string; nth: number; quantity: number }>
  | Readonly<{ kind: 'release'; nths: readonly number[]; owner: string | null; reason: number }>
  | Readonly<{ kind: 'release_of'; user: string | null; owner: string | null }>
  | Readonly<{ kind: 'block' | 'unblock'; seats: readonly number[] }>;

const USER = fc.constantFrom('ann', 'bob', 'eve');
const OWNER = fc.oneof(fc.constant(null), USER);
const NTH = fc.nat(7);
const ITEM = fc.oneof(
  { weight: 3, arbitrary: fc.record({ seat: fc.nat(SEATS) }) },
  { weight: 1, arbitrary: fc.record({ quantity: fc.integer({ min: 1, max: 3 }) }) },
);
const WISH = fc.record({
  user: USER,
  items: fc.array(ITEM, { minLength: 1, maxLength: 3 }),
  cart: fc.constantFrom(null, null, 'cart'),
  ip: fc.constantFrom(null, 'ip'),
  minutes: fc.constantFrom(null, null, 1, 20),
});
const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('hold'), wish: WISH }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('extend'), user: USER, nth: NTH }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('reduce'),
      user: USER,
      nth: NTH,
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('release'),
      nths: fc.array(NTH, { minLength: 1, maxLength: 3 }),
      owner: OWNER,
      reason: fc.nat(END_REASONS.length - 1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('release_of'), user: OWNER, owner: OWNER }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('block', 'unblock'),
      seats: fc.array(fc.nat(SEATS), { minLength: 1, maxLength: 3 }),
    }),
  },
);
const ROUND = fc.record({
  passed_ms: fc.constantFrom(0, 1, MINUTE_MS, 5 * MINUTE_MS, 9 * MINUTE_MS),
  steps: fc.array(STEP, { maxLength: 3 }),
});

function commandOf(step: Step, idOf: (nth: number) => string): Command {
  switch (step.kind) {
    case 'hold': {
      const { user, items, cart, ip, minutes } = step.wish;
      const wanted = items.map((one) => ('seat' in one ? seat(one.seat) : places(1, one.quantity)));
      const hold_seconds = minutes && minutes * 60;
      return hold(user, wanted, { cart_token: cart, ip, hold_seconds });
    }
    case 'extend':
      return { kind: 'extend', user_id: step.user, hold_id: idOf(step.nth) };
    case 'reduce': {
      const { user: user_id, quantity } = step;
      return { kind: 'reduce', user_id, hold_id: idOf(step.nth), quantity };
    }
    case 'release': {
      const hold_ids = step.nths.map(idOf);
      return release({ hold_ids }, step.owner, END_REASONS[step.reason]);
    }
    case 'release_of':
      return release(step.user === null ? 'all' : { user_id: step.user }, step.owner);
    default:
      return block(step.seats, step.kind);
  }
}

/** What the model says to the same step; the real outcome lends it the ids it cannot know. */
function modelled(
  model: Model,
  step: Step,
  outcome: Outcome | undefined,
  now_ms: number,
  idOf: (nth: number) => string,
): string {
  switch (step.kind) {
    case 'hold': {
      const holds = outcome?.kind === 'held' ? outcome.holds : [];
      const known = new Set(model.holds.map(({ id }) => id));
      const fresh = holds.filter(({ hold_id }) => !known.has(hold_id));
      // The model makes seats first, then places.
      const seats = fresh.filter(({ ordinal }) => ordinal >= 0);
      const others = fresh.filter(({ ordinal }) => ordinal < 0);
      const ids = [...seats, ...others].map(({ hold_id }) => hold_id);
      return model.hold(step.wish, now_ms, ids, fresh[0]?.cart_token ?? '');
    }
    case 'extend':
      return model.extend(step.user, idOf(step.nth));
    case 'reduce':
      return model.reduce(step.user, idOf(step.nth), step.quantity);
    case 'release':
      return model.release(step.nths.map(idOf), step.owner);
    case 'release_of':
      return model.release(step.user === null ? 'all' : { user: step.user }, step.owner);
    default:
      return model[step.kind](step.seats);
  }
}

function said(outcome: Outcome | undefined): string | undefined {
  return outcome?.kind === 'refused' ? outcome.code : outcome?.kind;
}

function smallStage(): Stage {
  const zones = [aZone(0, { capacity: SEATS }), aZone(1, { has_seats: false, capacity: 5 })];
  const policy = {
    max_seats_per_booking: RULES.perBooking,
    max_holds_per_user: RULES.perUser,
    max_holds_per_ip: RULES.perIp,
    max_hold_total_minutes: RULES.most,
  };
  return new Stage(aBoard({ seats: Array(SEATS).fill(0), zones, policy, sold: SOLD }));
}

function boardAsList(stage: Stage) {
  const words = Array.from({ length: SEATS }, (_, one) => wordOf(stage.board.codeOf(one)));
  const holds = [...stage.board.holds()].map((one) => ({
    id: one.hold_id,
    seat: one.ordinal,
    user: one.user_id,
    cart: one.cart_token,
    quantity: one.quantity,
    made: one.created_ms,
    until: one.until_ms,
    ip: one.ip,
  }));
  return { words, holds: sorted(holds) };
}

function sorted<Item extends { id: string }>(items: readonly Item[]): Item[] {
  return [...items].sort((one, other) => (one.id < other.id ? -1 : 1));
}

describe('decide', () => {
  it('agrees with a naive model of the rules, wish by wish and seat by seat', () => {
    fc.assert(
      fc.property(fc.array(ROUND, { maxLength: 15 }), (rounds) => {
        const stage = smallStage();
        const model = new Model(SEATS, SOLD, RULES);
        for (const { passed_ms, steps } of rounds) {
          stage.now_ms += passed_ms;
          const known = [...stage.holdIds];
          const idOf = (nth: number) => known.at(-1 - nth) ?? 'none';
          const outcomes = stage.flush(...steps.map((step) => commandOf(step, idOf)));
          model.expire(stage.now_ms);
          steps.forEach((step, index) => {
            const outcome = outcomes[index];
            const expected = modelled(model, step, outcome, stage.now_ms, idOf);
            expect(said(outcome)).toBe(expected);
          });
          const words = model.seats.map((_, one) => model.wordOf(one));
          expect(boardAsList(stage)).toEqual({ words, holds: sorted(model.holds) });
        }
        expect(stage.complaints).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('is pure: the same board, command and facts give the same outcome and changes', () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 12 }), (steps) => {
        const [one, other] = [smallStage(), smallStage()];
        for (const step of steps) {
          const idOf = (nth: number) => one.holdIds.at(-1 - nth) ?? 'none';
          const command = commandOf(step, idOf);
          expect(one.flush(command)).toEqual(other.flush(command));
        }
        expect(one.rows).toEqual(other.rows);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a change of the event', () => {
  const step = (wanted: 'publish' | 'open' | 'end' | 'cancel' | 'postpone' | 'archive') =>
    ({ kind: 'change_event_state', step: wanted, reason: null }) as const;

  it('follows the steps of events, and counts as a version', () => {
    const stage = new Stage(aBoard());
    expect(stage.ask(step('open'))).toEqual({
      kind: 'event_changed',
      from: 'published',
      to: 'live',
    });
    expect(stage.ask(step('open'))).toMatchObject({ code: 'wrong_state' });
    expect(stage.ask(step('end'))).toMatchObject({ to: 'ended' });
    expect(stage.board.config.version).toBe(3);
    expect(stage.ask(hold('ann', [seat(0)]))).toMatchObject({ code: 'event_not_available' });
  });

  it('sells a postponed event again only with a new date that is not over', () => {
    const stage = new Stage(aBoard());
    stage.flush(hold('ann', [seat(0)]), step('postpone'));
    expect(stage.ask(hold('bob', [seat(1)]))).toMatchObject({ code: 'event_not_available' });
    expect(stage.ask(step('publish'))).toMatchObject({ details: { missing: 'starts_at' } });
    const { event } = stage.board.config;
    stage.flush(changeConfig({ event: { ...event, rescheduled: true, ends_ms: START_MS } }));
    expect(stage.ask(hold('bob', [seat(1)]))).toMatchObject({ kind: 'held' });
    expect(stage.ask(step('publish'))).toMatchObject({ details: { missing: 'ends_at' } });
    stage.flush(changeConfig({ event: { ...event, rescheduled: true } }));
    expect(stage.ask(step('publish'))).toMatchObject({ to: 'published' });
    expect(stage.board.holdCount).toBe(2);
  });
});

describe('a change of the config', () => {
  it('is made to what its author has seen', () => {
    const stage = new Stage(aBoard());
    const change = changeConfig({ zones: stage.board.config.zones }, 1);
    expect(stage.ask(change)).toEqual({ kind: 'config_changed', version: 2 });
    expect(stage.ask(change)).toMatchObject({
      code: 'changed_meanwhile',
      details: { version: 2 },
    });
  });

  it('cannot bring zones or take them away', () => {
    const stage = new Stage(aBoard());
    expect(() => stage.flush(changeConfig({ zones: [aZone(0)] }))).toThrow(/zones come and go/);
  });
});

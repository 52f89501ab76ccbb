import fc from 'fast-check';
import { END_REASONS } from './changes.ts';
import type { BestRequest, Command, HoldItem } from './commands.ts';
import {
  aPolicy,
  block,
  changeConfig,
  hold,
  MINUTE_MS,
  ON_SALE,
  places,
  release,
  seat,
  zoneId,
} from './test-boards.ts';

/**
 * Wishes at random. Which hold is meant is only known when it is there, so they name holds by how
 * many came after them.
 */
export type Round = Readonly<{ passed_ms: number; wishes: readonly Command[] }>;

export type Size = { seats: number; gaZone: number; users: number };

const NO_HOLD = '00000000-0000-4000-8000-000000000000';

export function userId(user: number): string {
  return `user ${user}`;
}

/** One seat more than there are, so that some wishes are for a seat that does not exist. */
function anItem({ seats, gaZone }: Size): fc.Arbitrary<HoldItem> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.nat(seats).map(seat) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 4 }).map((n) => places(gaZone, n)) },
    { weight: 1, arbitrary: fc.constant({ zone_id: zoneId(0), quantity: 1 }) },
  );
}

export function aHold(size: Size): fc.Arbitrary<Command & { kind: 'hold' }> {
  return fc
    .record({
      user: fc.nat(size.users - 1),
      items: fc.array(anItem(size), { minLength: 1, maxLength: 4 }),
      cart_token: fc.constantFrom(null, null, 'cart one', 'cart two'),
      ip: fc.constantFrom(null, 'ip one', 'ip two'),
      made_by: fc.constantFrom(null, null, null, 'staff'),
      hold_seconds: fc.constantFrom(null, null, 60, 3_600),
      guest: fc.boolean(),
    })
    .map(({ user, items, ...wanted }) => hold(userId(user), items, wanted));
}

/** The engine chooses, for somebody who may have a cart already. */
export function aBest({ users }: Size): fc.Arbitrary<Command & { kind: 'hold' }> {
  return fc
    .record({
      user: fc.nat(users - 1),
      quantity: fc.integer({ min: 1, max: 4 }),
      accessible: fc.constantFrom(0, 0, 0, 1),
      together: fc.boolean(),
      general_admission: fc.boolean(),
      cart_token: fc.constantFrom(null, 'cart one'),
    })
    .map(({ user, cart_token, ...wanted }) => {
      return hold(userId(user), [], { cart_token, best: { ...BEST, ...wanted } });
    });
}

/** Two seats wherever they are; say what should be different. */
export const BEST: BestRequest = {
  quantity: 2,
  zone_ids: [],
  price_cents: null,
  categories: [],
  accessible: 0,
  together: false,
  general_admission: false,
  people: [],
};

/** The wish with real ids in it. */
export function named(wish: Command, holdIds: readonly string[]): Command {
  const idOf = (nth: string) => holdIds.at(-1 - Number(nth)) ?? NO_HOLD;
  if (wish.kind === 'extend' || wish.kind === 'reduce')
    return { ...wish, hold_id: idOf(wish.hold_id) };
  if (wish.kind !== 'release' || wish.which === 'all' || 'user_id' in wish.which) return wish;
  return { ...wish, which: { hold_ids: wish.which.hold_ids.map(idOf) } };
}

function anExtend({ users }: Size): fc.Arbitrary<Command> {
  const user_id = fc.nat(users - 1).map(userId);
  return fc.record({ kind: fc.constant('extend'), user_id, hold_id: fc.nat(6).map(String) });
}

function aReduction({ users }: Size): fc.Arbitrary<Command> {
  return fc.record({
    kind: fc.constant('reduce'),
    user_id: fc.nat(users - 1).map(userId),
    hold_id: fc.nat(6).map(String),
    quantity: fc.integer({ min: 1, max: 4 }),
  });
}

function aRelease({ users }: Size): fc.Arbitrary<Command> {
  const user = fc.nat(users - 1).map(userId);
  const ids = fc.array(fc.nat(8).map(String), { minLength: 1, maxLength: 3 });
  const which = fc.oneof(
    { weight: 4, arbitrary: ids.map((hold_ids) => ({ hold_ids })) },
    { weight: 2, arbitrary: user.map((user_id) => ({ user_id })) },
    { weight: 1, arbitrary: fc.constant('all' as const) },
  );
  const owner = fc.oneof(fc.constant(null), user);
  return fc
    .tuple(which, owner, fc.constantFrom(...END_REASONS))
    .map(([asked, who, why]) => release(asked, who, why));
}

function aBlock({ seats }: Size): fc.Arbitrary<Command> {
  const ordinals = fc.array(fc.nat(seats * 8), { minLength: 1, maxLength: 4 });
  return fc
    .tuple(fc.constantFrom('block' as const, 'unblock' as const), ordinals)
    .map(([kind, list]) => {
      // Mostly seats that exist, or nearly every such wish would be refused.
      const real = list.map((ordinal) => (ordinal === seats * 8 ? seats : ordinal % seats));
      return block(real, kind);
    });
}

/** Steps and settings that rarely stop the sale, or most of a run would be refusals. */
function aChange(): fc.Arbitrary<Command> {
  const step = fc.constantFrom('open' as const, 'postpone' as const, 'publish' as const);
  const state = step.map((one) => ({
    kind: 'change_event_state' as const,
    step: one,
    reason: null,
  }));
  const limits = fc.record({
    max_seats_per_booking: fc.integer({ min: 2, max: 6 }),
    max_holds_per_user: fc.constantFrom(null, 3, 6),
    max_holds_per_ip: fc.constantFrom(null, 5),
    max_hold_total_minutes: fc.integer({ min: 10, max: 40 }),
    orphan_avoidance_strict: fc.boolean(),
    enforce_accessibility_rules: fc.boolean(),
    companion_release_occupancy_threshold: fc.constantFrom(50, 85),
  });
  const policy = limits.map((wanted) => changeConfig({ policy: aPolicy(wanted) }));
  const again = fc.constant(changeConfig({ event: ON_SALE }));
  const late = fc.constant(changeConfig({ policy: aPolicy() }, 0));
  return fc.oneof(state, policy, policy, again, late);
}

/** Everything that can be wished, holds most of all. */
export function aWish(size: Size): fc.Arbitrary<Command> {
  return fc.oneof(
    { weight: 10, arbitrary: aHold(size) },
    { weight: 3, arbitrary: aBest(size) },
    { weight: 3, arbitrary: anExtend(size) },
    { weight: 2, arbitrary: aReduction(size) },
    { weight: 3, arbitrary: aRelease(size) },
    { weight: 3, arbitrary: aBlock(size) },
    { weight: 1, arbitrary: aChange() },
    { weight: 1, arbitrary: fc.constant({ kind: 'sweep' } as const) },
  );
}

/** Flushes with some time in between, now and then enough for holds to end. */
export function someRounds(wish: fc.Arbitrary<Command>, most = 20): fc.Arbitrary<Round[]> {
  const passed_ms = fc.constantFrom(0, 1, 999, MINUTE_MS, 4 * MINUTE_MS, 10 * MINUTE_MS);
  const round = fc.record({ passed_ms, wishes: fc.array(wish, { maxLength: 4 }) });
  return fc.array(round, { minLength: 1, maxLength: most });
}

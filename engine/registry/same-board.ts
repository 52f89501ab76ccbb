import { isDeepStrictEqual } from 'node:util';
import type { Board, Hold } from '#board';
import { canonicalJson } from '#kit';
import { readPolicy } from '#policies';

/**
 * Are two boards of one plan at one revision the same in all that rules decide by? Digests cover
 * seats, counters, and when holds end, and neither whose they are nor the config. Who has used a
 * key is left aside: the store forgets it when it is old, and a board does not.
 */
export function isSameBoard(one: Board, other: Board): boolean {
  return (
    one.digest === other.digest &&
    one.hash === other.hash &&
    configOf(one) === configOf(other) &&
    canonicalJson(one.tasks) === canonicalJson(other.tasks) &&
    hasSameHolds(one, other) &&
    hasSameCheckouts(one, other)
  );
}

/** All of it; a field that is new in this version may be missing where the log was followed. */
function configOf({ config }: Board): string {
  const read = readPolicy(config.policy);
  const zones = config.zones.map((zone) => ({
    ...zone,
    whitelist: [...zone.whitelist].sort(),
    allowed_roles: [...zone.allowed_roles].sort(),
  }));
  return canonicalJson({ ...config, zones, policy: read.kind === 'policy' ? read.policy : null });
}

const HOLD_FIELDS = Object.keys({
  hold_id: true,
  user_id: true,
  cart_token: true,
  ordinal: true,
  zone: true,
  quantity: true,
  created_ms: true,
  until_ms: true,
  source: true,
  ip: true,
  made_by: true,
  notes: true,
  checkout_id: true,
  people: true,
  unjudged: true,
  settled: true,
} satisfies Record<keyof Hold, true>) as (keyof Hold)[];

export function isSameHold(one: Hold | undefined, other: Hold | undefined): boolean {
  if (!one || !other) return one === other;
  return HOLD_FIELDS.every((field) => {
    if (one[field] === other[field]) return true;
    return field === 'people' && isDeepStrictEqual(sorted(one.people), sorted(other.people));
  });
}

/** The digest has found the same ids. */
function hasSameHolds(one: Board, other: Board): boolean {
  for (const hold of one.holds()) {
    if (!isSameHold(hold, other.holdOf(hold.hold_id))) return false;
  }
  return true;
}

function hasSameCheckouts(one: Board, other: Board): boolean {
  for (const checkout of one.checkouts()) {
    if (checkout.user_id !== other.checkoutOf(checkout.checkout_id)?.user_id) return false;
  }
  return true;
}

function sorted(people: readonly string[] | undefined): string[] | undefined {
  return people && [...people].sort();
}

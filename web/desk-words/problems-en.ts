const count = (number: number) => number.toLocaleString('en-ZA');
/** `1 seat has …`, `529 seats have …`. */
const many = (one: string, more: string) => (number: number) =>
  number === 1 ? `1 ${one}` : `${count(number)} ${more}`;
const both = (one: string, more: string, rest: string) => many(`${one} ${rest}`, `${more} ${rest}`);

/** What is wrong with a plan, by kind; the places are named behind it. */
const KINDS: Readonly<Record<string, (number: number) => string>> = {
  wrong_type: many('value is of the wrong kind', 'values are of the wrong kind'),
  missing_field: many('value is missing', 'values are missing'),
  unknown_field: many('field is not known', 'fields are not known'),
  unknown_value: many('choice is not known', 'choices are not known'),
  not_integer: many('value is not a whole number', 'values are not whole numbers'),
  out_of_range: many('number is too small or too large', 'numbers are too small or too large'),
  not_uuid: many('id is not a UUID', 'ids are not UUIDs'),
  text_blank: many('text is empty', 'texts are empty'),
  text_too_long: many('text is too long', 'texts are too long'),
  text_invalid: both('text', 'texts', 'with characters that are not allowed'),
  list_empty: many('list is too short', 'lists are too short'),
  list_too_long: many('list is too long', 'lists are too long'),
  metadata_too_large: many('note is too large', 'notes are too large'),
  too_many_problems: () => 'There are more problems than are listed here',
  duplicate_key: many('name is in an object twice', 'names are in an object twice'),
  duplicate_zone_name: many('zone has the name of another one', 'zones have the name of another'),
  duplicate_zone_id: many('zone has the id of another one', 'zones have the id of another one'),
  duplicate_label: many(
    'seat has the label of another seat',
    'seats have the label of another seat',
  ),
  duplicate_seat_id: many('seat has the id of another seat', 'seats have the id of another seat'),
  duplicate_group_id: many('group has the id of another one', 'groups have the id of another one'),
  duplicate_seat_number: both('number', 'numbers', 'used twice in a row'),
  duplicate_order: both('position', 'positions', 'used twice in a row'),
  order_incomplete: both('row', 'rows', 'with positions for some of its seats only'),
  ring_impossible: both('round table', 'round tables', 'with an aisle or fewer than three seats'),
  empty_zone: both('zone', 'zones', 'without seats and without a number of places'),
  seats_and_rows: both('zone', 'zones', 'with its seats listed both flat and in rows'),
  seats_not_allowed: both('zone', 'zones', 'with seats, of a type that has none'),
  capacity_mismatch: both('zone', 'zones', 'with another number of places than seats'),
  membership_tier_missing: both('zone', 'zones', 'for members, without a membership tier'),
  tier_invalid: both('membership tier', 'membership tiers', 'that no member can have'),
  allowed_roles_missing: both('zone', 'zones', 'for roles, without any role'),
  too_many_seats: () => 'The layout has too many seats',
  too_much_capacity: () => 'The layout has too many places',
  coordinates_out_of_range: both('seat', 'seats', 'too far away from the middle'),
  seats_overlap: many('seat lies on another seat', 'seats lie on another seat'),
  companion_unknown: both('companion seat', 'companion seats', 'of a seat that does not exist'),
  companion_in_other_zone: both('companion seat', 'companion seats', 'in another zone'),
  companion_not_companion: both('seat', 'seats', 'beside a wheelchair space, not a companion seat'),
  companion_not_wheelchair: both('companion seat', 'companion seats', 'not of a wheelchair space'),
  companion_cycle: both('seat', 'seats', 'each the companion of the other'),
  companion_conflict: both('wheelchair space', 'wheelchair spaces', 'with two companion seats'),
  unknown_zone: many('zone does not exist', 'zones do not exist'),
  unknown_seat: many('seat does not exist', 'seats do not exist'),
  group_zone_mismatch: both('group', 'groups', 'with seats of another zone'),
  group_too_small: both('group', 'groups', 'with too few seats'),
  seat_in_two_groups: many('seat is in two groups', 'seats are in two groups'),
  wheelchair_pair_invalid: both(
    'pair',
    'pairs',
    'that is not a wheelchair space and its companion',
  ),
  zone_type_not_allowed: both('zone', 'zones', 'of a type that your seating policy does not allow'),
  access_mode_not_allowed: both('zone', 'zones', 'with an access that your policy does not allow'),
  category_not_allowed: both('seat', 'seats', 'of a category that your policy does not allow'),
  hybrid_not_allowed: () => 'Your seating policy does not allow seats and open areas in one layout',
};

/** Sentences of the server about one field, in words for the screen. */
const SAYINGS: readonly [RegExp, (...found: string[]) => string][] = [
  [/taken|registered already/, () => 'is used already; choose another one'],
  [/^must have required property/, () => 'is needed'],
  [/^must match format "uri"/, () => 'must be a web address'],
  [/^must match format "email"/, () => 'must be an e-mail address'],
  [/^must match format "date-time"/, () => 'must be a date and a time'],
  [/^must match format/, () => 'does not look right'],
  [/^must match pattern/, () => 'has characters that are not allowed here'],
  [/^must be >= (.+)$/, (least) => `must be at least ${least}`],
  [/^must be <= (.+)$/, (most) => `must be at most ${most}`],
  [/^must NOT have more than (\d+) (character|item)s/, (most) => `is too long: at most ${most}`],
  [/^must NOT have fewer than 1 character/, () => 'must not be empty'],
  [/^must NOT have fewer than (\d+)/, (least) => `needs at least ${least}`],
  [/^must be (integer|number)$/, () => 'must be a number'],
  [
    /^has an unknown field/,
    () => 'has something that this server does not know: load the page again',
  ],
  [
    /has (\d+) places, but the venue (\d+)/,
    (places, most) =>
      `The plan has ${count(Number(places))} places, but the venue takes ${count(Number(most))}. ` +
      'Make the plan smaller, or change how many people the venue takes.',
  ],
];

/** What the server finds wrong, in the words of the screen. */
export const PROBLEMS_EN = {
  field: (label: string, what: string) => `${label}: ${what}`,
  fieldOf: (name: string) => FIELDS[name] ?? `${name}`.replaceAll('_', ' '),
  /** Null: not in the words of this language. */
  saying: (message: string): string | null => {
    for (const [pattern, say] of SAYINGS) {
      const found = pattern.exec(message);
      if (found) return say(...found.slice(1));
    }
    return message;
  },
  httpsOnly: 'The address must begin with https:// and be reachable from the internet.',
  kind: (code: string, number: number) =>
    KINDS[code]?.(number) ?? (number === 1 ? '1 other problem' : `${count(number)} other problems`),
  isKind: (code: string) => code in KINDS,
  /** `hasMore`: there are further places than these. */
  places: (kind: string, names: string, hasMore: boolean) =>
    hasMore ? `${kind}, for example ${names} …` : `${kind}: ${names}`,
  inShape: (number: number, field: string) => `shape ${number}, ${field}`,
  whole: 'the whole plan',
  each: (number: number) => (number === 1 ? 'Where exactly' : `All ${count(number)} places`),
};

const FIELDS: Readonly<Record<string, string>> = {
  url: 'Address',
  address: 'Street address',
  name: 'Name',
  slug: 'Short name in web addresses',
  timezone: 'Time zone',
  description: 'Description',
  max_capacity: 'People allowed in at once',
  kinds: 'Kinds of messages',
  event_ids: 'Events',
  email: 'E-mail address',
  subject: 'Subject',
  role: 'Role',
  tier: 'Membership tier',
  valid_until: 'Valid until',
  expires_in_days: 'Valid for (days)',
  scopes: 'Permissions',
  issuer: 'Issuer',
  jwks_uri: 'Address of the keys',
  audience: 'Audience',
  starts_at: 'Begins',
  ends_at: 'Ends',
  sale_starts_at: 'Sale begins',
  sale_ends_at: 'Sale ends',
  currency: 'Currency',
  days: 'Days',
  prices: 'Prices',
  price_cents: 'Price',
  zones: 'Zones',
  layout: 'Layout',
  layout_id: 'Layout',
  venue_id: 'Venue',
  capacity: 'Places',
  zone_type: 'Type',
  zone: 'Zone',
  reason: 'Reason',
  booking: 'Name',
  holder: 'Customer',
  hold_minutes: 'Minutes',
  people: 'People',
  spec: 'Drawing',
  config: 'Plan',
};

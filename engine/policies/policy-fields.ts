import {
  ACCESS_MODES,
  type AccessMode,
  SEAT_CATEGORIES,
  type SeatCategory,
} from './seating-words.ts';

/**
 * The one table of policy fields. Defaults, validation, the effective policy of an event and the
 * form of an administrator are all read from it, so a field that is added here exists everywhere.
 */

/** `per_event`: may staff override it for one event. Everything here is the owner's to set. */
type Common<T> = Readonly<{ default: T; per_event: boolean; sentence: string }>;

export type YesNoField = Common<boolean> & Readonly<{ kind: 'yes_no' }>;

/**
 * `outside` says what happens to a number beyond the range: it is refused, or moved to the edge.
 */
export type NumberField<T extends number | null> = Common<T> &
  Readonly<{ kind: 'number'; least: number; most: number; outside: 'refuse' | 'clamp' }> &
  Readonly<{ nullable: boolean }>;

export type ChoicesField<T extends string> = Common<readonly T[]> &
  Readonly<{ kind: 'choices'; choices: readonly T[] }>;

export type PolicyField =
  | YesNoField
  | NumberField<number>
  | NumberField<number | null>
  | AnyChoices;
type AnyChoices = ChoicesField<string>;

type Range = { least: number; most: number; outside?: 'refuse' | 'clamp'; per_event?: boolean };

function yesNo(fallback: boolean, sentence: string): YesNoField {
  return Object.freeze({ kind: 'yes_no', default: fallback, per_event: true, sentence });
}

function number(fallback: number, range: Range, sentence: string): NumberField<number> {
  const open = { outside: 'refuse', per_event: true } as const;
  const kind = { kind: 'number', nullable: false } as const;
  return Object.freeze({ ...kind, ...open, ...range, default: fallback, sentence });
}

function limit(fallback: number | null, range: Range, sentence: string) {
  const field = number(0, range, sentence);
  return Object.freeze({ ...field, nullable: true, default: fallback }) as NumberField<
    number | null
  >;
}

function choices<T extends string>(all: readonly T[], sentence: string): ChoicesField<T> {
  return Object.freeze({
    kind: 'choices',
    default: all,
    choices: all,
    per_event: true,
    sentence,
  });
}

/** The longest hold a request or a policy can ask for; longer sleeps are blocks, made by staff. */
const HOLD_MINUTES = { least: 1, most: 60, outside: 'clamp' } as const;

/** Four hours: the longest anybody keeps a buyer on the telephone. */
const HOLD_TOTAL_MINUTES = { least: 1, most: 240, outside: 'clamp' } as const;

/** One flush changes at most 1,000 seats, and a booking must fit into one. */
const SEATS_IN_A_BOOKING = { least: 1, most: 1_000 } as const;

/** No provider keeps a buyer longer on its page, and seats wait for nobody else meanwhile. */
const PAYMENT_MINUTES = { least: 1, most: 15, outside: 'clamp' } as const;

/** A limit on live seats of one holder; no layout has more seats than this. */
const LIVE_SEATS = { least: 1, most: 100_000 } as const;

/** The token bucket belongs to a user of an organization, so one event cannot change it. */
const BUCKET = { least: 1, most: 100_000, per_event: false } as const;
const BUCKET_MINUTES = { least: 1, most: 1_440, per_event: false } as const;

export const POLICY_FIELDS = Object.freeze({
  allow_reserved_seating: yesNo(true, 'Layouts may have zones with reserved seats.'),
  allow_ga_seating: yesNo(true, 'Layouts may have zones without seats, seated or standing.'),
  allow_hybrid_ga_reserved: yesNo(true, 'One layout may mix reserved seats and general admission.'),
  allow_vip_zones: yesNo(false, 'Layouts may have VIP zones.'),
  allowed_access_modes: choices<AccessMode>(ACCESS_MODES, 'The ways a zone may restrict access.'),
  allowed_seat_categories: choices<SeatCategory>(
    SEAT_CATEGORIES,
    'The categories a seat may have.',
  ),
  enforce_accessibility_rules: yesNo(
    true,
    'A held wheelchair space keeps its companion seats from others, and its limit applies.',
  ),
  companion_release_occupancy_threshold: number(
    85,
    { least: 1, most: 100 },
    'Occupancy of the zone in percent from which unclaimed companion seats go to everybody.',
  ),
  max_wheelchair_seats_per_booking: number(
    1,
    { least: 1, most: 100 },
    'How many wheelchair spaces one booking may have.',
  ),
  accessibility_audit_enabled: yesNo(true, 'Bookings of accessible seats are logged.'),
  max_seats_per_booking: number(10, SEATS_IN_A_BOOKING, 'How many seats one booking may have.'),
  orphan_avoidance_strict: yesNo(true, 'A choice that strands a single seat is refused.'),
  allow_orphan_on_request: yesNo(true, 'A buyer who says so may strand a single seat.'),
  group_adjacency_strict: yesNo(
    false,
    'A group sits together in one row or is refused, also when it chooses.',
  ),
  max_group_split: number(2, { least: 1, most: 10 }, 'Over how many rows a group may be split.'),
  prefer_clustering_over_selection: yesNo(
    false,
    'The engine chooses seats together; buyers cannot choose them, except companion seats.',
  ),
  default_hold_ttl_minutes: number(10, HOLD_MINUTES, 'How long a hold lasts.'),
  hold_extension_minutes: number(5, HOLD_MINUTES, 'By how much an extension prolongs a hold.'),
  max_hold_total_minutes: number(
    30,
    HOLD_TOTAL_MINUTES,
    'How long a hold lasts with all its extensions.',
  ),
  payment_minutes: number(15, PAYMENT_MINUTES, 'How long one attempt to pay keeps the seats.'),
  payment_grace_minutes: number(
    3,
    { least: 0, most: 15, outside: 'clamp' },
    'How long a declined buyer keeps the seats to try another card; 0 releases them at once.',
  ),
  max_holds_per_user: limit(null, LIVE_SEATS, 'Live seats one user may hold in an event.'),
  max_holds_per_ip: limit(null, LIVE_SEATS, 'Live seats one address may hold in an event.'),
  max_network_share_percent: limit(
    null,
    { least: 1, most: 100 },
    'Share of an event in percent that buyers of one network (IPv4 /24, IPv6 /48) may hold.',
  ),
  hold_rate_seats: limit(10, BUCKET, 'Seats a user may hold within the minutes of the rate.'),
  hold_rate_minutes: limit(5, BUCKET_MINUTES, 'The time in which the seats of the rate count.'),
  max_daily_entries: limit(
    null,
    { least: 1, most: 1_000 },
    'How often a ticket may come in on one day; without a limit as often as its owner likes.',
  ),
});

export type PolicyFieldName = keyof typeof POLICY_FIELDS;

export const POLICY_FIELD_NAMES = Object.freeze(
  Object.keys(POLICY_FIELDS),
) as readonly PolicyFieldName[];

/** Set by the platform administrator only: what the tenant may neither change nor override. */
export const LOCKED_FIELDS: ChoicesField<PolicyFieldName> = Object.freeze({
  kind: 'choices',
  default: Object.freeze([]),
  choices: POLICY_FIELD_NAMES,
  per_event: false,
  sentence: 'Fields that neither the tenant nor an event may change.',
});

export type PolicyValues = {
  readonly [name in PolicyFieldName]: (typeof POLICY_FIELDS)[name]['default'];
};

export type SeatingPolicy = PolicyValues &
  Readonly<{ kind: 'seating_policy'; locked_fields: readonly PolicyFieldName[] }>;

export function isPolicyFieldName(name: string): name is PolicyFieldName {
  return Object.hasOwn(POLICY_FIELDS, name);
}

import { Type } from 'typebox';
import { Id, Instant, Maybe, Name, Text } from './basics.ts';

const Slug = Type.String({ pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$' });
const Currency = Type.String({ pattern: '^[A-Z]{3}$' });
const Day = Type.String({ format: 'date', description: 'A calendar date at the venue' });
const Days = Type.Array(Day, {
  minItems: 1,
  maxItems: 366,
  description:
    'Calendar days at the venue, within the times of the event. Absent: every day from the ' +
    'beginning to the end; a night that ends before six belongs to the day before.',
});
const Cents = Type.Integer({ minimum: 0, maximum: 100_000_000 });
const EventState = Type.Enum([
  'draft',
  'published',
  'live',
  'ended',
  'cancelled',
  'postponed',
  'archived',
]);

export const EventParams = Type.Object({ event_id: Id });
export const SlugParams = Type.Object({ slug: Slug });

export const NewEvent = Type.Object(
  {
    slug: Slug,
    name: Name(200),
    description: Type.Optional(Maybe(Type.String({ maxLength: 5_000 }))),
    venue_id: Type.Optional(Maybe(Id)),
    starts_at: Instant,
    ends_at: Instant,
    sale_starts_at: Type.Optional(Maybe(Instant)),
    sale_ends_at: Type.Optional(Maybe(Instant)),
    currency: Type.Optional(Currency),
    days: Type.Optional(Days),
  },
  { additionalProperties: false },
);

export const EventChange = Type.Object(
  {
    name: Type.Optional(Name(200)),
    description: Type.Optional(Maybe(Type.String({ maxLength: 5_000 }))),
    venue_id: Type.Optional(Maybe(Id)),
    starts_at: Type.Optional(Instant),
    ends_at: Type.Optional(Instant),
    sale_starts_at: Type.Optional(Maybe(Instant)),
    sale_ends_at: Type.Optional(Maybe(Instant)),
    currency: Type.Optional(Currency),
    days: Type.Optional(Days),
  },
  { additionalProperties: false, minProperties: 1 },
);

const PublicVenue = Type.Object({
  name: Type.String(),
  timezone: Type.String({ description: 'IANA name: times of the event are shown in it' }),
  address: Maybe(Type.String()),
});

export const Event = Type.Object({
  event_id: Id,
  venue_id: Maybe(Id),
  slug: Slug,
  name: Type.String(),
  description: Maybe(Type.String()),
  status: EventState,
  starts_at: Instant,
  ends_at: Instant,
  sale_starts_at: Maybe(Instant),
  sale_ends_at: Maybe(Instant),
  currency: Type.String(),
  days: Type.Array(Type.String()),
  rescheduled_at: Maybe(Instant),
  postponement_reason: Maybe(Type.String()),
  published_at: Maybe(Instant),
  created_at: Instant,
  changed_at: Instant,
});

export const EventFigures = Type.Object({
  places: Type.Integer({ description: 'Of zones that are not closed' }),
  sold: Type.Integer({ description: 'Places that are sold now' }),
  held: Type.Integer(),
  tickets: Type.Integer({ description: 'Valid ones' }),
  tickets_cents: Type.Integer({ description: 'What valid tickets cost together' }),
});

/** An event that was read; what a change answers has no place. */
export const PlacedEvent = Type.Object({
  ...Event.properties,
  timezone: Type.Optional(
    Type.String({ description: 'Of its venue, else of its layout’s, else the organization’s' }),
  ),
  venue: Type.Optional(Maybe(PublicVenue)),
});

/** One event in a list of all. */
export const EventInList = Type.Object({
  ...PlacedEvent.properties,
  figures: Type.Optional(
    Maybe({ ...EventFigures, description: 'Null: there was no time to count them' }),
  ),
});

/** What an event has sold, and what its cancelling would concern. */
export const EventStakes = Type.Object({
  ...EventFigures.properties,
  currency: Type.String(),
  tickets_ended: Type.Integer({ description: 'Voided and refunded ones' }),
  refund_tickets: Type.Integer({
    description: 'Valid tickets for which nothing is owed or paid back yet',
  }),
  refund_cents: Type.Integer({ description: 'What those cost together' }),
  held_places: Type.Integer({ description: 'In carts and held for callers, not being paid for' }),
  paying: Type.Integer({ description: 'Checkouts that wait for a payment' }),
  paying_cents: Type.Integer(),
});

export const EventWithPlan = Type.Object({
  ...PlacedEvent.properties,
  layout: Maybe(
    Type.Object({
      layout_id: Maybe(Id),
      layout_version: Maybe(Type.Integer()),
      zones: Type.Unknown(),
      overrides: Type.Unknown(),
    }),
  ),
  prices: Type.Array(Type.Object({ zone_id: Id, price_cents: Type.Integer() })),
});

const OpenZone = Type.Object(
  {
    name: Name(100),
    zone_type: Type.Enum(['ga_seated', 'ga_standing', 'vip_standing']),
    capacity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    access_mode: Type.Optional(Type.Enum(['public', 'membership_tier', 'role_based', 'whitelist'])),
    membership_tier: Type.Optional(Maybe(Text(64))),
    allowed_roles: Type.Optional(Type.Array(Text(64), { maxItems: 6 })),
  },
  { additionalProperties: false },
);

const Prices = Type.Array(
  Type.Object({ zone_id: Id, price_cents: Cents }, { additionalProperties: false }),
  { minItems: 1, maxItems: 1_000 },
);

/** A layout, or, for general admission alone, the zones themselves. */
export const EventLayoutChoice = Type.Object(
  {
    layout_id: Type.Optional(Id),
    layout_version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    zones: Type.Optional(Type.Array(OpenZone, { minItems: 1, maxItems: 100 })),
    overrides: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    prices: Type.Optional(Prices),
  },
  { additionalProperties: false },
);

const SeatMove = Type.Record(Type.String(), Type.String({ format: 'uuid' }), {
  description: 'Old seat_id to new seat_id; a seat that is not named keeps its id',
  maxProperties: 100_000,
});

const ZoneMove = Type.Record(Type.String(), Type.String({ format: 'uuid' }), {
  description: 'Old zone_id to new zone_id, for zones without seats; others keep their id',
  maxProperties: 1_000,
});

export const EventMigration = Type.Object(
  {
    layout_id: Id,
    layout_version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    mapping: Type.Optional(SeatMove),
    zone_mapping: Type.Optional(ZoneMove),
    overrides: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    prices: Type.Optional(Prices),
    dry_run: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

const Place = Type.Record(Type.String(), Type.String());

export const MigrationReport = Type.Object({
  done: Type.Boolean(),
  possible: Type.Boolean({ description: 'Nobody loses a place' }),
  held: Type.Integer(),
  sold: Type.Integer(),
  kept: Type.Integer(),
  moved: Type.Array(Place),
  lost: Type.Array(Place),
  zones_moved: Type.Array(Place),
  zones_lost: Type.Array(Place),
});

export const PriceList = Type.Object({ prices: Prices }, { additionalProperties: false });

export const StepReason = Type.Object(
  { reason: Type.Optional(Text(500)) },
  { additionalProperties: false },
);

export const PublicEventsQuery = Type.Object(
  {
    after: Type.Optional(Id),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 500 })),
  },
  { additionalProperties: false },
);

export const EventSearch = Type.Object(
  {
    status: Type.Optional(EventState),
    search: Type.Optional(Text(100, { description: 'Part of the name of the event or its venue' })),
    when: Type.Optional(
      Type.Enum(['upcoming', 'past'], {
        description:
          'The next one first, or the last one first; past: it is over by its times or its ' +
          'state. Without it, events come in the order of their making',
      }),
    ),
    figures: Type.Optional(
      Type.Boolean({ description: 'Also what each has sold; needs the scope `figures:read`' }),
    ),
    after: Type.Optional(Id),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 500,
        description: '100 where it is not said; with `figures` 50, and at most 50',
      }),
    ),
  },
  { additionalProperties: false },
);

const Counts = Type.Object({
  available: Type.Integer(),
  held: Type.Integer(),
  sold: Type.Integer(),
  blocked: Type.Integer(),
  total: Type.Integer(),
});

const PublicZone = Type.Object({
  zone_id: Id,
  name: Type.String(),
  zone_type: Type.String(),
  access_mode: Type.String(),
  capacity: Type.Integer(),
  available: Type.Integer(),
  held: Type.Integer(),
  sold: Type.Integer(),
  price_cents: Maybe(Type.Integer()),
});

/** What a shop has to know to offer only what is possible; the board decides all the same. */
const BookingRules = Type.Object({
  max_seats: Type.Integer({ description: 'Of one booking' }),
  max_wheelchair_spaces: Type.Integer(),
  allow_orphan: Type.Boolean({ description: 'A buyer may insist on leaving a single seat' }),
  hold_minutes: Type.Integer(),
  engine_chooses: Type.Boolean({
    description: 'Seats cannot be named, except companion seats: ask for the best available',
  }),
});

export const PublicEventInList = Type.Object({
  event_id: Id,
  slug: Slug,
  name: Type.String(),
  status: EventState,
  starts_at: Instant,
  on_sale: Type.Boolean(),
  sale_starts_at: Maybe(Instant),
  sale_ends_at: Maybe(Instant),
  venue: Maybe(PublicVenue),
  currency: Type.String(),
  from_price_cents: Maybe(Type.Integer({ description: 'The lowest price there is' })),
  occupancy: Counts,
});

export const PublicEvent = Type.Object({
  ...PublicEventInList.properties,
  description: Maybe(Type.String()),
  ends_at: Instant,
  days: Type.Array(Type.String()),
  booking: Maybe(BookingRules),
  layout_id: Maybe(Id),
  layout_version: Maybe(Type.Integer()),
  zones: Type.Array(PublicZone),
});

export const GuestSession = Type.Object({
  token: Type.String(),
  user_id: Id,
  expires_at: Instant,
});

export const Drawing = Type.Unsafe<never>({
  type: 'object',
  description:
    '{layout_id, layout_version, drawing_id, zones[], seats: [{seat_id, label, ordinal, row, ' +
    'number, zone_id, category, x, y, companion_of?}]}',
});

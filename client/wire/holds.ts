import { Type } from 'typebox';
import { Id, Instant, Maybe, Text } from './basics.ts';

/** One flush changes at most 1,000 seats, and a wish must fit into one. */
const MOST_ITEMS = 1_000;

export const HoldSource = Type.Enum(['web', 'scanner', 'offline_sync'], { default: 'web' });
const CartToken = Text(255, { description: 'Ties holds together; one is made when absent' });

export const SeatParams = Type.Object({ event_id: Id, seat_id: Id });
export const HoldParams = Type.Object({ hold_id: Id });

export const ReserveWish = Type.Object(
  { source: Type.Optional(HoldSource), cart_token: Type.Optional(CartToken) },
  { additionalProperties: false },
);

const PERSON = 'For whom, where that is not you: asked for in zones for members or named people';
const SeatItem = Type.Object(
  { seat_id: Id, for_user_id: Type.Optional({ ...Id, description: PERSON }) },
  { additionalProperties: false },
);
const ZoneItem = Type.Object(
  {
    zone_id: Id,
    quantity: Type.Integer({ minimum: 1, maximum: MOST_ITEMS }),
    for_user_ids: Type.Optional(
      Type.Array(Id, { maxItems: MOST_ITEMS, uniqueItems: true, description: PERSON }),
    ),
  },
  { additionalProperties: false },
);
const Items = Type.Array(Type.Union([SeatItem, ZoneItem]), { minItems: 1, maxItems: MOST_ITEMS });

export const HoldWish = Type.Object(
  {
    items: Items,
    cart_token: Type.Optional(CartToken),
    allow_orphan: Type.Optional(
      Type.Boolean({ description: 'A single seat may be left over, where the policy permits it' }),
    ),
    source: Type.Optional(HoldSource),
  },
  { additionalProperties: false },
);

export const CallerHoldWish = Type.Object(
  {
    items: Items,
    for: Text(200, {
      description: 'Whom it is for; without a `caller_id` the same words are the same person',
    }),
    caller_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'A UUID of the caller’s own: the same id is the same person, and `for` is their name',
      }),
    ),
    hold_minutes: Type.Optional(
      Type.Integer({
        description: 'Less than 1 is 1, more than 60 is 60; absent: as the policy says',
      }),
    ),
    notes: Type.Optional(Text(500)),
  },
  { additionalProperties: false },
);

const TimeLeft = {
  held_until: Instant,
  held_until_unix: Type.Integer(),
  expires_in_seconds: Type.Integer(),
};

/** A hold as its holder sees it: a seat, or places in a zone without seats. */
const holdFields = {
  hold_id: Id,
  event_id: Id,
  seat_id: Maybe(Id),
  zone_id: Id,
  quantity: Type.Integer(),
  block_name: Type.String({ description: 'The name of the zone' }),
  label: Maybe(Type.String()),
  section: Maybe(Type.String()),
  row: Maybe(Type.String()),
  seat_number: Maybe(Type.Integer()),
  status: Type.Literal('held'),
  cart_token: Type.String(),
  ...TimeLeft,
};

export const SeatHold = Type.Object(holdFields);

const Orphans = Type.Optional(
  Type.Array(Type.String(), { description: 'Labels of single seats that your cart leaves over' }),
);

export const ReservedSeat = Type.Object({
  ...holdFields,
  server_time: Instant,
  revision: Type.Integer(),
  existing: Type.Optional(Type.Boolean({ description: 'It was yours already' })),
  orphans: Orphans,
  message: Type.String(),
});

const cartFields = {
  cart_token: Type.String(),
  holds: Type.Array(SeatHold),
  ...TimeLeft,
  server_time: Instant,
  revision: Type.Integer(),
  existing: Type.Optional(Type.Boolean({ description: 'All of it was yours already' })),
  orphans: Orphans,
  message: Type.String(),
};

export const HeldCart = Type.Object(cartFields);

/** As many seats as the engine chooses at once, whatever the policy says. */
const MOST_SEATS = 50;
const MOST_OFFERS = 10;

export const BestAvailableWish = Type.Object(
  {
    quantity: Type.Integer({ minimum: 1, maximum: MOST_SEATS }),
    zone_ids: Type.Optional(
      Type.Array(Id, { maxItems: 100, description: 'Absent: wherever you may sit' }),
    ),
    price_cents: Type.Optional(Type.Integer({ minimum: 0, description: 'At this price alone' })),
    categories: Type.Optional(
      Type.Array(Type.Enum(['standard', 'restricted_view', 'aisle']), { maxItems: 3 }),
    ),
    accessible: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_SEATS,
        description: 'How many of them are wheelchair spaces; their companion seats come along',
      }),
    ),
    together: Type.Optional(
      Type.Boolean({ description: 'In one row side by side, or not at all' }),
    ),
    general_admission: Type.Optional(
      Type.Boolean({ description: 'Places in a zone without seats will do' }),
    ),
    allow_orphan: Type.Optional(
      Type.Boolean({ description: 'A single seat may be left over, where the policy permits it' }),
    ),
    for_user_ids: Type.Optional(
      Type.Array(Id, { maxItems: MOST_SEATS, uniqueItems: true, description: PERSON }),
    ),
    preview: Type.Optional(Type.Boolean({ description: 'Hold nothing; show what there is' })),
    alternatives: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MOST_OFFERS, description: 'Offers of a preview; 3' }),
    ),
    cart_token: Type.Optional(CartToken),
    source: Type.Optional(HoldSource),
  },
  { additionalProperties: false },
);

const rowShares = Type.Array(
  Type.Object({ section: Maybe(Type.String()), row: Type.String(), seats: Type.Integer() }),
);

const Score = Type.Object(
  {
    total: Type.Number({ description: 'Lower is better' }),
    parts: Type.Object({
      distance: Type.Number({ description: 'To the focal point, per person' }),
      spread: Type.Number({ description: 'Of those who sit apart, to the largest part' }),
      orphans: Type.Integer({ description: 'Single seats left over' }),
      breaks: Type.Integer({ description: 'In how many pieces more than one' }),
      alone: Type.Integer({ description: 'People with nobody of the group beside them' }),
      other_zone: Type.Integer({ description: '1: a zone that was not asked for' }),
      without_seat: Type.Integer({ description: '1: places instead of seats' }),
    }),
  },
  { description: 'Distances are in units of the drawing' },
);

export const HeldBest = Type.Object({
  ...cartFields,
  adjacent: Type.Boolean({ description: 'All side by side, with what the cart had' }),
  rows: rowShares,
  score: Score,
});

export const BestOffers = Type.Object({
  offers: Type.Array(
    Type.Object({
      zone_id: Id,
      block_name: Type.String(),
      quantity: Type.Integer(),
      seats: Type.Array(Type.Object({ seat_id: Id, label: Type.String() })),
      adjacent: Type.Boolean(),
      rows: rowShares,
      orphans: Type.Array(Type.String()),
      score: Score,
      message: Type.String(),
    }),
  ),
  server_time: Instant,
  revision: Type.Integer(),
});

export const OwnHolds = Type.Object({
  holds: Type.Array(SeatHold),
  companion_seats: Type.Array(Type.Object({ seat_id: Type.String(), label: Type.String() }), {
    description:
      'Free seats that are kept for you, beside a wheelchair space that you hold or have bought',
  }),
  server_time: Instant,
  revision: Type.Integer(),
});

export const ExtendedHold = Type.Object({
  ...holdFields,
  server_time: Instant,
  revision: Type.Integer(),
});

export const ReduceWish = Type.Object(
  {
    quantity: Type.Integer({
      minimum: 1,
      maximum: MOST_ITEMS,
      description: 'Places that are left, never more than there are',
    }),
  },
  { additionalProperties: false },
);

export const ReducedHold = Type.Object({
  ...holdFields,
  released_count: Type.Integer({ description: 'Places that became free; 0: it had so many' }),
  server_time: Instant,
  revision: Type.Integer(),
  message: Type.String(),
});

const placeFields = {
  hold_id: Id,
  seat_id: Maybe(Id),
  zone_id: Id,
  quantity: Type.Integer(),
  block: Type.String(),
  row: Maybe(Type.String()),
  number: Maybe(Type.Integer()),
};

export const ReleasedHolds = Type.Object({
  status: Type.Literal('released'),
  released_seats: Type.Array(Type.Object(placeFields)),
  released_count: Type.Integer({ description: 'Seats and places; 0 when it had ended before' }),
  not_released: Type.Array(
    Type.Object({ ...placeFields, reason: Type.Literal('payment_in_progress') }),
    { description: 'What is still held, and why' },
  ),
  revision: Type.Integer(),
  message: Type.String(),
});

export const ReleaseWish = Type.Object(
  {
    hold_ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: MOST_ITEMS })),
    user_id: Type.Optional(Id),
    event_id: Type.Optional(Id),
    reason: Text(200),
    notes: Type.Optional(Text(200)),
    force: Type.Optional(Type.Boolean({ description: 'Also while a payment is under way' })),
  },
  { additionalProperties: false },
);

export const StaffRelease = Type.Object({
  status: Type.Literal('released'),
  seats_released: Type.Integer(),
  holds: Type.Array(Type.Object({ hold_id: Id, outcome: Type.String() })),
  not_released: Type.Array(Type.Object({ hold_id: Id, reason: Type.String() }), {
    description: 'What is still held, and why: `payment_in_progress`, or `event_busy` and the like',
  }),
  reason: Type.Literal('admin_override'),
  message: Type.String(),
});

export const BlockWish = Type.Object(
  {
    seat_ids: Type.Array(Id, { minItems: 1, maxItems: 10_000 }),
    reason: Text(500),
  },
  { additionalProperties: false },
);

export const BlockedSeats = Type.Object({
  status: Type.Enum(['blocked', 'unblocked']),
  seats: Type.Integer({ description: 'Seats that changed, or will in the next moments' }),
  unchanged: Type.Integer(),
  revision: Type.Integer(),
});

const staffFields = {
  user_id: Id,
  holder: Maybe(Type.String({ description: 'The name of who holds it, where one is known' })),
  source: Type.String(),
  made_by: Maybe(Id),
  notes: Maybe(Type.String()),
  checkout_id: Maybe(
    Type.String({ format: 'uuid', description: 'The checkout that it is part of' }),
  ),
  paying: Type.Boolean({ description: 'A payment for it is under way: only `force` releases it' }),
  created_at: Instant,
};

/** For staff: who holds it, and why. */
export const StaffHold = Type.Object({ ...holdFields, ...staffFields });

/** What a release may name at once, so that a page of holds can be released. */
const HoldLimit = Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_ITEMS, default: 500 }));
const holdFilters = {
  user_id: Type.Optional(Id),
  seat_id: Type.Optional(Id),
  zone_id: Type.Optional(Id),
  checkout_id: Type.Optional(Id),
  paying: Type.Optional(Type.Boolean({ description: 'Whether a payment is under way' })),
  due_within: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 3_600, description: 'Ends within so many seconds' }),
  ),
};

export const EventHoldsQuery = Type.Object(
  { ...holdFilters, after: Type.Optional(Id), limit: HoldLimit },
  { additionalProperties: false },
);

export const HoldStatus = Type.Enum(['held', 'converted', 'expired', 'cancelled']);

export const HoldsQuery = Type.Object(
  {
    status: Type.Optional({ ...HoldStatus, default: 'held' }),
    event_id: Type.Optional(Id),
    ...holdFilters,
    from: Type.Optional({ ...Instant, description: 'Made at this time or later' }),
    to: Type.Optional({ ...Instant, description: 'Made before this time' }),
    before: Type.Optional(Id),
    limit: HoldLimit,
  },
  { additionalProperties: false },
);

/** A hold of any event, also one that has ended. */
export const HoldEntry = Type.Object({
  hold_id: Id,
  event_id: Id,
  event_name: Type.String(),
  status: HoldStatus,
  seat_id: Maybe(Id),
  zone_id: Maybe(Id),
  block_name: Maybe(Type.String({ description: 'The name of the zone' })),
  label: Maybe(Type.String({ description: 'Null: a zone, or a seat that the plan has no more' })),
  quantity: Type.Integer(),
  ...staffFields,
  held_until: Instant,
  ended_at: Maybe(Instant),
  end_reason: Maybe(Type.String()),
});

export const Whitelist = Type.Object(
  { user_ids: Type.Array(Id, { maxItems: 10_000, uniqueItems: true }) },
  { additionalProperties: false },
);
export const ZoneParams = Type.Object({ id: Id, zone_id: Id });

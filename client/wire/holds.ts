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

const SeatItem = Type.Object({ seat_id: Id }, { additionalProperties: false });
const ZoneItem = Type.Object(
  { zone_id: Id, quantity: Type.Integer({ minimum: 1, maximum: MOST_ITEMS }) },
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
    for: Text(200, { description: 'Whom it is for; the same words are the same person' }),
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

export const ReservedSeat = Type.Object({
  ...holdFields,
  server_time: Instant,
  revision: Type.Integer(),
  existing: Type.Optional(Type.Boolean({ description: 'It was yours already' })),
  message: Type.String(),
});

export const HeldCart = Type.Object({
  cart_token: Type.String(),
  holds: Type.Array(SeatHold),
  ...TimeLeft,
  server_time: Instant,
  revision: Type.Integer(),
  existing: Type.Optional(Type.Boolean({ description: 'All of it was yours already' })),
  message: Type.String(),
});

export const OwnHolds = Type.Object({
  holds: Type.Array(SeatHold),
  server_time: Instant,
  revision: Type.Integer(),
});

export const ExtendedHold = Type.Object({
  ...holdFields,
  server_time: Instant,
  revision: Type.Integer(),
});

export const ReleasedHolds = Type.Object({
  status: Type.Literal('released'),
  released_seats: Type.Array(
    Type.Object({
      hold_id: Id,
      seat_id: Maybe(Id),
      zone_id: Id,
      quantity: Type.Integer(),
      block: Type.String(),
      row: Maybe(Type.String()),
      number: Maybe(Type.Integer()),
    }),
  ),
  released_count: Type.Integer({ description: 'Seats and places; 0 when it had ended before' }),
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

/** For staff: who holds it, and why. */
export const StaffHold = Type.Object({
  ...holdFields,
  user_id: Id,
  source: Type.String(),
  made_by: Maybe(Id),
  notes: Maybe(Type.String()),
  created_at: Instant,
});

export const Whitelist = Type.Object(
  { user_ids: Type.Array(Id, { maxItems: 10_000, uniqueItems: true }) },
  { additionalProperties: false },
);
export const ZoneParams = Type.Object({ id: Id, zone_id: Id });

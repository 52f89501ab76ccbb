import { Type } from 'typebox';
import { Id, Instant } from './basics.ts';

const counts = {
  available: Type.Integer(),
  held: Type.Integer(),
  sold: Type.Integer(),
};

export const Availability = Type.Object({
  revision: Type.Integer(),
  layout_version: Type.Integer(),
  seats: Type.String({
    description:
      'Base64. Seat o is (bytes[o >> 2] >> ((o & 3) * 2)) & 3: 0 available, 1 held, 2 sold, ' +
      '3 blocked, disabled or kept back',
  }),
  zones: Type.Array(Type.Object({ zone_id: Id, ...counts, capacity: Type.Integer() })),
});

export const SeatStatus = Type.Object({
  seat_id: Id,
  label: Type.String(),
  status: Type.Enum(['available', 'held', 'sold', 'blocked']),
  expires_in_seconds: Type.Optional(Type.Integer()),
  mine: Type.Boolean(),
});

const occupied = {
  ...counts,
  blocked: Type.Integer(),
  total: Type.Integer(),
  percent_available: Type.Number(),
  percent_held: Type.Number(),
  percent_sold: Type.Number(),
};

const occupancyFields = {
  revision: Type.Integer(),
  ...occupied,
  live_attendees: Type.Integer({ description: 'Who came in today and has not left' }),
  zones: Type.Array(
    Type.Object({ zone_id: Id, name: Type.String(), ...occupied, live_attendees: Type.Integer() }),
  ),
  timestamp: Instant,
};

export const Occupancy = Type.Object(occupancyFields);

/** For staff: also how well it is filled. Ratios are parts of 1. */
export const StaffOccupancy = Type.Object({
  ...occupancyFields,
  seating: Type.Object({
    orphans: Type.Integer({ description: 'Free seats with nobody free beside them' }),
    orphan_ratio: Type.Number({ description: 'Of all seats' }),
    vip_utilisation: Type.Number({ description: 'VIP places held or sold' }),
    accessibility_utilisation: Type.Number({
      description: 'Wheelchair spaces among all seats that are held or sold',
    }),
    alerts: Type.Array(Type.String()),
  }),
});

export const StreamQuery = Type.Object(
  {
    lineage: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Of the last frame you have; with Last-Event-ID only what you missed is sent',
      }),
    ),
  },
  { additionalProperties: false },
);

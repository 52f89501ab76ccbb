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

export const Occupancy = Type.Object({
  revision: Type.Integer(),
  ...occupied,
  live_attendees: Type.Integer({ description: 'Who came in today and has not left' }),
  zones: Type.Array(
    Type.Object({ zone_id: Id, name: Type.String(), ...occupied, live_attendees: Type.Integer() }),
  ),
  timestamp: Instant,
});

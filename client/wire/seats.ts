import { Type } from 'typebox';
import { Id, Instant, Maybe } from './basics.ts';
import { StaffHold } from './holds.ts';
import { StaffTicket } from './tickets.ts';

export const StaffSeatParams = Type.Object({ id: Id, seat_id: Id });

/** One seat for staff: what it is, and why. */
export const StaffSeat = Type.Object({
  seat_id: Id,
  label: Type.String(),
  zone_id: Id,
  block_name: Type.String({ description: 'The name of the zone' }),
  section: Maybe(Type.String()),
  row: Type.String(),
  seat_number: Type.Integer(),
  price_cents: Maybe(Type.Integer()),
  status: Type.Enum(['available', 'held', 'sold', 'blocked']),
  why: Type.Enum(['free', 'held', 'sold', 'blocked', 'layout', 'companion'], {
    description:
      '`layout`: closed since the event was planned; `companion`: kept beside a wheelchair space',
  }),
  hold: Maybe(StaffHold),
  ticket: Maybe(StaffTicket),
  block: Maybe(
    Type.Object({
      reason: Maybe(Type.String()),
      at: Instant,
      actor_kind: Type.String(),
      actor_id: Maybe(Id),
      actor_role: Maybe(Type.String()),
      actor_name: Maybe(Type.String()),
    }),
  ),
  kept_for: Maybe(Type.String({ description: 'The label of the wheelchair space' })),
  server_time: Instant,
  revision: Type.Integer(),
});

export const EventBlocksQuery = Type.Object(
  {
    before: Type.Optional(Type.Integer({ minimum: 1, description: 'The last `block_id` seen' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  },
  { additionalProperties: false },
);

/** Seats that are out of the sale for one reason: each blocked seat is in one of them. */
export const EventBlock = Type.Object({
  block_id: Maybe(
    Type.Integer({ description: 'Its number in the event’s audit log; null: closed when planned' }),
  ),
  at: Maybe(Instant),
  reason: Maybe(Type.String()),
  actor_kind: Maybe(Type.String()),
  actor_id: Maybe(Id),
  actor_role: Maybe(Type.String()),
  actor_name: Maybe(Type.String()),
  seat_ids: Type.Array(Id),
  needs_reseating: Type.Array(Id, { description: 'Those of them that have a ticket' }),
  is_cut: Type.Optional(
    Type.Boolean({
      description:
        'True: among these seats are some that were closed before the newest 2,000 entries, ' +
        'which are looked through',
    }),
  ),
});

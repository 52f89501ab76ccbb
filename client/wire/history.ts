import { Type } from 'typebox';
import { Id, Instant, Maybe } from './basics.ts';

const Revision = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const BoardQuery = Type.Object(
  { revision: Type.Optional(Revision), at: Type.Optional(Instant) },
  { additionalProperties: false },
);

const zoneAt = {
  zone_id: Id,
  capacity: Type.Integer(),
  available: Type.Integer(),
  held: Type.Integer(),
  sold: Type.Integer(),
  blocked: Type.Integer(),
};

export const PastBoard = Type.Object({
  revision: Type.Integer(),
  at: Instant,
  lineage: Type.String(),
  layout_version: Type.Integer(),
  event_status: Type.String(),
  seats: Type.String({ description: 'As in availability; holds as the log had them' }),
  zones: Type.Array(Type.Object({ name: Type.String(), ...zoneAt })),
  holds: Type.Integer({ description: 'Live ones' }),
  checkouts: Type.Integer({ description: 'Open ones' }),
  digest: Type.String({ description: 'Of seats, numbers, holds and checkouts' }),
  rows: Type.Integer({ description: 'Rows of the log that were applied to a snapshot' }),
  matches: Maybe(Type.Boolean({ description: 'Is it the board in memory? Null: it is older' })),
});

export const ChangesQuery = Type.Object(
  {
    after: Type.Optional(Revision),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
    map: Type.Optional(
      Type.Boolean({ description: 'Also what each row has changed on the map, for a replay' }),
    ),
  },
  { additionalProperties: false },
);

export const ExportQuery = Type.Object(
  { after: Type.Optional(Revision) },
  { additionalProperties: false },
);

const ToldPlace = Type.Object({
  hold_id: Type.Optional(Id),
  ticket_id: Type.Optional(Id),
  seat_id: Type.Optional(Id),
  label: Type.Optional(Type.String()),
  zone_id: Type.String(),
  quantity: Type.Integer(),
  user_id: Type.Optional(Id),
});

export const ToldRow = Type.Object({
  revision: Type.Integer(),
  at: Instant,
  changes: Type.Array(
    Type.Object({
      kind: Type.String({
        description:
          'seat_held, seat_released, seat_sold, seat_blocked, seat_unblocked, hold_expired, …',
      }),
      user_id: Type.Optional(Id),
      reason: Type.Optional(
        Type.String({
          description:
            'Of holds that ended the code (ttl_expired, user_cancelled, payment_failed, ' +
            'admin_override, event_cancelled); else what staff said',
        }),
      ),
      note: Type.Optional(
        Type.String({ description: 'What staff or the buyer said about the end of a hold' }),
      ),
      made_by: Type.Optional(Type.String()),
      source: Type.Optional(Type.String()),
      held_until: Type.Optional(Instant),
      checkout_id: Type.Optional(Id),
      amount_cents: Type.Optional(Type.Integer()),
      places: Type.Optional(Type.Array(ToldPlace)),
    }),
  ),
  map: Type.Optional(
    Type.Object(
      {
        seats: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
          description: '[ordinal, state] of seats that are different after this row',
        }),
        zones: Type.Array(Type.Object(zoneAt), { description: 'Those that are different' }),
      },
      { description: 'On request; absent where a new layout begins: ask for the board there' },
    ),
  ),
});

const period = { from: Type.Optional(Instant), to: Type.Optional(Instant) };

export const HistoryQuery = Type.Object(
  {
    ...period,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 1_440 })),
    every: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_440,
        default: 1,
        description: 'Minutes: of each such stretch the last snapshot',
      }),
    ),
  },
  { additionalProperties: false },
);

export const OccupancyAt = Type.Object({
  snapshot_at: Instant,
  revision: Type.Integer(),
  available_count: Type.Integer(),
  held_count: Type.Integer(),
  sold_count: Type.Integer(),
  blocked_count: Type.Integer(),
  live_attendees: Type.Integer(),
  occupancy_percent: Type.Number(),
});

export const ActivityQuery = Type.Object(
  { ...period, bucket: Type.Optional(Type.Enum(['minute', 'quarter', 'hour', 'day'])) },
  { additionalProperties: false },
);

const many = Type.Integer();

export const Activity = Type.Object({
  revision: Type.Integer({ description: 'Of the log that was counted' }),
  buckets: Type.Array(
    Type.Object({
      bucket: Instant,
      seats_held: many,
      holds: many,
      checked_out: Type.Integer({ description: 'Holds that came to a checkout' }),
      converted: Type.Integer({ description: 'Holds that became tickets' }),
      checkouts_started: many,
      payments_initiated: many,
      checkouts_completed: many,
      tickets: many,
      expired: many,
      released: many,
      checkouts_abandoned: many,
      entries: many,
      refused: Type.Integer({ description: 'Wishes to hold something that were refused' }),
      page_views: Type.Integer({ description: 'Looks of the public at the event’s page' }),
    }),
  ),
  refusals: Type.Array(
    Type.Object({ code: Type.String(), refused: many }, { description: 'By their error code' }),
  ),
  funnel: Type.Object({
    page_view: Type.Integer({ description: 'Looks of the public at the event’s page' }),
    seat_held: many,
    checkout_started: many,
    payment_initiated: many,
    payment_completed: many,
    tickets: many,
    ticket_scanned: many,
    to_checkout: Type.Number({ description: 'Holds that came to a checkout, as a part of 1' }),
    conversion: Type.Number({ description: 'Holds that became tickets, as a part of 1' }),
    abandonment: Type.Number({ description: 'Holds that ended without a ticket' }),
    expiry: Type.Number({ description: 'Holds whose time ran out' }),
  }),
});

import { Type } from 'typebox';
import { Id, Instant, Maybe, NextAfter, NextDue } from './basics.ts';

export const RegistryQuery = Type.Object(
  {
    event_id: Id,
    due_within: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_600,
        description:
          'Also list holds that end within so many seconds, as Redis has them, 500 at once',
      }),
    ),
    due_after: Type.Optional(
      Type.String({
        pattern: '^\\d{1,15}(?:\\.\\d{1,6})?-[^\\s]{1,100}$',
        description: 'With `due_within`: go on after the last hold of the page before',
      }),
    ),
  },
  { additionalProperties: false },
);

const Count = Type.Object({ count: Type.Integer(), digest: Type.String() });

const Difference = Type.Object({
  tier: Type.Enum(['memory', 'redis']),
  what: Type.Enum(['holds', 'seats', 'board', 'revision', 'bitmap', 'occupancy']),
  count: Type.Integer(),
  ids: Type.Array(Id, { description: 'Some of the holds or seats' }),
});

export const RegistryStatus = Type.Object({
  memory: Count,
  redis: Type.Optional(Count),
  postgres: Count,
  consistent: Type.Boolean(),
  status: Type.Enum(['ok', 'stale', 'redis_unavailable']),
  differences: Type.Array(Difference, {
    description: 'What the memory of this node and Redis do not have as Postgres has it',
  }),
  filling: Type.Optional(
    Type.Boolean({
      description: 'Only Redis differs: a node is still writing the event to it, by itself',
    }),
  ),
  message: Type.String(),
  breaker: Type.Optional(Type.Enum(['closed', 'open', 'half_open'])),
  due: Type.Optional(
    Type.Array(
      Type.Object({
        hold_id: Id,
        held_until: Instant,
        seat_id: Maybe(Id),
        zone_id: Maybe(Id),
        quantity: Type.Integer(),
        user_id: Maybe(Id),
      }),
    ),
  ),
  next: Type.Optional(NextDue),
});

export const ReconcileWish = Type.Object(
  {
    event_id: Type.Optional(Id),
    after: Type.Optional({ ...Id, description: 'Of all events: go on where `next` says' }),
  },
  { additionalProperties: false },
);

export const Reconciled = Type.Object({
  events: Type.Integer(),
  holds: Type.Integer(),
  reloaded: Type.Integer({ description: 'Boards of this node that were loaded anew' }),
  written: Type.Integer(),
  removed: Type.Integer(),
  failed: Type.Integer({
    description: 'Events of which the board could not be loaded, or Redis not be written',
  }),
  reason: Type.Optional(Type.String({ description: 'Why the first of them failed' })),
  next: Type.Optional(NextAfter),
  message: Type.String(),
});

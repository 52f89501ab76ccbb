import { Type } from 'typebox';
import { Id, Instant, Maybe, Text } from './basics.ts';

export const AuditRecord = Type.Object({
  chain_id: Id,
  sequence: Type.Integer(),
  at: Instant,
  actor_kind: Type.String(),
  actor_id: Maybe(Id),
  actor_role: Maybe(Type.String()),
  actor_name: Type.Optional(
    Maybe(
      Type.String({
        description:
          'Of the person or the API key as it is called now; of a person without a name the ' +
          'address, or the `sub` of the tokens. Of customers for those who may read tickets',
      }),
    ),
  ),
  actor_erased: Type.Optional(
    Type.Boolean({ description: 'What was personal about this person was erased' }),
  ),
  action: Type.String(),
  entity_type: Type.String(),
  entity_id: Maybe(Id),
  changes: Type.Record(Type.String(), Type.Unknown()),
  ip_address: Maybe(Type.String()),
  user_agent: Maybe(Type.String()),
  seat_labels: Type.Array(Type.String(), {
    description: 'Of seats that `changes` names, by the present layout of the event',
  }),
  user_id: Maybe(Type.Unsafe<string>({ ...Id, description: 'Whom it happened to, if it says so' })),
  user_name: Maybe(Type.String({ description: 'For those who may read tickets' })),
});

const EventChain = Type.Optional(
  Type.Unsafe<string>({
    ...Id,
    description: 'The trail of this event instead of the organization',
  }),
);

const SEAT = Text(100, {
  description: 'Who had this seat: a label or an id. Together with `event_id`',
});
const USER = Text(254, {
  description:
    'Whom it happened to, and what they did as staff: an id or, with `tickets:read`, an address ' +
    'of e-mail. What happened to holds and tickets is in the log of their event (`event_id`)',
});

export const AuditSearch = Type.Object(
  {
    event_id: EventChain,
    actor: Type.Optional(
      Text(254, {
        description:
          'Who did it: an id, or a part of the name or address of a member, or of the name of an ' +
          'API key. Instead of `actor_id`',
      }),
    ),
    actor_id: Type.Optional(Id),
    entity_id: Type.Optional(Id),
    seat: Type.Optional(SEAT),
    user: Type.Optional(USER),
    checkout_id: Type.Optional(
      Type.Unsafe<string>({
        ...Id,
        description:
          'What happened to this checkout and its holds, payments, tickets and refunds; in the ' +
          'log of its event',
      }),
    ),
    action: Type.Optional(Text(100)),
    from: Type.Optional(Instant),
    to: Type.Optional(Instant),
    before: Type.Optional(
      Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'A sequence' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  },
  { additionalProperties: false },
);

export const AuditVerdict = Type.Object({
  ok: Type.Boolean(),
  rows: Type.Integer({ description: 'Rows that were looked at' }),
  first_bad: Maybe(
    Type.Object({
      sequence: Type.Integer(),
      problem: Type.Enum(['altered', 'missing', 'unexpected']),
    }),
  ),
  next: Type.Optional(
    Type.Object(
      { after: Type.Integer(), hash: Type.String() },
      { description: '`limit` rows were looked at and are good; more follow' },
    ),
  ),
});

export const AuditChain = Type.Object({ event_id: EventChain }, { additionalProperties: false });

export const AuditStart = Type.Object(
  {
    event_id: EventChain,
    after: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Begin after this row, whose hash you trust',
      }),
    ),
    hash: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: 'Look at so many rows at most; go on with `next`',
      }),
    ),
  },
  { additionalProperties: false },
);

/** A signed statement about the end of the chain, to be kept elsewhere. */
export const AuditHead = Type.Object({
  organization_id: Id,
  chain_id: Id,
  count: Type.Integer(),
  hash: Type.String(),
  at: Instant,
  signature: Type.String({ description: 'Ed25519 over the JSON array of the fields above' }),
  public_key: Type.String(),
});

export const Erasure = Type.Object({ user_id: Id, contexts_erased: Type.Integer() });

const Named = Type.Array(Type.Object({ id: Id, name: Maybe(Type.String()) }));

/** A request for seats or places that was refused. */
export const Refusal = Type.Object({
  refusal_id: Id,
  event_id: Maybe(Id),
  at: Instant,
  code: Type.String({ description: 'The code of the answer' }),
  user_id: Maybe(Id),
  user_name: Maybe(Type.String({ description: 'For those who may read tickets' })),
  seats: Named,
  zones: Named,
  ip_hash: Maybe(
    Type.String({ description: 'A keyed hash: the same for the same address and organization' }),
  ),
  user_agent: Maybe(Type.String()),
  times: Type.Integer({ description: 'More than 1: counted, because there were too many' }),
});

export const RefusalSearch = Type.Object(
  {
    event_id: Type.Optional(Id),
    seat: Type.Optional(Text(100, { description: 'A label or an id. Together with `event_id`' })),
    user: Type.Optional(
      Text(254, { description: 'An id or, with `tickets:read`, an address of e-mail' }),
    ),
    code: Type.Optional(Text(100)),
    from: Type.Optional(Instant),
    to: Type.Optional(Instant),
    before: Type.Optional(
      Type.Unsafe<string>({ ...Id, description: 'The last `refusal_id` of the page before' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  },
  { additionalProperties: false },
);

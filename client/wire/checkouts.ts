import { Type } from 'typebox';
import { Id, Instant, Maybe, Text } from './basics.ts';

const MOST_HOLDS = 1_000;

export const CheckoutParams = Type.Object({ id: Id });

export const CheckoutWish = Type.Object(
  {
    event_id: Id,
    hold_ids: Type.Optional(
      Type.Array(Id, {
        minItems: 1,
        maxItems: MOST_HOLDS,
        description: 'Absent: those of the cart, or everything you hold in the event',
      }),
    ),
    cart_token: Type.Optional(Text(255)),
    allow_orphan: Type.Optional(
      Type.Boolean({ description: 'A single seat may be left over, where the policy permits it' }),
    ),
  },
  { additionalProperties: false },
);

const CheckoutItem = Type.Object({
  hold_id: Id,
  seat_id: Maybe(Id),
  zone_id: Id,
  block_name: Maybe(Type.String()),
  label: Maybe(Type.String()),
  row: Maybe(Type.String()),
  seat_number: Maybe(Type.Integer()),
  quantity: Type.Integer(),
  price_cents: Type.Integer({ description: 'Of one seat or place' }),
  total_cents: Type.Integer(),
});

export const CheckoutStatus = Type.Enum([
  'started',
  'paying',
  'completed',
  'abandoned',
  'failed',
  'cancelled',
]);

export const CheckoutReply = Type.Object({
  checkout_id: Id,
  event_id: Id,
  status: CheckoutStatus,
  items: Type.Array(CheckoutItem),
  total_cents: Type.Integer(),
  currency: Type.String(),
  expires_at: Maybe(Type.String({ format: 'date-time', description: 'When its first hold ends' })),
  expires_in_seconds: Maybe(Type.Integer()),
  declined: Type.Boolean({ description: 'The last payment was declined; try another' }),
  attempts: Type.Array(
    Type.Object({
      attempt_id: Id,
      status: Type.Enum(['pending', 'failed', 'succeeded', 'refund_due', 'refunded']),
      amount_cents: Type.Integer(),
      deadline: Instant,
      pay_url: Maybe(Type.String({ description: 'While it is pending: where it is paid' })),
    }),
  ),
  server_time: Instant,
  existing: Type.Optional(Type.Boolean({ description: 'It was open already' })),
});

export const PayWish = Type.Object(
  {
    provider: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9_-]{1,40}$',
        description: 'Who takes the money: one of those that the operator has named',
      }),
    ),
  },
  { additionalProperties: false },
);

export const PayReply = Type.Object({
  checkout_id: Id,
  status: Type.Enum(['paying', 'completed'], {
    description: 'completed: there is nothing to pay, and the tickets are made',
  }),
  attempt_id: Maybe(Id),
  deadline: Maybe(Instant),
  amount_cents: Type.Integer(),
  currency: Type.String(),
  pay_url: Maybe(Type.String({ description: 'Where the buyer pays' })),
});

export const CancelWish = Type.Object(
  { reason: Type.Optional(Type.Literal('user_cancelled')), notes: Type.Optional(Text(500)) },
  { additionalProperties: false },
);

export const CancelReply = Type.Object({
  status: Type.Literal('cancelled'),
  checkout_id: Id,
  released_seats: Type.Array(
    Type.Object({
      seat_id: Maybe(Id),
      zone_id: Id,
      block: Type.String(),
      row: Maybe(Type.String()),
      number: Maybe(Type.Integer()),
      quantity: Type.Integer(),
    }),
  ),
  released_count: Type.Integer(),
  message: Type.String(),
});

export const ProviderParams = Type.Object({
  provider: Type.String({ pattern: '^[a-z0-9_-]{1,40}$' }),
});

/** What a provider sends, signed over the very bytes. */
export const PaymentBody = Type.Object({
  id: Text(255, { description: 'Names this message; a repeat is heard once' }),
  type: Type.Enum(['payment.succeeded', 'payment.failed', 'payment.refunded']),
  attempt_id: Id,
  amount_cents: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  created: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
});

export const PaymentReply = Type.Object({
  status: Type.Literal('processed'),
  outcome: Type.Enum([
    'completed',
    'declined',
    'refund_due',
    'amount_mismatch',
    'refunded',
    'ignored',
  ]),
  checkout_id: Id,
  checkout_status: CheckoutStatus,
  repeated: Type.Boolean(),
});

import { Type } from 'typebox';
import { Id, Instant, Maybe, Text } from './basics.ts';

/** What an endpoint can be told. */
export const WEBHOOK_KIND_NAMES = [
  'seat_held',
  'hold_extended',
  'hold_reduced',
  'hold_expired',
  'seat_released',
  'seat_sold',
  'seat_blocked',
  'seat_unblocked',
  'checkout_started',
  'checkout_completed',
  'checkout_abandoned',
  'checkout_failed',
  'checkout_cancelled',
  'payment_initiated',
  'payment_succeeded',
  'payment_failed',
  'payment_refunded',
  'refund_due',
  'ticket_voided',
  'ticket_refunded',
  'ticket_reseated',
  'event_changed',
  'capacity_critical',
  'test',
] as const;

const Url = Type.String({ format: 'uri', maxLength: 2_048 });
const Description = Maybe(Text(500));
const Kinds = Type.Array(Type.Enum([...WEBHOOK_KIND_NAMES]), {
  maxItems: 100,
  uniqueItems: true,
  description: 'Empty: all kinds, also those that are yet to come',
});
const EventIds = Type.Array(Id, {
  maxItems: 100,
  uniqueItems: true,
  description: 'Empty: all events, also those that are yet to come',
});

export const Webhook = Type.Object({
  webhook_id: Id,
  url: Type.String(),
  description: Maybe(Type.String()),
  kinds: Type.Array(Type.String()),
  event_ids: Type.Array(Id),
  status: Type.Enum(['active', 'disabled']),
  disabled_at: Maybe(Instant),
  disabled_reason: Maybe(
    Type.Enum(['failing', 'gone', 'by_hand'], {
      description: 'Nothing arrived for three days, it answered 410, or somebody has done it',
    }),
  ),
  previous_secret_until: Maybe(Instant),
  created_at: Instant,
  changed_at: Instant,
  last_success_at: Maybe(Instant),
  failing_since: Maybe(Instant),
  last_error: Maybe(Type.String()),
  pending: Type.Integer({ description: 'Queued and not arrived; the log behind it may have more' }),
});

export const WebhookWithSecret = Type.Object({
  ...Webhook.properties,
  secret: Maybe(Type.String({ description: 'Shown this once; null when an answer is repeated' })),
});

export const NewWebhook = Type.Object(
  {
    url: Url,
    description: Type.Optional(Description),
    kinds: Type.Optional(Kinds),
    event_ids: Type.Optional(EventIds),
  },
  { additionalProperties: false },
);

export const WebhookChange = Type.Object(
  {
    url: Type.Optional(Url),
    description: Type.Optional(Description),
    kinds: Type.Optional(Kinds),
    event_ids: Type.Optional(EventIds),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const SecretRotation = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 720, description: 'How long both secrets sign' }),
    ),
  },
  { additionalProperties: false },
);

export const WebhookDelivery = Type.Object({
  delivery_id: Id,
  sequence: Type.Integer({ description: 'Deliveries of an endpoint go out in this order' }),
  event_id: Maybe(Id),
  revision: Maybe(Type.Integer()),
  kind: Type.String(),
  status: Type.Enum(['pending', 'delivered', 'dead']),
  happened_at: Instant,
  created_at: Instant,
  attempts: Type.Integer(),
  last_attempt_at: Maybe(Instant),
  next_at: Maybe(Type.String({ format: 'date-time', description: 'When it is tried again' })),
  finished_at: Maybe(Instant),
  response_status: Maybe(Type.Integer()),
  response_body: Maybe(Type.String({ description: 'The first 500 characters' })),
  duration_ms: Maybe(Type.Integer()),
  error: Maybe(Type.String()),
});

export const WebhookDeliveryDetail = Type.Object({
  ...WebhookDelivery.properties,
  payload: Type.Unknown({ description: 'As it is sent, without the people it is about' }),
});

export const DeliveryParams = Type.Object({ id: Id, delivery_id: Id });

export const DeliveryQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum(['pending', 'delivered', 'dead'])),
    kind: Type.Optional(Type.Enum([...WEBHOOK_KIND_NAMES])),
    before: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The last sequence of the page before' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  },
  { additionalProperties: false },
);

export const WebhookReplay = Type.Union([
  Type.Object(
    { from: Instant, event_id: Type.Optional(Id) },
    { additionalProperties: false, description: 'Everything since a time' },
  ),
  Type.Object(
    { event_id: Id, after_revision: Type.Integer({ minimum: 0 }) },
    { additionalProperties: false, description: 'Everything after a revision of an event' },
  ),
]);

export const WebhookReplayed = Type.Object({
  webhook_id: Id,
  events: Type.Integer({ description: 'Events that are told again' }),
});

import { Type } from 'typebox';
import { Id, Instant, Maybe, Text } from './basics.ts';
import { CheckoutStatus } from './checkouts.ts';

const Day = Type.String({ format: 'date', description: 'A calendar date at the venue' });
const Revision = Type.Integer();
const MOST_ITEMS = 1_000;
const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 }));

export const TicketStatus = Type.Enum(['active', 'voided', 'refunded']);

const ticketFields = {
  ticket_id: Id,
  event_id: Id,
  checkout_id: Id,
  code: Type.String({ description: 'As people read it: XXXX-XXXX-XXXX' }),
  status: TicketStatus,
  seat: Maybe(
    Type.Object({
      seat_id: Id,
      label: Maybe(Type.String()),
      block: Type.String({ description: 'The name of the zone' }),
      section: Maybe(Type.String()),
      row: Maybe(Type.String()),
      number: Maybe(Type.Integer()),
    }),
  ),
  zone: Type.Object({ zone_id: Id, name: Type.String() }),
  valid_days: Type.Array(Day),
  price_cents: Type.Integer(),
  currency: Type.String(),
  needs_reseating: Type.Boolean({ description: 'Its seat was blocked after it was sold' }),
  entry_count: Type.Integer({ description: 'How often it has come in, on all days' }),
  qr: Maybe(Type.String({ description: 'What the QR code says; null when the ticket has ended' })),
  qr_valid_until: Instant,
};

export const Ticket = Type.Object(ticketFields);

const staffFields = {
  ...ticketFields,
  user_id: Id,
  holder: Maybe(Type.String({ description: 'The name of whose it is, where one is known' })),
  created_at: Instant,
  ended_at: Maybe(Instant),
  end_reason: Maybe(Type.String()),
  method: Type.Optional(Maybe(Type.String({ description: 'How its sale was paid' }))),
};

export const StaffTicket = Type.Object(staffFields);
export const ChangedTicket = Type.Object({ ...staffFields, revision: Revision });

export const OwnTicketsQuery = Type.Object(
  { checkout_id: Type.Optional(Id), after: Type.Optional(Id), limit: Limit },
  { additionalProperties: false },
);

export const EventTicketsQuery = Type.Object(
  {
    status: Type.Optional(TicketStatus),
    needs_reseating: Type.Optional(Type.Boolean({ description: 'Only those' })),
    inside: Type.Optional(
      Type.Boolean({ description: 'Only those who came in and have not left' }),
    ),
    checkout_id: Type.Optional(
      Type.Unsafe<string>({ ...Id, description: 'Only those of this sale' }),
    ),
    after: Type.Optional(Id),
    limit: Limit,
  },
  { additionalProperties: false },
);

export const SellWish = Type.Object(
  {
    hold_ids: Type.Array(Id, { minItems: 1, maxItems: MOST_ITEMS }),
    method: Type.Enum(['cash', 'card', 'invoice', 'complimentary']),
    for_holder: Type.Optional(
      Type.Boolean({
        description:
          'Also holds that a buyer made in the shop: the tickets go to that buyer. Without it ' +
          'only holds of the box office are sold.',
        default: false,
      }),
    ),
    buyer_name: Type.Optional(
      Text(200, {
        description:
          'From now on the name of the caller whose holds these are, if they were held with a ' +
          '`caller_id`: who is known by a name keeps it. Not together with ' +
          '`for_holder`, because a buyer of the shop keeps their own.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const DoorSale = Type.Object({
  checkout_id: Id,
  status: Type.Literal('completed'),
  method: Type.String(),
  total_cents: Type.Integer(),
  currency: Type.String(),
  tickets: Type.Array(StaffTicket),
  revision: Revision,
});

export const EndTicketWish = Type.Object(
  {
    reason: Text(500),
    block: Type.Optional(
      Type.Boolean({ description: 'The seat stays out of the sale', default: false }),
    ),
  },
  { additionalProperties: false },
);

export const ReseatWish = Type.Object(
  { seat_id: Id, reason: Type.Optional(Text(500)) },
  { additionalProperties: false },
);

export const CheckoutsQuery = Type.Object(
  {
    status: Type.Optional(CheckoutStatus),
    before: Type.Optional(Id),
    limit: Limit,
  },
  { additionalProperties: false },
);

export const CheckoutEntry = Type.Object({
  checkout_id: Id,
  user_id: Id,
  status: Type.String(),
  method: Maybe(Type.String()),
  total_cents: Type.Integer(),
  currency: Type.String(),
  seats: Type.Integer(),
  created_at: Instant,
  closed_at: Maybe(Instant),
  close_reason: Maybe(Type.String()),
});

export const RefundsQuery = Type.Object(
  {
    event_id: Type.Optional(Id),
    status: Type.Optional(Type.Enum(['due', 'refunded'])),
    after: Type.Optional(Id),
    limit: Limit,
  },
  { additionalProperties: false },
);

export const Refund = Type.Object({
  refund_id: Id,
  event_id: Id,
  checkout_id: Id,
  attempt_id: Maybe(Id),
  ticket_id: Maybe(Id),
  amount_cents: Type.Integer(),
  currency: Type.String(),
  reason: Type.String(),
  status: Type.Enum(['due', 'refunded']),
  created_at: Instant,
  refunded_at: Maybe(Instant),
});

export const SearchQuery = Type.Object(
  {
    q: Text(200, { description: 'A code, a seat’s label, a name, an address, or an id' }),
    event_id: Type.Optional(Id),
  },
  { additionalProperties: false },
);

export const SearchResult = Type.Object({
  is_cut: Type.Boolean({
    description:
      'There is more than is shown here, or may be: say more of the name, or which event',
  }),
  tickets: Type.Array(StaffTicket),
  people: Type.Array(
    Type.Object({ user_id: Id, name: Maybe(Type.String()), email: Maybe(Type.String()) }),
  ),
});

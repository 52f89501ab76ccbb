import { Type } from 'typebox';
import { Id, Instant, Maybe, Text } from './basics.ts';

const Day = Type.String({ format: 'date' });
const Direction = Type.Enum(['in', 'out']);
const Verdict = Type.Enum(['admitted', 'denied']);

export const CodeParams = Type.Object({
  code: Text(200, { description: 'A ticket’s code as printed or typed, or all its QR code says' }),
});

export const EntryWish = Type.Object(
  {
    direction: Direction,
    day: Type.Optional(
      Type.String({ format: 'date', description: 'Absent: today’s at the venue' }),
    ),
    qr: Type.Optional(Text(200, { description: 'What the QR code says, to be verified' })),
    event_id: Type.Optional(
      Type.Unsafe<string>({ ...Id, description: 'Only tickets of this event come in here' }),
    ),
  },
  { additionalProperties: false },
);

export const EntryReply = Type.Object({
  status: Verdict,
  reason: Maybe(Type.String({ description: 'Why it is denied' })),
  message: Type.String(),
  direction: Direction,
  entry_id: Id,
  ticket_id: Maybe(Id),
  event_id: Maybe(Id),
  day: Maybe(Day),
  valid_days: Type.Optional(Type.Array(Day, { description: 'The days of the ticket’s event' })),
  seat: Maybe(
    Type.Object({
      block: Type.String(),
      section: Maybe(Type.String()),
      row: Maybe(Type.String()),
      number: Maybe(Type.Integer()),
      label: Maybe(Type.String()),
    }),
  ),
  accessibility: Maybe(Type.String()),
  prompt: Maybe(Type.String({ description: 'What to look after' })),
  entry_count: Type.Integer({ description: 'How often the ticket has come in, on all days' }),
  entry_count_today: Type.Integer(),
  live_attendees: Maybe(Type.Integer({ description: 'Inside on this day, in all zones' })),
  zone_attendees: Maybe(Type.Integer()),
  inside_since: Type.Optional(
    Maybe(Type.Unsafe<string>({ ...Instant, description: 'Of a ticket that is inside already' })),
  ),
  inside_gate: Type.Optional(
    Maybe(Type.String({ description: 'The key of the scanner that let it in, by its name' })),
  ),
  test_passed: Maybe(
    Type.Boolean({ description: 'The event is not open yet, and nothing else is wrong' }),
  ),
});

export const EntriesQuery = Type.Object(
  {
    status: Type.Optional(Verdict),
    before: Type.Optional(Id),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  },
  { additionalProperties: false },
);

export const Entry = Type.Object({
  entry_id: Id,
  at: Instant,
  direction: Direction,
  status: Verdict,
  reason: Maybe(Type.String()),
  ticket_id: Id,
  code: Type.String(),
  holder: Maybe(Type.String({ description: 'The name of whose ticket it is' })),
  label: Maybe(Type.String({ description: 'Of the ticket’s seat' })),
  zone_id: Maybe(Id),
  zone_name: Maybe(Type.String()),
  day: Maybe(Day),
  test: Type.Boolean(),
  scanned_by: Maybe(Id),
});

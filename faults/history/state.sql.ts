import type { Change } from '@voelgoed/engine/board';
import { statement } from '@voelgoed/engine/postgres';
import type { FinalState, HoldRow, SeatRow, ZoneRow } from './final-state.ts';

type Place = [organizationId: string, eventId: string];

export const readHead = statement<
  { revision: number; hash: string; audit_count: number; audit_head: Buffer },
  Place
>(
  'history.head',
  `select revision, encode(lineage_head, 'hex') as hash, audit_count, audit_head
   from event_boards where organization_id = $1 and event_id = $2`,
);

export const readAllHolds = statement<HoldRow, Place>(
  'history.holds',
  `select hold_id, user_id, cart_token, seat_id, zone_id, quantity, status, end_reason,
     checkout_id,
     floor(extract(epoch from created_at) * 1000)::bigint as created_ms,
     floor(extract(epoch from held_until) * 1000)::bigint as until_ms,
     floor(extract(epoch from ended_at) * 1000)::bigint as ended_ms
   from seat_holds where organization_id = $1 and event_id = $2`,
);

export const readAllSeats = statement<SeatRow, Place>(
  'history.seats',
  `select seat_id, zone_id, status, seat_hold_id,
     floor(extract(epoch from held_until) * 1000)::bigint as until_ms
   from event_seats where organization_id = $1 and event_id = $2`,
);

export const readAllZones = statement<ZoneRow, Place>(
  'history.zones',
  `select zone_id, has_seats, capacity, held, sold, blocked
   from event_zones where organization_id = $1 and event_id = $2`,
);

export const readWholeLog = statement<
  { revision: number; hash: string; changes: readonly Change[] },
  Place
>(
  'history.log',
  `select revision, encode(hash, 'hex') as hash, changes -> 'changes' as changes
   from seat_changes where organization_id = $1 and event_id = $2 order by revision`,
);

export const readHoldTrail = statement<{ action: string; hold_id: string }, Place>(
  'history.trail',
  `select action, hold_id from (
     select sequence, action, entity_id as hold_id from audit_log
     where organization_id = $1 and chain_id = $2 and entity_type = 'seat_hold'
     union all
     select sequence, action, jsonb_array_elements_text(changes -> 'hold_ids')::uuid
     from audit_log where organization_id = $1 and chain_id = $2
       and action = 'checkout_completed') as trail
   order by sequence`,
);

type RowOf<Name extends keyof FinalState> = FinalState[Name] extends readonly (infer Row)[]
  ? Row
  : never;

export const readCheckouts = statement<RowOf<'checkouts'>, Place>(
  'history.checkouts',
  `select checkout_id, user_id, status from checkouts
   where organization_id = $1 and event_id = $2`,
);

export const readAttempts = statement<RowOf<'attempts'>, Place>(
  'history.attempts',
  `select attempt_id, checkout_id, status,
     floor(extract(epoch from deadline_at) * 1000)::bigint as deadline_ms
   from payment_attempts where organization_id = $1 and event_id = $2`,
);

export const readMessages = statement<RowOf<'messages'>, Place>(
  'history.messages',
  `select message_id, attempt_id, outcome from payment_messages
   where organization_id = $1 and event_id = $2`,
);

export const readTickets = statement<RowOf<'tickets'>, Place>(
  'history.tickets',
  `select ticket_id, hold_id, checkout_id, seat_id, status from tickets
   where organization_id = $1 and event_id = $2`,
);

export const readRefunds = statement<RowOf<'refunds'>, Place>(
  'history.refunds',
  `select attempt_id, ticket_id from refunds_due
   where organization_id = $1 and event_id = $2`,
);

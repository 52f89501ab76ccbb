import { statement } from '@voelgoed/engine/postgres';

/**
 * What the writer is compared with: one statement per hold that takes a free seat and commits by
 * itself. It keeps no trail, no log and no counters, so it does less than the writer does.
 */
export const holdOneSeat = statement<
  { hold_id: string },
  [organizationId: string, eventId: string, ordinal: number, holdId: string, userId: string]
>(
  'bench.hold_one_seat',
  `with seat as (
     update event_seats set status = 'held', seat_hold_id = $4, version = version + 1,
       locked_at = now(), held_until = now() + interval '1 hour'
     where organization_id = $1 and event_id = $2 and ordinal = $3 and status = 'available'
     returning seat_id
   )
   insert into seat_holds (organization_id, event_id, hold_id, seat_id, quantity, user_id,
     cart_token, status, source, created_at, held_until)
   select $1, $2, $4, seat_id, 1, $5, $4::text, 'active', 'web', now(),
     now() + interval '1 hour'
   from seat returning hold_id`,
);

import { statement } from '#postgres';

export type BlockRow = {
  at: string;
  reason: string | null;
  actor_kind: string;
  actor_id: string | null;
  actor_role: string | null;
  actor_name: string | null;
};

/**
 * Who has taken a seat out of the sale last, and why: by a block, or with the end of its ticket.
 * The entries that may say so have an index of their own.
 */
export const findLastBlock = statement<
  BlockRow,
  [organizationId: string, eventId: string, seatId: string]
>(
  'seats.last_block',
  `select b.at, b.changes ->> 'reason' as reason, b.actor_kind, b.actor_id, b.actor_role,
     coalesce(u.name, u.email, k.name) as actor_name
   from (select at, changes, actor_kind, actor_id, actor_role from audit_log
     where organization_id = $1 and chain_id = $2
       and action in ('seats_blocked', 'ticket_voided', 'ticket_refunded')
       and (changes -> 'seats' ? $3::text
         or (changes ->> 'seat_id' = $3::text and (changes ->> 'blocked')::boolean))
     order by sequence desc limit 1) b
   left join users u on b.actor_kind = 'user' and u.organization_id = $1
     and u.user_id = b.actor_id
   left join api_keys k on b.actor_kind = 'key' and k.organization_id = $1
     and k.key_id = b.actor_id`,
);

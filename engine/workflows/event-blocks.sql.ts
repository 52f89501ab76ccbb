import { statement } from '#postgres';
import type { BlockRow } from './seat-facts.sql.ts';

export type BlockEntryRow = BlockRow & {
  /** Of the event's audit log, where each entry has a number of its own. */
  sequence: number;
  seat_ids: string[];
};

/**
 * Entries that have taken seats out of the sale, the newest first: blocks, and tickets whose end
 * kept their seat out. They have an index of their own.
 */
export const listBlockEntries = statement<
  BlockEntryRow,
  [organizationId: string, eventId: string, before: number | null, most: number]
>(
  'seats.block_entries',
  `select b.sequence, b.at, b.changes ->> 'reason' as reason, b.actor_kind, b.actor_id,
     b.actor_role, coalesce(u.name, u.email, k.name) as actor_name,
     case when b.action = 'seats_blocked'
       then array(select jsonb_array_elements_text(b.changes -> 'seats'))
       else array[b.changes ->> 'seat_id'] end as seat_ids
   from (select sequence, at, changes, action, actor_kind, actor_id, actor_role from audit_log
     where organization_id = $1 and chain_id = $2
       and action in ('seats_blocked', 'ticket_voided', 'ticket_refunded')
       and (action = 'seats_blocked' or (changes ->> 'blocked')::boolean)
       and ($3::bigint is null or sequence < $3)
     order by sequence desc limit $4) b
   left join users u on b.actor_kind = 'user' and u.organization_id = $1
     and u.user_id = b.actor_id
   left join api_keys k on b.actor_kind = 'key' and k.organization_id = $1
     and k.key_id = b.actor_id
   order by b.sequence desc`,
);

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

/** Unblocking is rare: of seats that were unblocked before that, the plan is named. */
const UNBLOCKS = 1_000;

/** Seats that the plan of an event keeps out of the sale, and that were not unblocked since. */
export const listPlannedBlocks = statement<
  { seat_id: string },
  [organizationId: string, eventId: string]
>(
  'seats.planned_blocks',
  `with planned as materialized (
     select jsonb_array_elements_text(coalesce(overrides -> 'blocked_seat_ids', '[]')) as seat_id
     from event_layouts where organization_id = $1 and event_id = $2
     union
     select unnest(g.seat_ids)::text from event_layouts l join seat_groups g
       on g.organization_id = $1 and g.layout_id = l.layout_id and g.version = l.layout_version
       and g.group_type = 'reserved_block'
     where l.organization_id = $1 and l.event_id = $2
   ), unblocked as materialized (
     select jsonb_array_elements_text(m.changes -> 'seats') as seat_id
     from (select changes from audit_log where organization_id = $1 and chain_id = $2
       and action = 'seats_unblocked' order by sequence desc limit ${UNBLOCKS}) m
   )
   select seat_id from planned
   where not exists (select from unblocked u where u.seat_id = planned.seat_id)`,
);

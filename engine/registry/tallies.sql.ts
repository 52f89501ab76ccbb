import { statement } from '#postgres';

export type TallyRow = {
  event_id: string;
  revision: number;
  capacity: number;
  held: number;
  sold: number;
  blocked: number;
  /** Active holds whose time is over: free to take, and not yet swept away. */
  due_holds: number;
};

/** What Postgres says of every board of an organization, without loading one. */
export const tallyBoards = statement<TallyRow, [organizationId: string]>(
  'boards.tally',
  `with zones as (
     select event_id, sum(capacity)::int as capacity, sum(held)::int as held,
       sum(sold)::int as sold, sum(blocked)::int as blocked
     from event_zones where organization_id = $1 and not disabled group by event_id
   ), due as (
     select event_id, count(*)::int as holds from seat_holds
     where organization_id = $1 and status = 'active' and held_until <= (select event_now())
     group by event_id
   )
   select b.event_id, b.revision, coalesce(z.capacity, 0) as capacity, coalesce(z.held, 0) as held,
     coalesce(z.sold, 0) as sold, coalesce(z.blocked, 0) as blocked,
     coalesce(d.holds, 0) as due_holds
   from event_boards b left join zones z using (event_id) left join due d using (event_id)
   where b.organization_id = $1 order by b.event_id`,
);

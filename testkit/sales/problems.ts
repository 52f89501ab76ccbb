import { verifyChain } from '@voelgoed/engine/audit';
import { type EventRef, PostgresStore, replayBoard } from '@voelgoed/engine/registry';
import type { TestDatabase } from '#database';

/** What the tables of an event must never say, each as a question whose answer is its rows. */
const QUESTIONS: Readonly<Record<string, string>> = {
  'a seat with two live holds': `
    select seat_id from seat_holds where event_id = $1 and status = 'active'
      and seat_id is not null group by seat_id having count(*) > 1`,
  'a seat that does not say what its hold says': `
    select s.ordinal from event_seats s
    full join (select * from seat_holds where status = 'active' and event_id = $1
      and seat_id is not null) h on h.seat_id = s.seat_id and h.event_id = s.event_id
    where coalesce(s.event_id, $1) = $1 and (s.seat_hold_id is distinct from h.hold_id
      or (s.status = 'held') <> (h.hold_id is not null)
      or s.held_until is distinct from h.held_until)`,
  'a zone whose counters are wrong': `
    select z.name from event_zones z
    left join (select coalesce(h.zone_id, s.zone_id) as zone_id, sum(quantity) as held
      from seat_holds h left join event_seats s on s.event_id = $1 and s.seat_id = h.seat_id
      where h.event_id = $1 and h.status = 'active' group by 1) h on h.zone_id = z.zone_id
    left join (select zone_id, count(*) filter (where status = 'blocked') as blocked
      from event_seats where event_id = $1 group by 1) s on s.zone_id = z.zone_id
    where z.event_id = $1 and (z.held <> coalesce(h.held, 0)
      or z.blocked <> case when z.has_seats then coalesce(s.blocked, 0) else 0 end
      or z.held + z.sold + z.blocked > z.capacity)`,
  'a log with gaps, or that does not end at the board’s revision': `
    select b.revision from event_boards b where b.event_id = $1 and
      (select (count(*), max(revision), (array_agg(hash order by revision desc))[1])
       from seat_changes c where c.event_id = $1)
      is distinct from row (b.revision, b.revision, b.lineage_head)`,
  'a hold without one beginning and at most one end in the trail': `
    select h.hold_id from seat_holds h left join (
      select entity_id, count(*) filter (where action = 'seat_reserved') as begun,
        count(*) filter (where action in ('seat_released', 'seat_hold_expired')) as ended
      from audit_log where chain_id = $1 group by entity_id) a on a.entity_id = h.hold_id
    where h.event_id = $1 and (a.begun is distinct from 1
      or a.ended is distinct from case when h.status = 'active' then 0 else 1 end)`,
};

/** Everything that is wrong with an event, in words; nothing: it is right. */
export async function problems(database: TestDatabase, event: EventRef): Promise<string[]> {
  const found: string[] = [];
  // Tables that were just filled are planned for as if they were empty: minutes instead of moments.
  await database.asSuperuser('analyze seat_holds, event_seats, audit_log, seat_changes');
  for (const [problem, question] of Object.entries(QUESTIONS)) {
    const rows = await database.asSuperuser(question, [event.eventId]);
    if (rows.length > 0) found.push(`${problem}: ${JSON.stringify(rows.slice(0, 3))}`);
  }
  return [...found, ...(await inTheTrail(database, event)), ...(await inTheLog(database, event))];
}

async function inTheTrail(database: TestDatabase, { scope, eventId }: EventRef) {
  const [head] = await database.asSuperuser(
    'select audit_count::int as count, audit_head as hash from event_boards where event_id = $1',
    [eventId],
  );
  const { count, hash } = head as { count: number; hash: Buffer };
  const verdict = await database.postgres.transaction(scope, { name: 'test' }, (one) =>
    verifyChain(one, scope, { id: eventId, head: { count, hash } }),
  );
  return verdict.ok ? [] : [`the trail is broken: ${JSON.stringify(verdict.first_bad)}`];
}

/** The log replayed from the last snapshot must give what is in the tables. */
async function inTheLog(database: TestDatabase, event: EventRef): Promise<string[]> {
  const store = new PostgresStore(database.postgres);
  const board = await store.load(event);
  if (!board) return ['there is no board'];
  const { scope } = event;
  const replayed = await database.postgres.transaction(scope, { name: 'test' }, (one) =>
    replayBoard(one, event, board.revision, (layout, seats) =>
      store.plans.get(scope, layout, seats),
    ),
  );
  if (replayed.kind !== 'board') return [`the log does not replay: ${JSON.stringify(replayed)}`];
  return replayed.board.digest === board.digest ? [] : ['the log gives another board'];
}

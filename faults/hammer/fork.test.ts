import { withClient } from '@voelgoed/engine/postgres';
import { useDatabase } from '@voelgoed/testkit/database';
import { useRuns } from '@voelgoed/testkit/stages';
import { describe, expect, it } from 'vitest';
import { machine_ms } from './hammer.ts';

/** Everything that a flush writes. */
const TABLES = ['event_zones', 'event_seats', 'seat_holds', 'seat_changes', 'audit_log'];
const MORE = ['idempotency_keys', 'board_snapshots', 'audit_context'];

const COPY = `begin isolation level repeatable read;
create schema earlier;
${[...TABLES, ...MORE, 'event_boards']
  .map((name) => `create table earlier.${name} as table ${name};`)
  .join('\n')}
commit`;

/** As a failover to a standby that had not heard of the last commits. */
const TURN_BACK = `begin;
set local session_replication_role = replica;
select from event_boards for update;
${[...TABLES, ...MORE]
  .map((name) => `delete from ${name}; insert into ${name} select * from earlier.${name};`)
  .join('\n')}
update event_boards b set revision = e.revision, lineage_head = e.lineage_head,
  audit_count = e.audit_count, audit_head = e.audit_head
from earlier.event_boards e where e.event_id = b.event_id;
commit`;

describe('a failover that lost commits', () => {
  const database = useDatabase();
  const aRun = useRuns();
  const as = (text: string) => withClient(database.superuserUrl, (client) => client.query(text));

  it('is noticed before anything wrong is committed', async () => {
    const run = await aRun('fork of the log', database);
    await run.startAll('one', 'two', 'three');
    await run.load();
    await run.goesOn(80);
    await run.rest();
    const kept_ms = machine_ms();
    await as(COPY);
    await run.load();
    await run.goesOn(80);
    await run.rest();
    await as(TURN_BACK);
    const turned_ms = machine_ms();
    await run.load();
    await run.goesOn(150);
    await run.rest();
    // What was told between the copy and the failover is lost, as it is with an asynchronous one.
    const kept = run
      .operations()
      .filter(({ invoked_ms }) => invoked_ms < kept_ms || invoked_ms > turned_ms);
    // Until a node has noticed, it may refuse because of a hold that was lost with the rest.
    const lost = { from_ms: kept_ms, to_ms: turned_ms, postgres: true };
    const { violations, reports } = await run.verdict(kept, undefined, [lost]);
    const noticed = reports.map(({ happened }) => happened['board.other_lineage'] ?? 0);
    console.log(`fork of the log: noticed ${noticed.join(', ')} times`);
    expect(violations).toEqual([]);
    // The sweep notices as well, and the poll only compares heads.
    const reloaded = reports.every(({ happened }) => (happened['board.loaded'] ?? 0) >= 2);
    expect(reloaded).toBe(true);
  });
});

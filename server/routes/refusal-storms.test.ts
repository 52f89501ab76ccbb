import { manualClock, systemClock } from '@voelgoed/engine/kit';
import type { Scope } from '@voelgoed/engine/scope';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { RefusalLog } from '@voelgoed/engine/workflows';
import { anEngine, anOrganization, newId } from '@voelgoed/testkit/builders';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';
import { refusedHolds } from './refused-holds.ts';

const { ask, database, scope, show } = useShows();

/** A whole minute, so that a few seconds stay in it. */
const START = Math.floor(systemClock.now() / 60_000) * 60_000;

/** A log of its own, about an event of its own, and what it has written. */
function aLog() {
  const clock = manualClock(START);
  const engine = anEngine(database.postgres);
  const log = new RefusalLog({ ...engine, clock, telemetry: silentTelemetry });
  const eventId = newId();
  const note = (of: Scope, user_id: string, code: string) =>
    log.note(of, {
      ...{ event_id: eventId, at_ms: clock.now(), code, user_id, ip: 'hash.site' },
      ...{ seat_ids: [], zone_ids: [], user_agent: 'a phone' },
    });
  const rowsOf = async ({ organizationId }: Scope) => {
    await log.flush();
    return database.asSuperuser(
      `select code, user_id is null as counted, sum(times)::int as times, count(*)::int as rows
       from refusal_log where organization_id = $1 and event_id = $2
       group by 1, 2 order by 1, 2`,
      [organizationId, eventId],
    );
  };
  return { clock, eventId, log, note, rowsOf };
}

describe('a storm of refusals', () => {
  it('that was not read is counted for its event, where that is known', async () => {
    const engine = anEngine(database.postgres);
    const { eventId } = await show();
    await engine.registry.board({ scope: scope(), eventId });
    const { shed } = refusedHolds(engine);
    for (const event of [eventId, eventId, newId()]) shed(event);
    await engine.refusals.flush();
    const rows = await ask(`GET /api/admin/refusals?event_id=${eventId}`);
    expect(rows.list).toMatchObject([
      { code: 'overloaded', times: 2, user_id: null, ip_hash: null },
    ]);
  });

  it('is counted by event and code, when there is no room; one user leaves room', async () => {
    const { postgres } = database;
    const engine = anEngine(postgres);
    const clock = manualClock(START);
    const log = new RefusalLog({ ...engine, clock, telemetry: silentTelemetry });
    const { eventId } = await show();
    const note = (user_id: string, code = 'seat_sold') =>
      log.note(scope(), {
        ...{ event_id: eventId, at_ms: clock.now(), code, user_id, ip: null },
        ...{ seat_ids: [], zone_ids: [], user_agent: 'x'.repeat(1_000) },
      });
    const eve = newId();
    for (let left = 1_000; left > 0; left--) note(eve);
    for (let left = 1_000; left > 0; left--) note(newId(), 'event_busy');
    await log.flush();
    await log.flush();
    const rows = await database.asSuperuser(
      `select code, user_id is null as counted, sum(times)::int as times, count(*)::int as rows,
         max(length(user_agent)) as agent
       from refusal_log where event_id = $1 group by 1, 2 order by 1, 2`,
      [eventId],
    );
    expect(rows).toEqual([
      { code: 'event_busy', counted: false, times: 480, rows: 480, agent: 256 },
      { code: 'event_busy', counted: true, times: 520, rows: 1, agent: null },
      { code: 'seat_sold', counted: false, times: 20, rows: 20, agent: 256 },
      { code: 'seat_sold', counted: true, times: 980, rows: 1, agent: null },
    ]);
  });

  it('of one who is limited is one row a minute, and the rest is counted', async () => {
    const { clock, note, rowsOf } = aLog();
    const [eve, bob] = [newId(), newId()];
    for (const later of [0, 1_000, 59_000]) {
      clock.advance(later);
      for (let left = 10; left > 0; left--) note(scope(), eve, 'rate_limited');
      note(scope(), bob, 'rate_limited');
      note(scope(), eve, 'event_busy');
    }
    expect(await rowsOf(scope())).toEqual([
      { code: 'event_busy', counted: false, times: 2, rows: 2 },
      { code: 'event_busy', counted: true, times: 1, rows: 1 },
      { code: 'rate_limited', counted: false, times: 4, rows: 4 },
      { code: 'rate_limited', counted: true, times: 29, rows: 1 },
    ]);
  });

  it('of one organization leaves room for the others', async () => {
    const { clock, log, note, rowsOf } = aLog();
    const other = await anOrganization(database.postgres);
    for (let second = 0; second < 7; second++) {
      for (let left = 500; left > 0; left--) note(scope(), newId(), 'seat_sold');
      await log.flush();
      clock.advance(1_000);
    }
    note(scope(), newId(), 'seat_sold');
    note(other, newId(), 'seat_sold');
    expect(await rowsOf(scope())).toEqual([
      { code: 'seat_sold', counted: false, times: 3_000, rows: 3_000 },
      { code: 'seat_sold', counted: true, times: 501, rows: 2 },
    ]);
    expect(await rowsOf(other)).toEqual([{ code: 'seat_sold', counted: false, times: 1, rows: 1 }]);
    clock.advance(60_000);
    note(scope(), newId(), 'seat_sold');
    const [alone] = await rowsOf(scope());
    expect(alone).toMatchObject({ counted: false, rows: 3_001 });
  });

  it('about any number of events takes the room of a thousand', async () => {
    const engine = anEngine(database.postgres);
    const log = new RefusalLog({ ...engine, telemetry: silentTelemetry });
    const { organizationId } = scope();
    for (let left = 3_000; left > 0; left--) {
      log.count({
        organizationId,
        event_id: newId(),
        at_ms: engine.clock.now(),
        code: 'overloaded',
      });
    }
    await log.flush();
    const [row] = await database.asSuperuser(
      `select count(*)::int as rows, sum(times)::int as times from refusal_log
       where organization_id = $1`,
      [organizationId],
    );
    expect(row).toEqual({ rows: 1_001, times: 3_000 });
  });

  it('that is written after an erasure says nothing personal any more', async () => {
    const { eventId, log, note } = aLog();
    const [bob, eve] = [newId(), newId()];
    await database.asSuperuser(
      `insert into users (organization_id, user_id) values ($1, $2), ($1, $3)`,
      [scope().organizationId, bob, eve],
    );
    note(scope(), bob, 'seat_sold');
    note(scope(), eve, 'seat_sold');
    const erased = await ask(`DELETE /api/admin/users/${bob}/personal-data`);
    expect(erased.status).toBe(200);
    await log.flush();
    const rows = await database.asSuperuser(
      'select user_id, ip_hash, user_agent from refusal_log where event_id = $1',
      [eventId],
    );
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual({ user_id: bob, ip_hash: null, user_agent: null });
    expect(rows).toContainEqual({ user_id: eve, ip_hash: 'hash', user_agent: 'a phone' });
  });
});

import { sweepOnce } from '@voelgoed/engine/jobs';
import { systemClock } from '@voelgoed/engine/kit';
import { withClient } from '@voelgoed/engine/postgres';
import { recordingTelemetry } from '@voelgoed/engine/telemetry';
import { anEngine } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { aWish, holdOf, openSale } from '@voelgoed/testkit/sales';
import { expect, it } from 'vitest';

const database = useDatabase();

it('the reaper counts the holds it ends, and names an event it could not sweep', async () => {
  const telemetry = recordingTelemetry();
  const engine = anEngine(database.postgres, telemetry, { demoHoldSeconds: 1 });
  const [one, other] = [await openSale(database), await openSale(database)];
  for (const sale of [one, other]) {
    const wish = aWish(holdOf(sale.buyers[0] ?? '', [...sale.seats.slice(0, 2), [sale.floor, 3]]));
    await engine.registry.submit(sale, wish);
  }
  await eventually(() => engine.registry.boards.every((board) => isDue(board.nextDue())));
  await withClient(database.superuserUrl, async (client) => {
    await client.query('begin');
    await client.query('select from event_boards where event_id = $1 for update', [other.eventId]);
    await sweepOnce(engine);
    await client.query('rollback');
  });
  const runs = telemetry.happenings.filter(({ kind }) => kind.startsWith('reaper.'));
  expect(runs).toMatchObject([
    {
      kind: 'reaper.failed',
      ids: { organization_id: other.scope.organizationId, event_id: other.eventId },
    },
    { kind: 'reaper.run', events: 2, failed: 1, holds: 3 },
  ]);
  await engine.registry.stop();

  function isDue(due_ms: number): boolean {
    return due_ms <= engine.registry.time() && due_ms < systemClock.now() + 60_000;
  }
});

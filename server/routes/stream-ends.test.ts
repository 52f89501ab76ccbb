import { withClient } from '@voelgoed/engine/postgres';
import { changeOrganizationStatus } from '@voelgoed/engine/workflows';
import { aCaller } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { call } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { Viewer } from '@voelgoed/testkit/viewers';
import { afterEach, describe, expect, it } from 'vitest';

/** One place for everybody who comes from here. */
const shows = useShows({ STREAMS_PER_ADDRESS: '1' });
const undo: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(undo.splice(0).map((step) => step()));
});

describe('a place', () => {
  it('is free again when the stream could not begin in time', async () => {
    const { eventId } = await shows.show();
    const { address } = shows.node();
    const route = `GET /api/events/${eventId}/stream`;
    await withClient(shows.database.superuserUrl, async (client) => {
      await client.query('begin');
      await client.query('lock table event_boards in access exclusive mode');
      const late = await call(address, route);
      expect([late.status, late.body.error]).toEqual([503, 'unavailable']);
      await client.query('rollback');
    });
    const isIn = async () => {
      const reply = await fetch(`${address}/api/events/${eventId}/stream`);
      await reply.body?.cancel();
      return reply.status === 200;
    };
    await eventually(isIn, { within_ms: 5_000 });
  }, 20_000);
});

describe('an open stream', () => {
  it('ends when the organization is archived, and is not there afterwards', async () => {
    const { eventId } = await shows.show();
    const path = `/api/events/${eventId}/stream`;
    const viewer = new Viewer({ address: () => shows.node().address, path });
    undo.push(() => viewer.close());
    await eventually(() => viewer.of('snapshot')[0]);
    const caller = aCaller({ scope: shows.scope() });
    await changeOrganizationStatus(shows.engine(), caller, 'suspended');
    await changeOrganizationStatus(shows.engine(), caller, 'archived');
    await eventually(() => viewer.statuses.includes(404), { within_ms: 8_000 });
  }, 20_000);
});

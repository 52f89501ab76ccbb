import { userIdOf } from '@voelgoed/engine/accounts';
import { withClient } from '@voelgoed/engine/postgres';
import { eventBlocks, listBlockEntries } from '@voelgoed/engine/workflows';
import { newId } from '@voelgoed/testkit/builders';
import { planOf } from '@voelgoed/testkit/database';
import { tokenFor } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, engine, scope, sellTo, show } = useShows();

const change = (
  verb: 'block' | 'unblock',
  eventId: string,
  seat_ids: readonly unknown[],
  reason: string,
) => ask(`POST /api/admin/events/${eventId}/seats/${verb}`, { body: { seat_ids, reason } });
const blocks = (eventId: string, query = '') =>
  ask(`GET /api/admin/events/${eventId}/blocks${query}`);

describe('what is out of the sale', () => {
  it('is told by the block that closed it last, the newest first', async () => {
    const { eventId, seats } = await show();
    expect((await blocks(eventId)).list).toEqual([]);
    await change('block', eventId, seats.slice(0, 3), 'camera');
    await change('block', eventId, [seats[5]], 'broken');
    await change('unblock', eventId, seats.slice(0, 2), 'moved');
    await change('block', eventId, [seats[0]], 'a pillar');
    const { list, body } = await blocks(eventId);
    expect(list.map(({ reason, seat_ids }) => [reason, seat_ids])).toEqual([
      ['a pillar', [seats[0]]],
      ['broken', [seats[5]]],
      ['camera', [seats[2]]],
    ]);
    expect(list[0]).toMatchObject({
      actor_kind: 'user',
      actor_role: 'owner',
      actor_id: userIdOf(scope().organizationId, 'tester'),
      at: expect.stringMatching(/^\d{4}-/),
      needs_reseating: [],
    });
    expect(body.next).toBeUndefined();
  });

  it('has sold seats, tickets that ended, and what was closed when it was planned', async () => {
    const { eventId, seats } = await show();
    const items = [{ seat_id: seats[0] }, { seat_id: seats[1] }];
    const [, ended] = await sellTo(buyer('ann'), eventId, items);
    await ask(`POST /api/admin/tickets/${ended?.ticket_id}/void`, {
      body: { reason: 'spilled paint', block: true },
    });
    await change('block', eventId, [seats[0], seats[2]], 'camera');
    await database.asSuperuser(
      `update event_seats set status = 'blocked' where event_id = $1 and ordinal = $2`,
      [eventId, seats.length - 1],
    );
    await ask('POST /api/admin/registry/reconcile', { body: { event_id: eventId } });
    const { list } = await blocks(eventId);
    expect(list).toMatchObject([
      { reason: 'camera', seat_ids: [seats[0], seats[2]], needs_reseating: [seats[0]] },
      { reason: 'spilled paint', seat_ids: [seats[1]] },
      { block_id: null, at: null, reason: null, seat_ids: [seats.at(-1)] },
    ]);
    const pages = [];
    for (let query = '?limit=1'; query !== ''; ) {
      const page = await blocks(eventId, query);
      pages.push(...page.list);
      const { next } = page.body as { next?: { before: number } };
      query = next ? `?limit=1&before=${next.before}` : '';
    }
    expect(pages).toEqual(list);
  });

  /** Which statements a list needed. */
  const asked = async (eventId: string) => {
    const one = engine();
    const names: string[] = [];
    const transaction: typeof one.postgres.transaction = (within, options, work) =>
      one.postgres.transaction(within, options, (inside) =>
        work({
          exchange: inside.exchange,
          query: (statement) => {
            names.push(statement.name);
            return inside.query(statement);
          },
        }),
      );
    const postgres = Object.assign(Object.create(one.postgres), { transaction });
    const page = { before: null, limit: 100 };
    const found = await eventBlocks({ ...one, postgres }, { scope: scope() }, eventId, page);
    return { names, blocks: found?.blocks.map(({ entry, ordinals }) => [entry?.reason, ordinals]) };
  };

  it('is not looked for among the entries when the plan has closed it', async () => {
    const { eventId, seats } = await show();
    const pinned = 'select layout_id from event_layouts where event_id = $1';
    const [layout] = await database.asSuperuser(pinned, [eventId]);
    const body = { ...layout, overrides: { blocked_seat_ids: seats.slice(0, 2) } };
    const put = await ask(`PUT /api/admin/events/${eventId}/layout`, { body });
    expect(put.status, JSON.stringify(put.body)).toBe(200);
    expect(await asked(eventId)).toEqual({
      names: ['seats.planned_blocks'],
      blocks: [[undefined, [0, 1]]],
    });
    // One that was put on sale and blocked again is where it was blocked.
    await change('unblock', eventId, [seats[1]], 'a sponsor');
    await change('block', eventId, [seats[1]], 'camera');
    expect((await asked(eventId)).blocks).toEqual([
      ['camera', [1]],
      [undefined, [0]],
    ]);
  });

  it('is looked for among the newest entries, and says when there are more', async () => {
    const { eventId, seats } = await show();
    await change('block', eventId, [seats[1]], 'long ago');
    await change('block', eventId, [seats[0]], 'camera');
    await withClient(database.superuserUrl, async (client) => {
      // Entries are chained and cannot be written by hand otherwise.
      await client.query('set session_replication_role = replica');
      await client.query(
        `insert into audit_log select (jsonb_populate_record(a,
           jsonb_build_object('sequence', a.sequence + n, 'entry_id', gen_random_uuid()))).*
         from audit_log a, generate_series(1, 2000) n
         where a.chain_id = $1 and a.changes ->> 'reason' = 'camera'`,
        [eventId],
      );
    });
    expect((await blocks(eventId)).list).toMatchObject([
      { reason: 'camera', seat_ids: [seats[0]] },
      { block_id: null, reason: null, seat_ids: [seats[1]], is_cut: true },
    ]);
    expect((await asked(eventId)).names).toHaveLength(11);
  });

  it('is for staff alone, and of events that there are', async () => {
    const { eventId } = await show();
    expect((await buyer('ann').ask(`GET /api/admin/events/${eventId}/blocks`)).status).toBe(403);
    const missing = await blocks(newId());
    expect([missing.status, missing.body.error]).toEqual([404, 'event_not_found']);
    const elsewhere = tokenFor(newId());
    const foreign = await ask(`GET /api/admin/events/${eventId}/blocks`, { token: elsewhere });
    expect(foreign.status).toBeGreaterThanOrEqual(400);
  });

  it('is found among the few entries about blocks, not among all of the sale', async () => {
    const plan = await planOf(database.postgres, scope().organizationId, listBlockEntries, 'jobs');
    expect(plan).toContain('audit_log_blocks');
  });
});

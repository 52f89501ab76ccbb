import { anEngine } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { useRedis } from '@voelgoed/testkit/redises';
import { testConfig } from '@voelgoed/testkit/servers';
import { testServices } from '@voelgoed/testkit/services';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';
import { EXIT } from './cli.ts';
import { type } from './test-terminal.ts';

describe('the command line beside a running node', () => {
  const plain = useShows();
  const redis = useRedis();
  const warm = useShows({}, () => redis().url);
  const { database } = plain;

  /** A show with a seat held in a running node, and a terminal with an engine of its own. */
  async function aDesk(shows = plain) {
    const { database } = shows;
    const { eventId, seats } = await shows.show();
    const [seat = ''] = seats;
    expect((await shows.buyer().reserve(eventId, seat)).status).toBe(201);
    const { organizationId } = shows.scope();
    const [row] = await database.asSuperuser(
      'select slug from organizations where organization_id = $1',
      [organizationId],
    );
    const engine = anEngine(database.postgres);
    const { ownerUrl, appUrl, jobsUrl, writerUrl } = database;
    const { authSecret } = testServices();
    const urls = { ownerUrl, appUrl, jobsUrl, writerUrl };
    const around = { engine, config: testConfig(), ...urls, authSecret };
    const run = (...args: string[]) => type(around, args);
    const { address } = shows.node();
    const status = () => run('status', String(row?.slug), eventId, '--node', address);
    return { eventId, seat, slug: String(row?.slug), run, status, address };
  }

  /** As a hand in the database would. */
  const takeHoldAway = async (eventId: string) => {
    await database.asSuperuser(
      `update event_seats set status = 'available', seat_hold_id = null, held_until = null
       where event_id = $1`,
      [eventId],
    );
    await database.asSuperuser('update event_zones set held = 0 where event_id = $1', [eventId]);
    const [row] = await database.asSuperuser(
      'delete from seat_holds where event_id = $1 returning hold_id',
      [eventId],
    );
    return String(row?.hold_id);
  };

  it('asks the node for its memory, and has it loaded anew where it differs', async () => {
    const { eventId, seat, slug, run, status, address } = await aDesk();
    const before = await status();
    expect(before).toMatchObject({ code: EXIT.done, err: '' });
    expect(before.out).toMatch(new RegExp(`^memory +[0-9a-f]{16} +1 holds +${address}$`, 'm'));
    expect(before.out).toContain(`${address} and Postgres have the same 1 holds.`);
    const holdId = await takeHoldAway(eventId);
    const wrong = await status();
    expect(wrong.code).toBe(EXIT.found);
    expect(wrong.out).toContain(`${address}: The memory of this node differs from Postgres`);
    expect(wrong.out).toContain(`npm run -s cli -- reconcile ${slug} ${eventId}`);
    const told = JSON.parse((await run('status', slug, eventId, '--node', address, '--json')).out);
    expect(told).not.toHaveProperty('memory');
    expect(told).toMatchObject({ consistent: false, postgres: { count: 0 } });
    expect(told.nodes[0]).toMatchObject({ node: address, memory: { count: 1 } });
    expect(told.nodes[0].differences[0]).toMatchObject({ what: 'holds', ids: [holdId] });
    expect(await run('reconcile', slug, eventId)).toMatchObject({ code: EXIT.done });
    await eventually(async () => (await status()).code === EXIT.done, { within_ms: 10_000 });
    expect((await plain.buyer().reserve(eventId, seat)).status).toBe(201);
  });

  it('finds nothing wrong while Redis is being filled', async () => {
    const { status, slug, eventId } = await aDesk(warm);
    const told = await eventually(
      async () => {
        await redis().command('flushall');
        const one = await status();
        return one.out.includes('being filled') ? one : null;
      },
      { within_ms: 10_000 },
    );
    expect(told.code).toBe(EXIT.done);
    expect(told.out).not.toContain(`reconcile ${slug} ${eventId}`);
  });

  it('says which node it could not ask', async () => {
    const { eventId, slug, run } = await aDesk();
    const nowhere = 'http://127.0.0.1:9';
    const told = await run('status', slug, eventId, '--node', nowhere);
    expect(told.code).toBe(EXIT.unavailable);
    expect(told.err).toContain(`${nowhere} did not answer`);
    const nonsense = await run('status', slug, eventId, '--node', 'localhost');
    expect(nonsense.code).toBe(EXIT.usage);
  });
});

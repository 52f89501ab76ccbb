import { anActiveLayout, newId } from '@voelgoed/testkit/builders';
import { tokenFor } from '@voelgoed/testkit/servers';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, database, draftEvent, engine, node, open, scope, show } = useShows();

const SENTENCE =
  'A tier has 1 to 64 small letters, digits or underscores, for example voelgoed_vriendinne.';

type Answer = { status: number; body: { error?: string; message?: string; details?: Details } };
type Details = { problems?: { path: string; code?: string; message: string }[] };

/** A body exactly as it is written here. */
async function post(route: string, body: string): Promise<Answer> {
  const reply = await fetch(`${node().address}${route}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tokenFor(scope().organizationId)}`,
      'content-type': 'application/json',
    },
    body,
  });
  return { status: reply.status, body: (await reply.json()) as Answer['body'] };
}

const problemsOf = ({ body }: { body: object }) => (body as Answer['body']).details?.problems;

describe('a tier', () => {
  const forMembers = (membership_tier: string) => ({
    access_mode: 'membership_tier',
    membership_tier,
  });

  it('is judged the same way for layouts, events and members', async () => {
    const config = aHybridHall({ stalls: forMembers('Gold Club') });
    const layout = await post('/api/admin/layouts/validate', JSON.stringify(config));
    expect(problemsOf(layout)).toMatchObject([{ code: 'tier_invalid', message: SENTENCE }]);
    const pit = newId();
    const { eventId } = await show({ config: aHybridHall({ pit: { zone_id: pit } }) });
    const { data } = await ask(`GET /api/admin/events/${eventId}`);
    const { layout_id } = data.layout as { layout_id: string };
    const overrides = { zone_overrides: { [pit]: forMembers('Gold Club') } };
    const route = `PUT /api/admin/events/${eventId}/layout`;
    const event = await ask(route, { body: { layout_id, overrides } });
    expect(problemsOf(event)?.[0]).toMatchObject({ code: 'tier_invalid', message: SENTENCE });
    const zone = { name: 'Field', zone_type: 'ga_standing', capacity: 5 };
    const bare = await draftEvent();
    const zones = [{ ...zone, ...forMembers('Gold Club') }];
    const plain = await ask(`PUT /api/admin/events/${bare}/layout`, { body: { zones } });
    expect(problemsOf(plain)).toMatchObject([{ code: 'tier_invalid', message: SENTENCE }]);
    const member = await ask('POST /api/admin/members', {
      body: { subject: 'ann', role: 'customer', tier: 'Gold Club' },
    });
    expect(problemsOf(member)).toContainEqual({ path: 'body/tier', message: SENTENCE });
  });

  it('of a layout that is older than the rule can be read, drawn and changed', async () => {
    const stalls = newId();
    const config = aHybridHall({ stalls: { zone_id: stalls, ...forMembers('gold_club') } });
    const layout = await anActiveLayout(engine(), scope(), config);
    const { layout_id } = layout;
    const { eventId } = await show({ layout });
    await database.asSuperuser('alter table layouts disable trigger user');
    await database.asSuperuser('alter table zones disable trigger user');
    await database.asSuperuser(
      `update layouts set config = replace(config::text, 'gold_club', 'Gold Club')::jsonb
       where layout_id = $1`,
      [layout_id],
    );
    await database.asSuperuser(
      `update zones set membership_tier = 'Gold Club' where zone_id = $1`,
      [stalls],
    );
    const read = await ask(`GET /api/admin/layouts/${layout_id}/config`);
    expect(read.data.zones).toMatchObject([{ membership_tier: 'Gold Club' }, {}]);
    expect((await open(`GET /api/events/${eventId}/seatmap`)).status).toBe(200);
    const id = await draftEvent();
    const put = (overrides: object) =>
      ask(`PUT /api/admin/events/${id}/layout`, { body: { layout_id, overrides } });
    expect(problemsOf(await put({}))).toMatchObject([{ code: 'tier_invalid', message: SENTENCE }]);
    const gold = { zone_overrides: { [stalls]: { membership_tier: 'gold_club' } } };
    expect((await put(gold)).status).toBe(200);
  });
});

describe('a name that is said twice', () => {
  it('is refused in layouts, wherever it is', async () => {
    const text = JSON.stringify(aHybridHall());
    const twice = text.replace('"label":"A-2"', '"label":"A-2","label":"A-1"');
    const judged = await post('/api/admin/layouts/validate', twice);
    expect(judged.body.error).toBe('layout_invalid');
    expect(problemsOf(judged)).toEqual([
      {
        path: 'zones[0].seats[1].label',
        code: 'duplicate_key',
        message: 'The text says this name twice.',
      },
    ]);
    const made = await ask('POST /api/admin/venues', { body: { slug: 'hall', name: 'Hall' } });
    const { venue_id } = made.data;
    const draft = (config: string, name = 'Plan') =>
      post('/api/admin/layouts', `{"venue_id":"${venue_id}","name":"${name}","config":${config}}`);
    expect(problemsOf(await draft(twice))).toMatchObject([{ code: 'duplicate_key' }]);
    expect((await draft(text)).status).toBe(201);
    expect(problemsOf(await draft(text, 'Plan\u202e'))).toMatchObject([{ path: 'name' }]);
  });

  it('is refused in overrides and every other body', async () => {
    const reply = await post(
      '/api/admin/venues',
      '{"slug":"hall","name":"Hall","max_capacity":10,"max_capacity":10000}',
    );
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
    expect(reply.body.message).toBe('The body says this name twice.');
    expect(JSON.stringify(reply.body.details)).toContain('body.max_capacity');
  });
});

describe('what nobody sees', () => {
  it('is refused in names of events, venues and zones', async () => {
    const id = await draftEvent();
    for (const name of ['Show\u200b', 'Show\u202e', '\u2066Show\u2069', 'Show\u2028']) {
      const event = await ask(`PATCH /api/admin/events/${id}`, { body: { name } });
      expect([name, event.status]).toEqual([name, 400]);
      const venue = await ask('POST /api/admin/venues', { body: { slug: 'hall', name } });
      expect([name, venue.status]).toEqual([name, 400]);
      const zones = [{ name, zone_type: 'ga_standing', capacity: 5 }];
      const plan = await ask(`PUT /api/admin/events/${id}/layout`, { body: { zones } });
      expect([name, plan.status]).toEqual([name, 400]);
    }
    // A joiner between pictures is seen, and in a zone's name it could hide.
    const joined = '👩\u200d🎤';
    const event = await ask(`PATCH /api/admin/events/${id}`, { body: { name: joined } });
    expect(event.data).toMatchObject({ name: joined });
    const zones = ['Pit', 'Pit\u200d'].map((name) => ({
      name,
      zone_type: 'ga_standing',
      capacity: 5,
    }));
    const plan = await ask(`PUT /api/admin/events/${id}/layout`, { body: { zones } });
    expect(problemsOf(plan)).toMatchObject([{ path: 'zones[1].name', code: 'text_invalid' }]);
  });
});

import { eventually } from '@voelgoed/testkit/eventually';
import { useReceivers } from '@voelgoed/testkit/receivers';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

/** A node as it is in production: our own network is out of reach. */
const shows = useShows();
const receivers = useReceivers();
const { ask, buyer, database } = shows;
const WEBHOOKS = '/api/admin/webhooks';

const REFUSED = {
  status: 400,
  body: {
    error: 'invalid_request',
    details: { problems: [{ path: 'body/url', message: 'must be a public https address' }] },
  },
};

describe('an address in our own network', () => {
  it.each([
    'http://93.184.216.34/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/',
    'https://localhost:8443/',
  ])('is refused for a new endpoint and for a changed one: %s', async (url) => {
    expect(await ask(`POST ${WEBHOOKS}`, { body: { url } })).toMatchObject(REFUSED);
    const made = await ask(`POST ${WEBHOOKS}`, { body: { url: 'https://93.184.216.34/' } });
    expect(made.status).toBe(201);
    const changed = await ask(`PATCH ${WEBHOOKS}/${made.data.webhook_id}`, { body: { url } });
    expect(changed).toMatchObject(REFUSED);
  });

  it('is not reached either when it is there all the same', async () => {
    const receiver = await receivers();
    const { eventId, seats } = await shows.show();
    const made = await ask(`POST ${WEBHOOKS}`, { body: { url: 'https://93.184.216.34/' } });
    const id = String(made.data.webhook_id);
    // As if it had been registered while it was allowed.
    const move = 'update webhooks set url = $2 where webhook_id = $1';
    await database.asSuperuser(move, [id, receiver.url]);
    await buyer().reserve(eventId, seats[0] ?? '');
    const failed = await eventually(
      async () => (await ask(`GET ${WEBHOOKS}/${id}/deliveries`)).list.find((one) => one.error),
      { within_ms: 8_000 },
    );
    expect(failed).toMatchObject({ status: 'pending', error: 'not a public https address' });
    const tested = await ask(`POST ${WEBHOOKS}/${id}/test`);
    expect(tested.data).toMatchObject({ status: 'dead', error: 'not a public https address' });
    expect(receiver.received).toEqual([]);
  });
});

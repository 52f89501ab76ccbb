import { anEngine } from '@voelgoed/testkit/builders';
import { call, useNode } from '@voelgoed/testkit/servers';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, scope, show } = useShows();
const otherNode = useNode(database, { DEMO: '0' });

type Alternatives = { seats: { seat_id: string }[] }[];

/** Ann with three seats in an open checkout, of which she gives the first one back. */
async function givenBack() {
  const { eventId, seats } = await show({ config: aHybridHall() });
  const ann = buyer();
  const holds = new Map<string, string>();
  const take = async (seat = '') => {
    const held = await ann.reserve(eventId, seat);
    holds.set(seat, String(held.data.hold_id));
  };
  const give = (seat = '') => ann.ask(`DELETE /api/holds/${holds.get(seat)}`);
  for (const seat of seats.slice(0, 3)) await take(seat);
  const start = (wish: object = {}) =>
    ann.ask('POST /api/checkouts', { body: { event_id: eventId, ...wish } });
  const started = await start();
  const id = String(started.data.checkout_id);
  expect((await give(seats[0])).status).toBe(200);
  const pay = () => ann.ask(`POST /api/checkouts/${id}/pay`);
  return { eventId, seats, ann, holds, take, give, start, id, pay };
}

describe('a checkout of which something was given back', () => {
  it('is judged when it is paid for, on every node, and named with other choices', async () => {
    const { id, ann, pay, seats } = await givenBack();
    const refused = await pay();
    expect([refused.status, refused.body.error]).toEqual([409, 'orphan_rule']);
    expect(refused.body.message).toBe('This choice would leave seat A-1 alone.');
    const { token } = ann;
    const elsewhere = await call(otherNode().address, `POST /api/checkouts/${id}/pay`, { token });
    expect(elsewhere.body).toMatchObject({ error: 'orphan_rule' });
    const details = refused.body.details as { orphans: string[]; alternatives: Alternatives };
    expect(details.orphans).toEqual(['A-1']);
    const [first] = details.alternatives;
    expect(first?.seats.map(({ seat_id }) => seat_id)).toEqual(seats.slice(0, 2));
    expect((await ann.ask(`GET /api/checkouts/${id}`)).data).toMatchObject({ status: 'started' });
  });

  it('is paid for with another seat when it was started again', async () => {
    const { seats, take, give, start, id, pay } = await givenBack();
    await take(seats[0]);
    await give(seats[2]);
    expect((await pay()).body.error).toBe('orphan_rule');
    expect((await start()).data).toMatchObject({ checkout_id: id, existing: true });
    expect((await pay()).data).toMatchObject({ status: 'paying' });
  });

  it('is paid for when the buyer insists', async () => {
    const { start, id, pay } = await givenBack();
    expect((await start()).body.error).toBe('orphan_rule');
    expect((await start({ allow_orphan: true })).data).toMatchObject({ checkout_id: id });
    expect((await pay()).data).toMatchObject({ status: 'paying' });
  });

  it('is not judged while it is being paid for, where a node of 0.1.0 has begun that', async () => {
    const { eventId, start, id, pay } = await givenBack();
    const givenBackIn = async () => {
      const board = await anEngine(database.postgres).registry.board({ scope: scope(), eventId });
      return board?.checkoutOf(id)?.given_back;
    };
    expect(await givenBackIn()).toBe(true);
    await start({ allow_orphan: true });
    await pay();
    // It does not know the column.
    const left = 'update checkouts set given_back = true where checkout_id = $1';
    await database.asSuperuser(left, [id]);
    expect(await givenBackIn()).toBe(false);
  });

  it('or is given up', async () => {
    const { ann, id, eventId, pay } = await givenBack();
    await pay();
    expect((await ann.ask(`POST /api/checkouts/${id}/cancel`)).status).toBe(200);
    expect((await ask(`GET /api/admin/events/${eventId}/occupancy`)).data).toMatchObject({
      held: 0,
    });
  });
});

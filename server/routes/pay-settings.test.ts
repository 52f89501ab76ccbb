import { tell, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const shows = useShows({ PAY_URL: 'https://pay.example/{attempt_id}?again={attempt_id}' });

async function paying() {
  const { eventId, seats } = await shows.show();
  const ann = shows.buyer();
  await ann.hold(eventId, [{ seat_id: seats[0] }]);
  const started = await ann.ask('POST /api/checkouts', { body: { event_id: eventId } });
  const id = String(started.data.checkout_id);
  const now = async () => (await ann.ask(`GET /api/checkouts/${id}`)).data;
  const statusNow = async () => (await now()).status;
  const { data } = await ann.ask(`POST /api/checkouts/${id}/pay`);
  const { attempt_id, amount_cents, pay_url } = data;
  return { attempt_id, amount_cents, pay_url, now, statusNow };
}

describe('a node with a pay page and without the secret of its messages', () => {
  it('sends buyers to the page of their attempt', async () => {
    const { attempt_id, pay_url, now } = await paying();
    expect(pay_url).toBe(`https://pay.example/${attempt_id}?again=${attempt_id}`);
    expect((await now()).attempts).toMatchObject([{ status: 'pending', pay_url }]);
  });

  it('asks providers to tell it again later, and believes nothing', async () => {
    const { attempt_id, amount_cents, statusNow } = await paying();
    const message = { type: 'payment.succeeded', attempt_id, amount_cents };
    expect(await tell(shows.node().address, message)).toMatchObject({
      status: 503,
      body: { error: 'unavailable', message: expect.stringContaining('PAYMENT_WEBHOOK_SECRET') },
    });
    expect(await statusNow()).toBe('paying');
  });
});

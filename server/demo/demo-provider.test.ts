import { useBrowser } from '@voelgoed/testkit/browser';
import { newId } from '@voelgoed/testkit/builders';
import { useDemoDatabase } from '@voelgoed/testkit/demos';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, useNode } from '@voelgoed/testkit/servers';
import { describe, expect, it } from 'vitest';

const database = useDemoDatabase();
/** Three seconds to pay, so that even the late answer comes soon. */
const node = useNode(database, { DEMO: '1', DEMO_HOLD_TTL_SECONDS: '1' });
const open = useBrowser();

let buyers = 0;

/** Somebody new in front of the pay page, with one place of the festival's pit. */
async function atThePage() {
  const { address } = node();
  const body = { role: 'customer', user: `buyer ${buyers++}` };
  const session = await call(address, 'POST /api/demo/sessions', { body });
  const token = String(session.data.token);
  const ask = (route: string, json: object = {}) => call(address, route, { token, body: json });
  const { list } = await call(address, 'GET /api/organizations/demo/events');
  const event_id = String(list.find(({ slug }) => slug === 'festival')?.event_id);
  const { data } = await call(address, `GET /api/events/${event_id}`);
  const zones = data.zones as { zone_id: string; name: string }[];
  const zone_id = zones.find(({ name }) => name === 'Pit')?.zone_id;
  await ask(`POST /api/events/${event_id}/holds`, { items: [{ zone_id, quantity: 1 }] });
  const started = await ask('POST /api/checkouts', { event_id });
  const id = String(started.data.checkout_id);
  const paid = await ask(`POST /api/checkouts/${id}/pay`);
  const checkout = async () => (await call(address, `GET /api/checkouts/${id}`, { token })).data;
  return { url: String(paid.data.pay_url), id, checkout };
}

async function press(url: string, action: string): Promise<{ status: number; text: string }> {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams({ action }) });
  return { status: reply.status, text: await reply.text() };
}

const owed = (checkoutId: string) =>
  database.asSuperuser('select reason from refunds_due where checkout_id = $1', [checkoutId]);

describe('the demo provider', () => {
  it('is a page with buttons, and paying makes a ticket', async () => {
    const { url, id, checkout } = await atThePage();
    const page = await open();
    await page.goto(url);
    expect(await page.textContent('.amount')).toMatch(/^R\s?\d+[.,]\d\d$/);
    await page.getByRole('button', { name: /^Pay R/ }).click();
    await page.waitForURL(`**/checkouts/${id}`);
    expect((await checkout()).status).toBe('completed');
    await page.close();
  });

  it('declines, and the checkout may be paid again', async () => {
    const { url, checkout } = await atThePage();
    await press(url, 'decline');
    expect(await checkout()).toMatchObject({ status: 'started', declined: true });
  });

  it('tells three times and sells once', async () => {
    const { url, id, checkout } = await atThePage();
    await press(url, 'duplicate');
    expect((await checkout()).status).toBe('completed');
    const tickets = await database.asSuperuser('select 1 from tickets where checkout_id = $1', [
      id,
    ]);
    expect(tickets).toHaveLength(1);
    expect(await owed(id)).toEqual([]);
  });

  it('takes a wrong amount, which is owed', async () => {
    const { url, id, checkout } = await atThePage();
    await press(url, 'wrong_amount');
    expect((await checkout()).status).toBe('started');
    expect(await owed(id)).toEqual([{ reason: 'amount_mismatch' }]);
  });

  it.each(['slow', 'late'])(
    'answers %s: after the time is over, and the place is there',
    async (how) => {
      const { url, checkout } = await atThePage();
      await press(url, how);
      expect((await checkout()).status).toBe('paying');
      const done = async () => ((await checkout()).status === 'completed' ? true : undefined);
      await eventually(done, { within_ms: 15_000 });
    },
  );

  it('has a page for what was asked for, and for nothing else', async () => {
    const { url } = await atThePage();
    const cheaper = url.replace(/amount=\d+/, 'amount=1');
    expect((await press(cheaper, 'success')).status).toBe(404);
    const elsewhere = url.replace(/checkout=[^&]+/, `checkout=${newId()}`);
    expect((await press(elsewhere, 'success')).status).toBe(404);
    expect((await press(url, 'steal')).status).toBe(400);
  });
});

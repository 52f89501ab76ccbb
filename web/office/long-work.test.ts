import { call } from '@voelgoed/testkit/servers';
import { DESK, type Page, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { describe, expect, it } from 'vitest';

const shop = useShop();

async function openOffice(slug: string): Promise<Page> {
  const page = await shop.visit(`/staff/events/${shop.eventId(slug)}/office`, DESK);
  await page.getByRole('button', { name: 'As owner', exact: true }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  return page;
}

const owner = async () => {
  const body = { role: 'owner', user: 'demo owner' };
  const { data } = await call(shop.node().address, 'POST /api/demo/sessions', { body });
  return String(data.token);
};

/** Requests to a route, with the keys they had; `fails` decides which get no answer. */
async function watch(page: Page, path: RegExp, fails: (asked: number) => boolean) {
  const keys: string[] = [];
  await page.route(path, async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '');
    if (!fails(keys.length)) return route.continue();
    // The server does it; the answer is lost on the way.
    await route.fetch();
    return route.abort();
  });
  return keys;
}

const rows = (text: string, values: unknown[]) => shop.database.asSuperuser(text, values);

describe('long work', { timeout: VISIT_MS }, () => {
  it('fails in the middle, is repeated with the same keys, and is done once', async () => {
    const page = await openOffice('arena');
    await page.getByRole('radio', { name: 'List' }).check();
    await page.getByRole('button', { name: 'Choose the whole area' }).click();
    const button = page.getByRole('button', { name: /^Block/ });
    await button.waitFor();
    const seats = Number(((await button.textContent()) ?? '').replaceAll(/\D/g, ''));
    expect(seats).toBeGreaterThan(2_000);
    await button.click();
    let isDown = true;
    // All tries of the second portion, until the network is back.
    const keys = await watch(page, /seats\/block$/, (asked) => isDown && asked > 1);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('rigging');
    await dialog.getByRole('button', { name: /^Block/ }).click();
    await dialog.getByText('trying again repeats nothing', { exact: false }).waitFor();
    const [first, second] = keys;
    expect(new Set(keys)).toEqual(new Set([first, second]));
    isDown = false;
    await dialog.getByRole('button', { name: /^Block/ }).click();
    await dialog.waitFor({ state: 'detached' });
    const portions = Math.ceil(seats / 1_000);
    // From the beginning, and each portion with the key it had.
    expect(new Set(keys).size).toBe(portions);
    expect(keys.slice(-portions).slice(0, 2)).toEqual([first, second]);
    const [blocked] = await rows(
      `select count(*)::int as seats, count(distinct seat) ::int as once
       from audit_log, jsonb_array_elements_text(changes -> 'seats') as seat
       where chain_id = $1 and action = 'seats_blocked'`,
      [shop.eventId('arena')],
    );
    expect(blocked).toEqual({ seats, once: seats });
    await page.close();
  });

  it('a sale whose answer is lost is one sale; with another key it would be two', async () => {
    const page = await openOffice('festival');
    await page.getByRole('spinbutton', { name: /Pit/ }).fill('3');
    let isDown = true;
    const keys = await watch(page, /\/(?:holds|sell)$/, (asked) => isDown && asked > 1);
    // Nor is it looked up meanwhile.
    await page.route(/status=converted/, (route) => (isDown ? route.abort() : route.continue()));
    await page.getByRole('button', { name: 'Sell: Pit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Sell', exact: true }).click();
    await dialog.getByText('trying again repeats nothing', { exact: false }).waitFor();
    isDown = false;
    await dialog.getByRole('button', { name: 'Try again', exact: true }).click();
    await dialog.getByText('3 tickets sold').waitFor();
    const sold = async () => {
      const text = 'select count(*)::int as tickets from tickets where event_id = $1';
      return (await rows(text, [shop.eventId('festival')]))[0]?.tickets;
    };
    expect(await sold()).toBe(3);
    expect(new Set(keys).size).toBe(2);
    // The control: the same wish with another key is another wish.
    const token = await owner();
    const again = async (key: string) => {
      const { data } = await call(shop.node().address, `GET /api/events/${id}`);
      const pit = (data.zones as { name: string; zone_id: string }[]).find(
        ({ name }) => name === 'Pit',
      );
      return call(shop.node().address, `POST /api/admin/events/${id}/holds`, {
        token,
        headers: { 'idempotency-key': key },
        body: { items: [{ zone_id: pit?.zone_id, quantity: 3 }], for: 'somebody' },
      });
    };
    const id = shop.eventId('festival');
    const held = async () => {
      const text = `select coalesce(sum(quantity), 0)::int as places from seat_holds
        where event_id = $1 and status = 'active'`;
      return (await rows(text, [id]))[0]?.places;
    };
    await again('one');
    await again('one');
    expect(await held()).toBe(3);
    await again('two');
    expect(await held()).toBe(6);
    await page.close();
  });

  it('a sale that was refused is paid in another way, for the same seats', async () => {
    const page = await openOffice('theatre');
    await page.getByRole('radio', { name: 'List' }).check();
    await page.locator('[data-label="C-1"]').click();
    await page.getByRole('button', { name: /^Sell/ }).click();
    const dialog = page.getByRole('dialog');
    const json = { error: 'payment_in_progress', message: 'A payment is under way.' };
    await page.route(/\/sell$/, (route) => route.fulfill({ status: 409, json }));
    await dialog.getByRole('button', { name: 'Sell', exact: true }).click();
    await dialog.getByText('trying again repeats nothing', { exact: false }).waitFor();
    await page.unroute(/\/sell$/);
    const holds = await watch(page, /\/holds$/, () => false);
    await dialog.getByRole('radio', { name: 'Card' }).check();
    await dialog.getByRole('button', { name: 'Sell', exact: true }).click();
    await dialog.getByText('1 ticket sold').waitFor();
    expect(holds).toEqual([]);
    await page.close();
  });

  it('goes on when its page is left, and says there what became of it', async () => {
    const page = await openOffice('theatre');
    await page.getByRole('radio', { name: 'List' }).check();
    await page.locator('[data-label="D-1"]').click();
    await page.getByRole('button', { name: /^Sell/ }).click();
    const dialog = page.getByRole('dialog');
    let letGo: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(/\/sell$/, async (route) => {
      await waits;
      return route.continue();
    });
    await dialog.getByRole('button', { name: 'Sell', exact: true }).click();
    await dialog.getByText('The sale is under way', { exact: false }).waitFor();
    await page
      .locator('a[href="/staff"]')
      .first()
      .evaluate((link) => (link as unknown as { click(): void }).click());
    await dialog.waitFor({ state: 'detached' });
    letGo();
    await page.getByText('1 ticket sold').first().waitFor({ state: 'attached' });
    await page.close();
  });

  it('can be stopped between portions, and goes on', async () => {
    const page = await openOffice('arena');
    await page.getByRole('radio', { name: 'List' }).check();
    await page.getByLabel('Area').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Choose the whole area' }).click();
    await page.getByRole('button', { name: /^Block/ }).click();
    const dialog = page.getByRole('dialog');
    let letGo: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(/seats\/block$/, async (route) => {
      await waits;
      return route.continue();
    });
    await dialog.getByLabel('Reason').fill('rigging');
    await dialog.getByRole('button', { name: /^Block/ }).click();
    await dialog.getByRole('button', { name: 'Stop' }).click();
    letGo();
    await dialog.getByText(/^Stopped: 1.000 of/).waitFor();
    await dialog.getByRole('button', { name: /^Block/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.close();
  });
});

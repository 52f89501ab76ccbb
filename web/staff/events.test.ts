import { systemHost } from '@voelgoed/client/client';
import { eventually } from '@voelgoed/testkit/eventually';
import {
  barriersOf,
  enterAs,
  type Page,
  PHONE,
  useDesk,
  useShop,
  VISIT_MS,
} from '@voelgoed/testkit/visitors';
import { beforeAll, describe, expect, it } from 'vitest';

const shop = useShop();
const { ask, sit } = useDesk(shop);
const HOUR_MS = 3_600_000;

const plain = (text: string) => text.replace(/\s/g, ' ');
const names = (page: Page, part: string) =>
  page.getByRole('region', { name: part }).getByRole('heading', { level: 3 }).allInnerTexts();
const inHours = (hours: number) => new Date(systemHost.now() + hours * HOUR_MS).toISOString();

/** A draft that lasts an hour. */
async function draft(name: string, hours: number, slug: string): Promise<string> {
  const times = { starts_at: inHours(hours), ends_at: inHours(hours + 1) };
  const { data } = await ask('POST /api/admin/events', { body: { name, slug, ...times } });
  return String(data.event_id);
}

/** General admission for so many, published. */
async function publish(id: string, capacity: number): Promise<void> {
  const zones = [{ name: 'Floor', zone_type: 'ga_standing', capacity }];
  const { data } = await ask(`PUT /api/admin/events/${id}/layout`, { body: { zones } });
  const layout = data.layout as { zones: { zone_id: string }[] };
  const prices = layout.zones.map(({ zone_id }) => ({ zone_id, price_cents: 12_345 }));
  await ask(`PUT /api/admin/events/${id}/prices`, { body: { prices } });
  await ask(`POST /api/admin/events/${id}/publish`, { body: {} });
}

describe('the list of events', { timeout: VISIT_MS }, () => {
  let small = '';

  beforeAll(async () => {
    // Made in another order than they take place.
    await draft('Later than all', 24 * 900, 'later');
    small = await draft('Kleinkuns', 2, 'kleinkuns');
    await publish(small, 3);
    await draft('Long ago', -500, 'long-ago');
    await draft('Not so long ago', -50, 'not-so-long-ago');
    const { data } = await ask(`GET /api/events/${small}`);
    const zone_id = (data.zones as { zone_id: string }[])[0]?.zone_id;
    const body = { items: [{ zone_id, quantity: 2 }], for: 'Mev. Nel' };
    const held = await ask(`POST /api/admin/events/${small}/holds`, { body });
    const hold_ids = (held.data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);
    await ask(`POST /api/admin/events/${small}/sell`, { body: { hold_ids, method: 'cash' } });
  }, VISIT_MS);

  it('begins with what comes next, and has what is past under its own heading', async () => {
    const page = await sit('/staff');
    await page.getByRole('heading', { name: 'Kleinkuns' }).waitFor();
    await page.getByRole('heading', { name: 'Long ago', exact: true }).waitFor();
    const coming = await names(page, 'Coming');
    expect([coming[0], coming.at(-1)]).toEqual(['Kleinkuns', 'Later than all']);
    expect(await names(page, 'Past')).toEqual(['Not so long ago', 'Long ago']);
    // Of another year: the year is there, and it is not where it is this one.
    const line = (name: string) => page.locator('li', { hasText: name });
    const year = new Date(systemHost.now() + 24 * 900 * HOUR_MS).getUTCFullYear();
    expect(await line('Later than all').innerText()).toContain(String(year));
    expect(await line('Long ago').first().innerText()).not.toContain('Floor');
    const sold = line('Kleinkuns').locator('[data-takings]');
    expect(plain(await sold.innerText())).toBe('2 of 3 sold · R 246,90');
    // Each link says of which event it is.
    await page.getByRole('link', { name: 'Box office: Kleinkuns', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Dashboard: Later than all', exact: true }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });

  it('is searched by name and by venue', async () => {
    const page = await sit('/staff', PHONE);
    const field = page.getByLabel('Search by name or venue');
    await field.fill('nkUns');
    await eventually(async () => (await names(page, 'Coming')).join() === 'Kleinkuns');
    await page.getByText('No event here has this in its name or venue.').waitFor();
    await field.fill('voelgoed aren');
    await eventually(async () => (await names(page, 'Coming')).join() === 'Arena Night');
    await field.fill('');
    await eventually(async () => (await names(page, 'Past')).length === 2);
    const wider = 'document.documentElement.scrollWidth > innerWidth';
    expect(await page.evaluate(wider)).toBe(false);
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });

  it('goes on page by page', async () => {
    for (let number = 0; number < 30; number++) {
      await draft(`Matinee ${number}`, 5_000 + number, `matinee-${number}`);
    }
    const page = await sit('/staff');
    await page.getByLabel('Search by name or venue').fill('matinee');
    const isFound = async (many: number) => {
      const found = await names(page, 'Coming');
      return found.length === many && found.every((name) => name.startsWith('Matinee'));
    };
    await eventually(() => isFound(24));
    await page.getByRole('button', { name: 'Show more: Coming' }).click();
    await eventually(() => isFound(30));
    const wanted = Array.from({ length: 30 }, (_, number) => `Matinee ${number}`);
    expect(await names(page, 'Coming')).toEqual(wanted);
    await page.close();
  });
});

describe('the badge of an event', { timeout: VISIT_MS }, () => {
  it('changes while the page is open, when the sale begins, ends and is over', async () => {
    const id = await draft('Badge', 10, 'badge');
    const window = { sale_starts_at: inHours(4), sale_ends_at: inHours(9) };
    await ask(`PATCH /api/admin/events/${id}`, { body: window });
    await publish(id, 10);
    const page = await shop.visit('/staff');
    await page.clock.install();
    await enterAs(page, 'owner');
    const badge = page.locator(`[data-event="${id}"] .tag`);
    const says = (...texts: string[]) =>
      eventually(async () => (await badge.allInnerTexts()).join() === texts.join());
    await says('Before the sale');
    await page.clock.fastForward('04:00:10');
    await says('On sale');
    await page.clock.fastForward('05:00:10');
    await says('Sale over');
    await page.clock.fastForward('02:10:00');
    await says('Over');
    await page.close();
  });

  it('says on the page of the event and above its other pages what the list says', async () => {
    const id = await draft('Doors', 1, 'doors');
    await publish(id, 10);
    await ask(`POST /api/admin/events/${id}/open`, { body: {} });
    const page = await sit(`/staff/events/${id}/setup`);
    const texts = async () => (await page.locator('.tag[data-badge]').allInnerTexts()).join();
    await eventually(async () => (await texts()) === 'On sale,Doors open');
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await eventually(async () => (await texts()) === 'On sale,Doors open');
    // It ends: the sale and the doors with it.
    await ask(`POST /api/admin/events/${id}/end`, { body: {} });
    await page.getByRole('link', { name: 'Set-up', exact: true }).click();
    await eventually(async () => (await texts()) === 'Ended');
    await page.close();
  });
});

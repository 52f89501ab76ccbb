import { eventually } from '@voelgoed/testkit/eventually';
import { enterAs, type Page, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { describe, expect, it } from 'vitest';

const shop = useShop();

const ROLES = ['owner', 'admin', 'box office', 'viewer', 'scanner'] as const;
/** What each role is offered, beside the events and the doors. */
const OFFERED: Record<(typeof ROLES)[number], { doors: boolean; event: string[] }> = {
  owner: { doors: true, event: ['office', 'door', 'dashboard', 'replay', 'setup'] },
  admin: { doors: true, event: ['office', 'door', 'dashboard', 'replay', 'setup'] },
  'box office': { doors: true, event: ['office', 'door', 'dashboard', 'replay', 'setup'] },
  viewer: { doors: false, event: ['dashboard', 'setup'] },
  scanner: { doors: true, event: [] },
};

/** Requests that were refused for who asks, and those that are still under way. */
function listen(page: Page) {
  const refused: string[] = [];
  const pending = new Set<unknown>();
  page.on('request', (request) => {
    if (!request.url().includes('/stream')) pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  page.on('response', (reply) => {
    if ([401, 403].includes(reply.status())) refused.push(`${reply.status()} ${reply.url()}`);
  });
  return { refused, pending };
}

const hrefsOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) => all.map((one) => String(one.getAttribute('href'))));

/** As by a click, also where the menu is closed. */
async function go(page: Page, href: string): Promise<void> {
  await page
    .locator(`a[href="${href}"]`)
    .first()
    .evaluate((link) => (link as unknown as { click(): void }).click());
  await page.waitForURL(`**${href}`);
}

describe('a role', { timeout: 2 * VISIT_MS }, () => {
  it.each(ROLES)('%s finds no link that is refused, nor asks for what it may not', async (role) => {
    const page = await shop.visit('/staff');
    const { refused, pending } = listen(page);
    await enterAs(page, role);
    const isSettled = async () => {
      await page.locator('h1').first().waitFor();
      await eventually(
        async () => pending.size === 0 && (await page.locator('.skeleton').count()) === 0,
      );
      expect([page.url(), await page.getByText('Not with this role').count()]).toEqual([
        page.url(),
        0,
      ]);
      expect(refused).toEqual([]);
    };
    await isSettled();
    const { doors, event } = OFFERED[role];
    const links = await hrefsOf(page, 'nav.places a');
    expect(links.includes('/staff/door')).toBe(doors);
    for (const href of links) {
      await go(page, href);
      await isSettled();
    }
    if (event.length > 0) {
      const id = shop.eventId('theatre');
      await go(page, '/staff');
      await isSettled();
      const ways = await hrefsOf(page, `[data-event="${id}"] .ways a`);
      expect(ways).toEqual(event.map((way) => `/staff/events/${id}/${way}`));
      for (const href of ways) {
        await go(page, href);
        await isSettled();
      }
    }
    await page.close();
  });

  it('viewer reads an event and is offered nothing that changes it', async () => {
    const page = await shop.visit('/staff');
    await enterAs(page, 'viewer', `/staff/events/${shop.eventId('theatre')}/setup`);
    await page.getByLabel('Name', { exact: true }).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).getAttribute('readonly')).not.toBeNull();
    const names = ['Save', 'Save the prices', 'Open the doors', 'Postpone', 'Cancel the event'];
    for (const name of names) {
      expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([
        name,
        0,
      ]);
    }
    await page.close();
  });
});

import { tokenFor } from '@voelgoed/testkit/servers';
import { barriersOf, DESK, enterAs, PHONE, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { describe, expect, it } from 'vitest';

const shop = useShop();

async function demoOrganization(): Promise<string> {
  const text = `select organization_id from organizations where slug = 'demo'`;
  return String((await shop.database.asSuperuser(text))[0]?.organization_id);
}

describe('somebody at the desk', { timeout: VISIT_MS }, () => {
  it('signs in by role in a demo, stays signed in, and signs out', async () => {
    const page = await shop.visit('/staff');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await enterAs(page, 'owner');
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    await page.getByRole('heading', { name: 'Arena' }).first().waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.close();
  });

  it('is told that a credential is not valid, and gets in with one that is', async () => {
    const page = await shop.visit('/staff', PHONE);
    const field = page.getByLabel('Access token or API key');
    await field.fill('nonsense');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('That is not a valid token or key.').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await field.fill(tokenFor(await demoOrganization(), { role: 'staff' }));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    // For this tab alone: nothing was said of staying signed in.
    expect(await page.evaluate('localStorage.getItem("voelgoed.staff")')).toBeNull();
    await page.close();
  });

  it('sees what their role may, in their language', async () => {
    const page = await shop.visit('/staff', { ...DESK, locale: 'af-ZA' });
    await enterAs(page, 'scanner');
    // Who may do nothing but scan begins at the doors.
    await page.waitForURL('**/staff/door');
    await page.getByRole('link', { name: /Arena/ }).waitFor();
    await page.goto(new URL('/staff/audit', page.url()).href);
    await page.getByRole('heading', { name: 'Nie met hierdie rol nie' }).waitFor();
    await page.getByText('audit:read').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });

  it('is not taken for a customer by the demo, nor the open event for none', async () => {
    const page = await shop.visit('/staff');
    await enterAs(page, 'owner', `/staff/events/${shop.eventId('arena')}/setup`);
    await page.getByRole('heading', { name: 'Arena Night' }).waitFor();
    await page.getByRole('button', { name: 'Demo', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Let 60 / }).waitFor();
    expect(await dialog.getByText('Open an event to simulate').count()).toBe(0);
    expect(await dialog.getByText('Customer', { exact: true }).count()).toBe(0);
    await dialog.getByText('Staff. Your role is named beside').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });

  it('stays signed in when the server does not answer for a while', async () => {
    const page = await shop.visit('/staff');
    await enterAs(page, 'owner');
    await page.route('**/api/me', (route) => route.abort());
    await page.reload();
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute('**/api/me');
    await again.click();
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    await page.close();
  });

  it.each(['en-ZA', 'af-ZA'])('has the way on one line of a phone: %s', async (locale) => {
    const page = await shop.visit(`/staff/events/${shop.eventId('arena')}/setup`, {
      ...PHONE,
      locale,
    });
    await enterAs(page, 'owner');
    await page.getByRole('heading', { name: 'Arena Night' }).waitFor();
    const heights = await page
      .locator('nav.places')
      .evaluateAll((all) =>
        all.map((one) => (one as unknown as { offsetHeight: number }).offsetHeight),
      );
    expect(Math.max(...heights)).toBeLessThan(60);
    const wider = 'document.documentElement.scrollWidth > innerWidth';
    expect(await page.evaluate(wider)).toBe(false);
    // Where they are is in sight, though the line is longer than the screen.
    const here = page.locator('nav [aria-current="page"]');
    const box = await here.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
    await page.getByRole('button', { name: /^(?:Menu|Kieslys)$/ }).press('Enter');
    const menu = page.locator('.menu');
    expect(await menu.getByRole('link').count()).toBe(9);
    expect(await barriersOf(page)).toEqual([]);
    await menu.getByRole('link').first().press('Enter');
    await page.waitForURL('**/staff/venues');
    await menu.waitFor({ state: 'hidden' });
    await page.close();
  });
});

import { tokenFor } from '@voelgoed/testkit/servers';
import { barriersOf, DESK, type Page, PHONE, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { describe, expect, it } from 'vitest';

const shop = useShop();

const enterAs = (page: Page, role: string) =>
  page.getByRole('button', { name: `As ${role}`, exact: true }).click();

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
    await page.getByText('box office', { exact: false }).first().waitFor();
    // For this tab alone: nothing was said of staying signed in.
    expect(await page.evaluate('localStorage.getItem("voelgoed.staff")')).toBeNull();
    await page.close();
  });

  it('sees what their role may, in their language', async () => {
    const page = await shop.visit('/staff', { ...DESK, locale: 'af-ZA' });
    await page.getByRole('button', { name: 'As skandeerder' }).click();
    await page.getByRole('heading', { name: 'Nie met hierdie rol nie' }).waitFor();
    await page.getByText('events:read').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });
});

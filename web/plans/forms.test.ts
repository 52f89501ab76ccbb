import { hall } from '@voelgoed/testkit/halls';
import { call, tokenFor } from '@voelgoed/testkit/servers';
import {
  barriersOf,
  DESK,
  enterAs,
  type Page,
  PHONE,
  useShop,
  VISIT_MS,
} from '@voelgoed/testkit/visitors';
import { describe, expect, it } from 'vitest';

const shop = useShop();

async function aVenue(slug: string, more: object = {}): Promise<string> {
  const text = `select organization_id from organizations where slug = 'demo'`;
  const [row] = await shop.database.asSuperuser(text);
  const token = tokenFor(String(row?.organization_id));
  const body = { slug, name: `Hall ${slug}`, ...more };
  const made = await call(shop.node().address, 'POST /api/admin/venues', { token, body });
  return String(made.data.venue_id);
}

async function expectInSight(page: Page): Promise<void> {
  const box = await page.getByTestId('hall-map').boundingBox();
  const { height } = page.viewportSize() ?? { height: 0 };
  expect(box?.height).toBeGreaterThan(120);
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
}

describe('the form for a new layout', { timeout: VISIT_MS }, () => {
  it('keeps what was typed when the way of drawing changes', async () => {
    const page = await shop.visit('/staff');
    await enterAs(page, 'admin', `/staff/venues/${await aVenue('kept')}/draw`);
    const rows = page.getByLabel('Rows', { exact: true });
    await rows.fill('7');
    const kind = page.getByLabel('What to draw');
    await kind.selectOption('own');
    await page.getByLabel('Name of the zone').fill('Ring');
    await kind.selectOption('gala');
    await page.getByLabel('Tables in all').fill('12');
    await page.getByText('Good: 96 seats').waitFor();
    await kind.selectOption('theatre');
    expect(await rows.inputValue()).toBe('7');

    await page.getByRole('button', { name: 'Upload' }).click();
    const text = JSON.stringify(hall());
    await page.getByLabel('Or paste the JSON').fill(text);
    await page.getByRole('button', { name: 'Check it' }).click();
    await page.getByText('Good: 13 seats').waitFor();
    await page.getByRole('button', { name: 'Generate' }).click();
    expect(await rows.inputValue()).toBe('7');
    await page.getByText(/^Good: (?!13 )/).waitFor();
    await kind.selectOption('own');
    expect(await page.getByLabel('Name of the zone').inputValue()).toBe('Ring');
    await kind.selectOption('gala');
    expect(await page.getByLabel('Tables in all').inputValue()).toBe('12');
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByText('Good: 13 seats').waitFor();
    expect(await page.getByLabel('Or paste the JSON').inputValue()).toBe(text);
    await page.close();
  });

  it('turns a preset into shapes that are the same hall', async () => {
    const page = await shop.visit('/staff');
    await enterAs(page, 'admin', `/staff/venues/${await aVenue('shaped')}/draw`);
    await page.getByText(/^Good: 1.402 seats/).waitFor();
    await page.getByRole('button', { name: 'Turn it into shapes' }).click();
    expect(await page.getByLabel('What to draw').inputValue()).toBe('own');
    const stalls = page.getByRole('group', { name: '1. Curved rows' });
    const balcony = page.getByRole('group', { name: '2. Curved rows' });
    expect(await stalls.getByLabel('Name of the zone').inputValue()).toBe('Stalls');
    expect(await balcony.getByLabel('Name of the zone').inputValue()).toBe('Balcony');
    const spaces = stalls.getByLabel('Wheelchair spaces (printed row-seat)');
    expect(await spaces.inputValue()).toBe('R-1, R-3, R-5');
    await page.getByText(/^Good: 1.402 seats/).waitFor();
    await balcony.getByLabel('Rows', { exact: true }).fill('6');
    await page.getByText(/^Good: 1.(?!402)\d+ seats/).waitFor();
    await page.close();
  });

  it('gives a second shape its own name and place; problems are grouped in words', async () => {
    const page = await shop.visit('/staff');
    await enterAs(page, 'admin', `/staff/venues/${await aVenue('second')}/draw`);
    await page.getByLabel('What to draw').selectOption('own');
    await page.getByText('Good: 375 seats').waitFor();
    await page.getByLabel('One more shape').selectOption('curved_rows');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const second = page.getByRole('group', { name: '2. Curved rows' });
    expect(await second.getByLabel('Name of the zone').inputValue()).toBe('Stalls 2');
    await page.getByText('Good: 750 seats').waitFor();
    await second.getByRole('button', { name: 'Duplicate' }).click();
    const third = page.getByRole('group', { name: '3. Curved rows' });
    expect(await third.getByLabel('Name of the zone').inputValue()).toBe('Stalls 3');
    await page.getByText(/^Good: 1.125 seats/).waitFor();

    // Both on the same spot: one kind of problem, however many seats there are.
    await third.getByText('More settings').click();
    await second.getByText('More settings').click();
    const centre = await second.getByLabel('Centre (x, y)').inputValue();
    await third.getByLabel('Centre (x, y)').fill(centre);
    const problems = page.getByRole('region', { name: /problems$/ });
    const lines = problems.locator('.groups > li > p');
    await problems.waitFor();
    expect(await lines.count()).toBe(1);
    const [line = ''] = await lines.allTextContents();
    expect(line).toMatch(/^\s*\d+ seats lie on another seat, for example .+ …\s*$/);
    expect(line).not.toContain('[');
    await expectInSight(page);
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });

  it.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ])('shows the plan however far it is scrolled at %s', async (_, options) => {
    const slug = options === PHONE ? 'far-phone' : 'far-desk';
    const page = await shop.visit('/staff', options);
    await enterAs(page, 'admin', `/staff/venues/${await aVenue(slug)}/draw`);
    await page.getByLabel('What to draw').selectOption('own');
    for (let shapes = 2; shapes <= 5; shapes++) {
      await page.getByRole('button', { name: 'Add', exact: true }).click();
    }
    await page.getByText(/^Good: 375 seats, 1.175 places/).waitFor();
    await page.getByRole('group', { name: /^5\./ }).getByLabel('Places').fill('300');
    await page.getByText(/^Good: 375 seats, 1.275 places/).waitFor();
    await expectInSight(page);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.getByRole('button', { name: 'Save as draft' }).waitFor();
    await expectInSight(page);
    // What the plan covers for now is not too small.
    await page.evaluate('scrollTo(0, 0)');
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });
});

describe('venues on a narrow screen', { timeout: VISIT_MS }, () => {
  it.each([320, 390])('do not overflow at %i pixels, whatever they are called', async (width) => {
    const name = `Burger${'theatre'.repeat(8)} (the great hall, upstairs)`;
    await aVenue(`narrow-${width}`, {
      name,
      address: `${'Longstreet'.repeat(6)} 12, Stellenbosch`,
    });
    const page = await shop.visit('/staff', { ...PHONE, viewport: { width, height: 844 } });
    await enterAs(page, 'admin', '/staff/venues');
    await page.getByRole('heading', { name }).first().waitFor();
    // On a phone the window grows with what is too wide, so the device's own width counts.
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
    await page
      .getByRole('button', { name: `Change: ${name}` })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    const inside = `(() => {
      const dialog = document.querySelector('dialog');
      return dialog.scrollWidth - dialog.clientWidth;
    })()`;
    expect(await page.evaluate<number>(inside)).toBeLessThanOrEqual(0);
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });
});

describe('what staff read', { timeout: VISIT_MS }, () => {
  it('about a webhook without https names the field and what to change', async () => {
    const page = await shop.visit('/staff');
    await enterAs(page, 'admin', '/staff/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('http://example.org/hook');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const said = 'The address must begin with https:// and be reachable from the internet.';
    await dialog.getByText(said).waitFor();
    const all = await dialog.textContent();
    expect(all).not.toMatch(/The shop|organiser|body\/url/);
    await page.close();
  });
});

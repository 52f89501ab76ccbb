import { useBrowser } from '@voelgoed/testkit/browser';
import { useDatabase } from '@voelgoed/testkit/database';
import { useNode } from '@voelgoed/testkit/servers';
import { describe, expect, it } from 'vitest';

const database = useDatabase();
const node = useNode(database);
const newPage = useBrowser();

describe('the first page', () => {
  it('shows the state and leads to the reference', async () => {
    const page = await newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const outside: string[] = [];
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== node().address && protocol !== 'data:') outside.push(request.url());
    });
    await page.goto(node().address);
    expect(await page.locator('.state').textContent()).toBe('ready');
    expect(await page.locator('main').textContent()).toContain('An Evening at the Theatre');
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.getByRole('link', { name: 'May this node get requests' }).waitFor();
    await page.waitForLoadState('load');
    expect(outside).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

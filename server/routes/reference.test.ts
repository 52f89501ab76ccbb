import { useBrowser } from '@voelgoed/testkit/browser';
import { useDemoDatabase } from '@voelgoed/testkit/demos';
import { useNode } from '@voelgoed/testkit/servers';
import { describe, expect, it } from 'vitest';

const database = useDemoDatabase();
const node = useNode(database, { DEMO: '1' });
const newPage = useBrowser();
/** The reference is a large program, and this may be a small machine. */
const PATIENT = { timeout: 45_000 };

describe('the first page and the reference', () => {
  it('show what there is, and need nobody else for it', async () => {
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
    await page.getByText('An Evening at the Theatre').first().waitFor();
    await page.goto(`${node().address}/docs`, PATIENT);
    await page.getByText('token issuers').first().waitFor(PATIENT);
    await page.waitForLoadState('load', PATIENT);
    expect(outside).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

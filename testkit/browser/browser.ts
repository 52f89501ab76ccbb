/**
 * A real Chromium for tests. It knows when to start and stop one; pages and clicks are the tests'
 * own.
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { launchChromium } from '#chromium';

/**
 * One browser per test file; the result opens a new page in it, as a device of its own. Pages of a
 * test end with it: an open map goes on drawing and listening, and two cores are not many.
 */
export function useBrowser(): (device?: BrowserContextOptions) => Promise<Page> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
  });
  afterAll(() => browser?.close());
  return async (device) => {
    if (!browser) throw new Error('the browser is there inside tests only');
    const page = await browser.newPage(device);
    // Shorter than a test's limit, so that a failure names the step that waited in vain.
    page.setDefaultTimeout(30_000);
    return page;
  };
}

/**
 * A real Chromium for tests. It knows when to start and stop one; pages and clicks are the tests'
 * own.
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchChromium } from '#chromium';

/** One browser per test file; the result opens a new page in it, as a device of its own. */
export function useBrowser(): (device?: BrowserContextOptions) => Promise<Page> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchChromium();
  }, 60_000);
  afterAll(() => browser?.close());
  return async (device) => {
    if (!browser) throw new Error('the browser is there inside tests only');
    const page = await browser.newPage(device);
    // Shorter than a test's limit, so that a failure names the step that waited in vain.
    page.setDefaultTimeout(10_000);
    return page;
  };
}

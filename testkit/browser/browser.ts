/**
 * A real Chromium for tests, found on PATH. It knows how to start and stop one; pages and clicks
 * are the tests' own.
 */
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

/**
 * No sandbox (tests run as root), no GPU, and none of the connections that Chromium makes by
 * itself.
 */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function findChromium(path: string): Promise<string | null> {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    for (const folder of path.split(delimiter).filter(Boolean)) {
      const file = join(folder, name);
      const found = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (found) return file;
    }
  }
  return null;
}

/** One browser per test file; the result opens a new page in it. */
export function useBrowser(): () => Promise<Page> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const executablePath = await findChromium(process.env.PATH ?? '');
    if (!executablePath) throw new Error('browser tests need chromium on PATH');
    browser = await chromium.launch({ executablePath, args: FLAGS });
  }, 60_000);
  afterAll(() => browser?.close());
  return async () => {
    if (!browser) throw new Error('the browser is there inside tests only');
    const page = await browser.newPage();
    // Shorter than a test's limit, so that a failure names the step that waited in vain.
    page.setDefaultTimeout(10_000);
    return page;
  };
}

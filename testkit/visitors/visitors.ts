/**
 * Visitors: people in front of the shop, in a real Chromium against a real node with the demo's
 * events. It knows how they open an event, reach things with the keyboard, and what their screen
 * readers and eyes would complain about; what they want is the tests'.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { useBrowser } from '#browser';
import { useDemoDatabase } from '#demos';
import { call, useNode } from '#servers';

export type { Page } from 'playwright-core';
export { useDesk } from './desks.ts';
export { enterAs, giveReason, inkOf } from './staff.ts';

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
/** A whole purchase, also on a busy machine. */
export const VISIT_MS = 120_000;
export const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

/** Axe's names of what WCAG 2.2 AA asks for, and what everybody advises. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** More than any page has; then the thing that is looked for cannot be reached. */
const MOST_TABS = 80;

/** Run in the page, where there is a document; as texts, because here there is none. */
const FOCUSED = `(() => {
  const one = document.activeElement;
  const label = one?.closest('label')?.textContent ?? '';
  return [one?.getAttribute('aria-label'), one?.textContent, label].join(' ').trim();
})()`;
/** Counted from the first moment of every page, so that reading the sum waits for nothing. */
const COUNT_SHIFTS = `globalThis.shifts = 0;
globalThis.countShifts = (entries) => {
  for (const entry of entries) if (!entry.hadRecentInput) shifts += entry.value;
};
globalThis.shiftObserver = new PerformanceObserver((list) => countShifts(list.getEntries()));
shiftObserver.observe({ type: 'layout-shift', buffered: true });`;
const SHIFTS = '(countShifts(shiftObserver.takeRecords()), shifts)';

/** A shop for a test file, and visitors for it. */
export function useShop(environment: Record<string, string> = {}) {
  const database = useDemoDatabase();
  const node = useNode(database, { DEMO: '1', ...environment });
  const open = useBrowser();
  const events = new Map<string, string>();
  beforeAll(async () => {
    const { list } = await call(node().address, 'GET /api/organizations/demo/events');
    for (const { slug, event_id } of list) events.set(String(slug), String(event_id));
  });
  const eventId = (slug: string) => events.get(slug) ?? '';
  /** Somebody new; `address` is another way to the node. */
  const visit = async (
    path: string,
    options: BrowserContextOptions = DESK,
    address = node().address,
  ): Promise<Page> => {
    const page = await open({ locale: 'en-ZA', reducedMotion: 'reduce', ...options });
    // A browser, a node and their database share a machine with other tests.
    page.setDefaultTimeout(40_000);
    await page.addInitScript(COUNT_SHIFTS);
    await page.goto(`${address}${path}`);
    return page;
  };
  const visitEvent = (slug: string, options?: BrowserContextOptions, address?: string) =>
    visit(`/events/${eventId(slug)}`, options, address);
  return { database, node, eventId, visit, visitEvent };
}

/** A seat of the list, by its label. */
export function seatOf(page: Page, label: string): Locator {
  return page.locator(`[data-label="${label}"]`);
}

/** Every seat is in the list, too. */
export async function openList(page: Page): Promise<void> {
  await page.getByText('List', { exact: true }).click();
  await page.getByRole('grid').waitFor();
}

/** Presses Tab until what has the focus is called so. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < MOST_TABS; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(FOCUSED);
    seen.push(focused.slice(0, 40));
    if (name.test(focused)) return;
  }
  throw new Error(`the tab key does not come to ${name}; it came to ${seen.join(' | ')}`);
}

/** What axe finds on the page: rule and places, as few words as possible. */
export async function barriersOf(page: Page): Promise<string[]> {
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(await readFile(file, 'utf8'));
  return page.evaluate(async (values) => {
    type Found = { violations: { id: string; nodes: { target: string[]; html: string }[] }[] };
    const { axe } = globalThis as unknown as { axe: { run(o: object): Promise<Found> } };
    const { violations } = await axe.run({ runOnly: { type: 'tag', values } });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, RULES);
}

/** How much the page has moved under the visitor's eyes so far: the sum of layout shifts. */
export async function shiftOf(page: Page): Promise<number> {
  return page.evaluate<number>(SHIFTS);
}

import { readFile } from 'node:fs/promises';
import { eventually } from '@voelgoed/testkit/eventually';
import { barriersOf, type Page, useDesk, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { beforeAll, describe, expect, it } from 'vitest';

const shop = useShop({ ALLOW_INTERNAL_ADDRESSES: '1' });
const { ask, buyer, sit } = useDesk(shop);

const LONG = 'Nuwejaarsgala van die Filharmoniese Jeugorkes en die Kinderkoor van Potchefstroom';
const WIDTHS = [768, 390, 320] as const;
/** A full sweep of some twenty screens on a machine with other work. */
const SWEEP_MS = 4 * VISIT_MS;
const STREAM = /\/stream|\/changes/;
/** What the addresses stand for, by their patterns: filled in from the demo. */
const ids = { id: '', layout: '', venue: '', draft: '', webhook: '' };

/** Examples of addresses that are not about the event; every other `{id}` is the theatre's. */
const EXAMPLES: Readonly<Record<string, () => string>> = {
  '/events/{id}/plan': () => `/events/${ids.draft}/plan`,
  '/webhooks/{id}': () => `/webhooks/${ids.webhook}`,
};

/** Dialogs by the screen and the button that opens them. */
const DIALOGS: readonly (readonly [address: string, button: string | RegExp])[] = [
  ['/people', 'Add somebody'],
  ['/access', 'New key'],
  ['/webhooks', 'New webhook'],
  ['/venues', 'New venue'],
  ['/registry', 'Reconcile all'],
  ['/events/{id}/setup', /^Postpone/],
  ['/events/{id}/setup', /^Cancel (?:it|the event)/],
];

/** Every address in the table of screens, as it is written there. */
async function addresses(): Promise<string[]> {
  const text = await readFile(new URL('./desks.ts', import.meta.url), 'utf8');
  const found = [...text.matchAll(/\bpath: at\('([^']*)'\)/g)].map(([, address = '']) => address);
  expect(found).toHaveLength(text.split(/\bpath: /).length - 2);
  expect(found.length).toBeGreaterThan(20);
  return found;
}

function exampleOf(address: string): string {
  const given = EXAMPLES[address]?.();
  const filled = given ?? address.replace(/\{(\w+)\}/g, (_, name) => ids[name as 'id'] || '{?}');
  if (filled.includes('{')) throw new Error(`${address} needs an example in this test`);
  return `/staff${filled}`;
}

/** Names that are long, a sale, a hold, a block, a refund and a refusal: tables have rows. */
beforeAll(async () => {
  ids.id = shop.eventId('theatre');
  const { data: map } = await ask(`GET /api/events/${ids.id}/seatmap`);
  const seats = (map.seats as { seat_id: string }[]).map(({ seat_id }) => seat_id);
  const seat = (index: number) => `POST /api/events/${ids.id}/seats/${seats[index]}/reserve`;
  await buyer('Ann')(seat(9));
  const held = await buyer('Ben')(seat(0));
  await buyer('Ben')(seat(9));
  const sale = { hold_ids: [held.data.hold_id], method: 'cash', for_holder: true };
  const sold = await ask(`POST /api/admin/events/${ids.id}/sell`, { body: sale });
  const [ticket] = sold.data.tickets as { ticket_id: string }[];
  const reason = { reason: LONG };
  await ask(`POST /api/admin/tickets/${ticket?.ticket_id}/refund`, { body: reason });
  const block = { seat_ids: seats.slice(20, 23), ...reason };
  await ask(`POST /api/admin/events/${ids.id}/seats/block`, { body: block });
  const caller = { items: [{ seat_id: seats[30] }], for: LONG };
  await ask(`POST /api/admin/events/${ids.id}/holds`, { body: caller });
  const times = { starts_at: '2027-05-01T19:30:00Z', ends_at: '2027-05-01T22:00:00Z' };
  const draft = { slug: 'gala', name: LONG, ...times };
  ids.draft = String((await ask('POST /api/admin/events', { body: draft })).data.event_id);
  const email = 'sarie.van-der-westhuizen@filharmoniese-jeugorkes.example';
  const member = { subject: 'sarie', name: LONG, email, role: 'staff' };
  await ask('POST /api/admin/members', { body: member });
  await ask('POST /api/admin/api-keys', { body: { name: LONG, scopes: ['buy', 'events:read'] } });
  const url = `https://127.0.0.1:9/${'a-long-path/'.repeat(6)}`;
  const hook = await ask('POST /api/admin/webhooks', { body: { url, description: LONG } });
  ids.webhook = String(hook.data.webhook_id);
  const { list: layouts } = await ask('GET /api/admin/layouts');
  ids.layout = String(layouts[0]?.layout_id);
  ids.venue = String(layouts[0]?.venue_id);
}, VISIT_MS);

/** Twice in a row: what an answer asks for next has been asked for by then. */
const CALM_LOOKS = 2;

/** Everything that was asked for is there. Streams never end. */
async function waitUntilDrawn(page: Page, pending: ReadonlySet<unknown>): Promise<void> {
  const isDrawn = `document.querySelector('h1') !== null
    && document.querySelector('[aria-busy="true"]') === null
    && [...document.querySelectorAll('progress')].every((one) => !one.checkVisibility())`;
  let calm = 0;
  const isCalm = async () => pending.size === 0 && (await page.evaluate(isDrawn));
  await eventually(
    async () => {
      calm = (await isCalm()) ? calm + 1 : 0;
      return calm === CALM_LOOKS;
    },
    { within_ms: 30_000 },
  );
}

/**
 * What cannot be reached sideways: the page itself, controls beyond its edge, and boxes that scroll
 * without a name or out of reach of the keyboard.
 */
const OVERFLOWS = `(() => {
  const nameOf = (one) => one.tagName.toLowerCase() + ' ' +
    (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40);
  const found = [];
  const page = document.documentElement;
  const scrolls = (one) => /auto|scroll/.test(getComputedStyle(one).overflowX);
  const boxOf = (one) => {
    for (let box = one.parentElement; box; box = box.parentElement) if (scrolls(box)) return box;
    return null;
  };
  const isBeyond = (one) => {
    const { left, right, width } = one.getBoundingClientRect();
    return width > 1 && (left < -1 || right > innerWidth + 1);
  };
  if (page.scrollWidth > innerWidth) {
    // What is placed absolutely moves with no box that is not its place, too.
    const isLoose = (one) => boxOf(one) === null || boxOf(one).contains(one.offsetParent) === false;
    const wide = [...document.body.querySelectorAll('*')]
      .filter((one) => isBeyond(one) && isLoose(one)).map(nameOf);
    found.push('the page is ' + page.scrollWidth + ' wide: ' + (wide.at(-1) ?? 'unknown'));
  }
  const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
  for (const one of document.querySelectorAll(controls)) {
    if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const box = boxOf(one);
    const isInBox = box !== null && box !== document.body && box.scrollWidth > box.clientWidth;
    if (!isInBox && isBeyond(one)) found.push(nameOf(one) + ' is beyond the edge');
  }
  for (const box of document.querySelectorAll('main *')) {
    if (box.scrollWidth <= box.clientWidth + 1 || !scrolls(box) || !box.checkVisibility()) continue;
    if (/^(?:INPUT|TEXTAREA|SELECT)$/.test(box.tagName)) continue;
    const isNamed = [box, box.parentElement].some(
      (one) => one.hasAttribute('aria-label') || one.hasAttribute('aria-labelledby'));
    const isReached = box.tabIndex >= 0 || box.querySelector('a[href], button, input') !== null;
    if (!isNamed || !isReached) found.push('a box scrolls without name or keys: ' + nameOf(box));
  }
  return found;
})()`;

/** Colours come from style sheets, sizes of maps from observers: two frames later all are there. */
const PAINTED = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {}))))
  .then(() => null)`;

/** What is wrong: light on a desk, on three smaller screens, and dark on the last of them. */
async function problemsOf(page: Page): Promise<string[]> {
  const said = (where: string, found: readonly string[]) => found.map((one) => `${where}: ${one}`);
  const problems = said('1280 light', await barriersOf(page));
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(PAINTED);
    problems.push(...said(`${width}`, await page.evaluate<string[]>(OVERFLOWS)));
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(PAINTED);
  problems.push(...said('320 dark', await barriersOf(page)));
  return problems;
}

/** One page for all screens, and what it still waits for. */
async function aVisitor() {
  const page = await sit('/staff', { viewport: { width: 1280, height: 800 } });
  const pending = new Set<unknown>();
  page.on('request', (request) => {
    if (!STREAM.test(request.url())) pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  const goTo = async (address: string) => {
    pending.clear();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(new URL(exampleOf(address), page.url()).href);
    await waitUntilDrawn(page, pending);
  };
  return { page, goTo };
}

describe('every screen for staff', { timeout: SWEEP_MS }, () => {
  it('has no barrier axe knows of and does not overflow, down to 320 pixels', async () => {
    const { page, goTo } = await aVisitor();
    const problems: string[] = [];
    for (const address of await addresses()) {
      await goTo(address);
      expect(await page.getByRole('heading', { level: 1 }).count(), address).toBe(1);
      problems.push(...(await problemsOf(page)).map((one) => `${address || '/'} ${one}`));
    }
    expect(problems).toEqual([]);
  });

  it('has dialogs that are so, too', async () => {
    const { page, goTo } = await aVisitor();
    const problems: string[] = [];
    for (const [address, name] of DIALOGS) {
      await goTo(address);
      await page.getByRole('button', { name }).first().click();
      await page.getByRole('dialog').waitFor();
      problems.push(...(await problemsOf(page)).map((one) => `${address} ${name} ${one}`));
    }
    expect(problems).toEqual([]);
  });
});

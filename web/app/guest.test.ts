import { createClient } from '@voelgoed/client/client';
import { useBrowser } from '@voelgoed/testkit/browser';
import { PAYMENT_SECRET, useShows } from '@voelgoed/testkit/shows';
import { DESK, openList, type Page, VISIT_MS } from '@voelgoed/testkit/visitors';
import { describe, expect, it } from 'vitest';

/** A shop that is no demo: visitors are guests, and the bank is somebody else's. */
const { node, show } = useShows({ PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET });
const open = useBrowser();

/** Run in the page: its storage is the browser's. */
const TOKEN = `JSON.parse(Object.entries(localStorage)
  .find(([key]) => key.startsWith('voelgoed.session.'))[1]).token`;
const END_SESSION = `for (const key of Object.keys(localStorage)) {
  if (key.startsWith('voelgoed.session.')) {
    const session = JSON.parse(localStorage[key]);
    localStorage[key] = JSON.stringify({ ...session, token: 'over' });
  }
}`;
const FORGET_TICKETS = `for (const key of Object.keys(localStorage)) {
  if (key.startsWith('voelgoed.tickets.')) localStorage.removeItem(key);
}`;

/** What the bank would say about the payment that the page waits for. */
async function bankSaysYes(page: Page): Promise<void> {
  const token = await page.evaluate<string>(TOKEN);
  const client = createClient({ address: node().address, token });
  const checkout = await client.checkouts.get(page.url().split('/').at(-1) ?? '');
  const { total_cents: amount_cents, currency, attempts } = checkout;
  const about = { attempt_id: attempts[0]?.attempt_id ?? '', amount_cents, currency };
  const message = { id: 'paid', type: 'payment.succeeded', ...about } as const;
  await client.payments.tell('platform', message, PAYMENT_SECRET);
}

describe('a guest', { timeout: VISIT_MS }, () => {
  it('has the tickets in the browser also when the session is over', async () => {
    const { eventId } = await show();
    const page = await open({ locale: 'en-ZA', reducedMotion: 'reduce', ...DESK });
    page.setDefaultTimeout(40_000);
    await page.goto(`${node().address}/events/${eventId}`);
    await openList(page);
    await page.locator('[data-label]').first().click();
    await page.getByRole('button', { name: 'Go to checkout' }).click();
    await page.getByRole('button', { name: /^Pay R/ }).click();
    await page.getByRole('heading', { name: 'Waiting for the bank' }).waitFor();
    // The page cannot reach us for a while, and goes on looking.
    await page.route('**/api/checkouts/*', (route) => route.fulfill({ status: 404, json: {} }));
    await page.waitForResponse((reply) => reply.status() === 404);
    await bankSaysYes(page);
    await page.unroute('**/api/checkouts/*');
    await page.getByRole('heading', { name: 'You are in!' }).waitFor();
    await page.getByRole('article').waitFor();

    await page.evaluate(END_SESSION);
    await page.goto(`${node().address}/tickets`);
    await page.getByRole('img', { name: /QR code of ticket/ }).waitFor();
    await page.evaluate(FORGET_TICKETS);
    await page.reload();
    await page.getByRole('link', { name: 'To the events' }).waitFor();
    expect(await page.getByRole('article').count()).toBe(0);
    await page.close();
  });
});

import { eventually } from '@voelgoed/testkit/eventually';
import { tokenFor } from '@voelgoed/testkit/servers';
import {
  barriersOf,
  type Page,
  PHONE,
  useDesk,
  useShop,
  VISIT_MS,
} from '@voelgoed/testkit/visitors';
import { beforeAll, describe, expect, it } from 'vitest';

const shop = useShop();
const { ask, buyer, organizationId, sit } = useDesk(shop);

type Tier = { count: number; digest: string };
let event = '';
let ticket = '';
/** Ann holds it, and Ben was refused it. */
let label = '';

const chooseTheatre = (page: Page) =>
  page.getByRole('combobox', { name: /^Trail/ }).selectOption(event);
type Route = Parameters<Parameters<Page['route']>[1]>[0];

beforeAll(async () => {
  event = shop.eventId('theatre');
  const { data } = await ask(`GET /api/events/${event}/seatmap`);
  const drawn = data.seats as { seat_id: string; label: string }[];
  const seats = drawn.map(({ seat_id }) => seat_id);
  label = drawn[9]?.label ?? '';
  const ann = buyer('Ann');
  await ann(`POST /api/events/${event}/seats/${seats[9]}/reserve`);
  const held = await buyer('Ben')(`POST /api/events/${event}/seats/${seats[0]}/reserve`);
  await buyer('Ben')(`POST /api/events/${event}/seats/${seats[9]}/reserve`);
  const body = { hold_ids: [held.data.hold_id], method: 'cash', for_holder: true };
  const sold = await ask(`POST /api/admin/events/${event}/sell`, { body });
  ticket = (sold.data.tickets as { ticket_id: string }[])[0]?.ticket_id ?? '';
  await ask(`POST /api/admin/tickets/${ticket}/refund`, { body: { reason: 'ill' } });
}, VISIT_MS);

describe('the registry', { timeout: VISIT_MS }, () => {
  it('is shown with its counts and digests, and reconciled', async () => {
    const page = await sit('/staff/registry');
    const row = page.locator(`[data-event="${event}"]`);
    await row.getByText('The same').waitFor();
    const { data } = await ask(`GET /api/admin/registry?event_id=${event}`);
    const { memory, redis, postgres } = data as unknown as Record<string, Tier>;
    const cells = await row.locator('td').allInnerTexts();
    for (const [index, tier] of [memory, redis, postgres].entries()) {
      expect(tier).toMatchObject({ count: 1 });
      expect(cells[index + 1]?.split(/\s*\n\s*/)).toEqual(['1 hold', tier?.digest]);
    }
    await page.locator('progress').waitFor({ state: 'hidden' });
    expect(await barriersOf(page)).toEqual([]);
    await row.getByRole('button', { name: 'Reconcile An Evening' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Memory and Redis are made to say what Postgres says').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Reconcile', exact: true }).click();
    await page.getByText('1 looked at, 1 holds: 0 entries written, 0 removed.').waitFor();
    await page.close();
  });

  it('can be read on a phone; what somebody may not see is not offered', async () => {
    const page = await shop.visit('/staff/registry', PHONE);
    await page.getByRole('button', { name: 'As box office' }).click();
    await page.locator(`[data-event="${event}"]`).getByText('The same').waitFor();
    await page.getByRole('button', { name: 'Registry' }).click();
    const links = await page.getByRole('navigation', { name: 'Staff' }).getByRole('link').all();
    const names = await Promise.all(links.map((link) => link.innerText()));
    expect(names).toContain('Registry');
    expect(names).not.toContain('Refunds');
    expect(names).not.toContain('Audit trail');
    await page.close();
  });
});

describe('the audit trail', { timeout: VISIT_MS }, () => {
  it('is found by what was done, by whom, when and in which event', async () => {
    const page = await sit('/staff/audit');
    const rows = page.locator('[data-sequence]');
    await rows.first().waitFor();
    const { list } = await ask('GET /api/admin/audit?limit=50');
    expect(await rows.count()).toBe(list.length);
    await page.getByLabel('What was done').selectOption('The event was published');
    await page.getByRole('button', { name: 'Find' }).click();
    await eventually(async () => (await rows.count()) === 3);
    const demo = /An Evening at the Theatre|Two Days of Music|Arena Night/;
    expect(await rows.locator('summary').filter({ hasText: demo }).count()).toBe(3);
    await rows.first().locator('summary').first().click();
    await rows.first().getByText('Draft → Published').waitFor();
    await rows.first().getByText('As it is written (JSON)').click();
    await rows.first().getByText('"published"').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByLabel('By whom').fill('nobody');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('No customer, person or access key is called so.').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear' }).click();
    await eventually(async () => (await rows.count()) === list.length);
    await page.getByLabel('Until').fill('2001-01-01T00:00');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('No row of this trail is so.').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await chooseTheatre(page);
    const own = (await ask(`GET /api/admin/audit?event_id=${event}`)).list;
    await eventually(
      async () => (await rows.first().getAttribute('data-action')) === own[0]?.action,
    );
    const actor = String(own.find(({ actor_id }) => actor_id !== null)?.actor_id);
    const theirs = (await ask(`GET /api/admin/audit?event_id=${event}&actor_id=${actor}`)).list;
    expect(theirs.length).toBeLessThan(own.length);
    await page.getByLabel('By whom').fill(actor);
    await page.getByRole('button', { name: 'Find' }).click();
    await eventually(async () => (await rows.count()) === theirs.length);
    await page.close();
  });

  it('goes on with what was asked for, and has every event, newest first', async () => {
    const { list } = await ask('GET /api/admin/audit?limit=500');
    const page = await sit('/staff/audit');
    const inPages = (rows: string) => (route: Route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('limit', rows);
      return route.continue({ url: url.href });
    };
    await page.route(/\/api\/admin\/audit\?/, inPages('2'));
    await page.route(/\/api\/admin\/events\?/, inPages('1'));
    await page.reload();
    const rows = page.locator('[data-sequence]');
    await eventually(async () => (await rows.count()) === 2);
    await page.getByLabel('What was done').selectOption('Money is to be paid back');
    await page.getByRole('button', { name: 'Older' }).click();
    await eventually(async () => (await rows.count()) === 4);
    const shown = await rows.evaluateAll((all) => all.map((row) => row.dataset.sequence));
    expect(shown).toEqual(list.slice(0, 4).map(({ sequence }) => String(sequence)));
    const { list: events } = await ask('GET /api/admin/events?limit=200');
    const known = events.filter(({ status }) => status !== 'draft');
    const offered = page.getByRole('combobox', { name: /^Trail/ }).locator('option');
    expect(await offered.evaluateAll((all) => all.map((one) => one.getAttribute('value')))).toEqual(
      ['', ...known.map(({ event_id }) => event_id).reverse()],
    );
    await page.close();
  });

  it('says who had a seat, and what happened to a customer and an order', async () => {
    const page = await sit('/staff/audit');
    const rows = page.locator('[data-sequence]');
    const seat = page.getByLabel('Seat', { exact: true });
    await page.getByText('choose its event first').waitFor();
    expect(await seat.isDisabled()).toBe(true);
    await page.getByLabel('Customer').fill('who@x.test');
    await page.getByText('Choose an event to see what happened').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByLabel('Customer').fill('');
    await chooseTheatre(page);
    await seat.focus();
    await page.keyboard.type(label);
    await page.keyboard.press('Enter');
    await eventually(async () => (await rows.count()) === 1);
    await rows.first().getByText('A seat was held').waitFor();
    await rows.first().locator('summary').getByText(label, { exact: true }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await seat.fill('Z-99');
    await page.keyboard.press('Enter');
    await page.getByText('The event has no such seat.').waitFor();
    expect(await rows.count()).toBe(0);
    await seat.fill('');
    await page.keyboard.press('Tab');
    await page.keyboard.type('somebody');
    await page.keyboard.press('Enter');
    await page.getByText('neither an id nor an address').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByLabel('Customer').fill('who@x.test');
    await page.keyboard.press('Enter');
    await page.getByText('No customer has this address').waitFor();
    const sold = `GET /api/admin/audit?event_id=${event}&action=checkout_completed`;
    const [entry] = (await ask(sold)).list;
    const customer = page.getByLabel('Customer');
    await customer.fill(String(entry?.user_id));
    await customer.press('Enter');
    await rows.locator('summary').getByText('A ticket was refunded').waitFor();
    const his = await rows.count();
    expect(his).toBeGreaterThan(2);
    await customer.fill('');
    await page.getByLabel('Order (checkout id)').fill(String(entry?.entity_id));
    await page.keyboard.press('Enter');
    await rows.locator('summary').getByText('Tickets were sold').waitFor();
    await page.close();
  });

  it('says in words who did what, and to whom', async () => {
    const seller = {
      name: 'Sarie’s till',
      scopes: ['holds:write', 'tickets:write', 'events:read'],
    };
    const key = await ask('POST /api/admin/api-keys', { body: seller });
    const { data } = await ask(`GET /api/events/${event}/seatmap`);
    const seat = (data.seats as { seat_id: string; label: string }[])[30];
    const body = { items: [{ seat_id: seat?.seat_id }], for: 'Nomsa' };
    const token = tokenFor(organizationId(), { subject: 'sarie botha' });
    const held = await ask(`POST /api/admin/events/${event}/holds`, { body, token });
    const [hold] = held.data.holds as { hold_id: string }[];
    const sale = { body: { hold_ids: [hold?.hold_id], method: 'cash' }, token: key.data.key };
    expect((await ask(`POST /api/admin/events/${event}/sell`, sale as object)).status).toBe(201);
    const page = await sit('/staff/audit');
    await chooseTheatre(page);
    await page.getByLabel('By whom').fill('sarie');
    await page.getByRole('button', { name: 'Find' }).click();
    const rows = page.locator('[data-sequence]');
    await eventually(async () => (await rows.count()) === 1);
    const row = rows.first();
    await row.locator('summary').first().click();
    const text = await row.innerText();
    expect(text).toContain('Tickets were sold');
    expect(text).toContain('access key Sarie’s till');
    expect(text).toContain(String(seat?.label));
    expect(text).toMatch(/Paid by\s+cash/);
    expect(text).toMatch(/Tickets\s+\S+ · R/);
    expect(text).toMatch(/Status\s+active → became a ticket/);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|[a-z]+_[a-z]+/);
    await page.getByLabel('By whom').fill('');
    await page.getByRole('button', { name: 'Find' }).click();
    await rows.nth(2).waitFor();
    // Of people the name, and nothing that only a program reads.
    for (const line of await rows.locator('summary').allInnerTexts()) {
      expect(line).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|[a-z]+_[a-z]+/);
    }
    expect(await rows.getByText('sarie botha').count()).toBeGreaterThan(0);
    await page.close();
  });

  it('is signed, exported, verified, and names the row that somebody has altered', async () => {
    const page = await sit('/staff/audit');
    const verdict = page.getByTestId('verdict');
    const { data: head } = await ask('GET /api/admin/audit/head');
    await page.getByRole('button', { name: 'Verify the trail' }).click();
    await verdict.getByText(`All ${head.count} rows are as they were written.`).waitFor();
    await page.getByRole('button', { name: 'Sign the end' }).click();
    await page.getByText(String(head.hash)).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await chooseTheatre(page);
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the sale’s log' }).click();
    expect((await file).suggestedFilename()).toBe(`log-${event}.ndjson`);
    await page.getByRole('button', { name: 'Verify the trail' }).click();
    await verdict.getByText('rows are as they were written.').waitFor();
    await plant();
    await page.getByRole('button', { name: 'Verify the trail' }).click();
    await verdict.getByText('Row 2 was altered.').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show that row' }).click();
    const first = page.locator('[data-sequence]').first();
    await eventually(async () => (await first.getAttribute('data-sequence')) === '2');
    await page.close();
  });
});

/** As somebody who has the whole database. */
async function plant(): Promise<void> {
  await shop.database.asSuperuser(
    `update audit_log set actor_role = 'viewer'
     where organization_id = $1 and chain_id = $2 and sequence = 2`,
    [organizationId(), event],
  );
}

describe('refusals', { timeout: VISIT_MS }, () => {
  it('are found by event, seat, customer and code', async () => {
    const page = await sit('/staff/refusals');
    const rows = page.locator('[data-refusal]');
    await eventually(async () => {
      await page.getByRole('button', { name: 'Find' }).click();
      return (await rows.count()) === 1;
    });
    await rows.first().getByText('seat_held_by_another_user').waitFor();
    const [refusal] = (await ask(`GET /api/admin/refusals?event_id=${event}`)).list;
    await rows.first().getByText(String(refusal?.ip_hash)).waitFor();
    await rows.first().getByText(String(refusal?.user_id)).waitFor();
    await page.getByRole('combobox', { name: /^Event/ }).selectOption(event);
    const seat = page.getByLabel('Seat', { exact: true });
    await seat.fill(label);
    await seat.press('Enter');
    await rows.getByText(label, { exact: true }).waitFor();
    const code = page.getByLabel('Code');
    await code.fill('rate_limited');
    await code.press('Enter');
    await page.getByText('Nothing was refused so.').waitFor();
    await page.getByLabel('Customer').fill('somebody');
    await page.keyboard.press('Enter');
    await page.getByText('neither an id nor an address').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear' }).click();
    await eventually(async () => (await rows.count()) === 1);
    await page.close();
  });
});

describe('the registry while Redis is filled', { timeout: VISIT_MS }, () => {
  it('says so instead of asking for help', async () => {
    const page = await sit('/staff/refunds');
    await page.route(/\/api\/admin\/registry\?/, async (route) => {
      const reply = await route.fetch();
      const { data } = await reply.json();
      const differences = [{ tier: 'redis', what: 'holds', count: 2, ids: [] }];
      const seen = { status: 'stale', consistent: false, filling: true, differences };
      await route.fulfill({ json: { data: { ...data, ...seen } } });
    });
    await page.goto(new URL('/staff/registry', page.url()).href);
    const row = page.locator(`[data-event="${event}"]`);
    await row.getByText('Redis is being filled').waitFor();
    expect(await row.innerText()).not.toContain('Redis: holds');
    await page.unrouteAll({ behavior: 'wait' });
    await page.close();
  });
});

describe('the registry without a sale', { timeout: VISIT_MS }, () => {
  it('says that there is nothing to compare', async () => {
    const page = await sit('/staff/refunds');
    await page.route(/\/api\/admin\/events\?/, (route) => route.fulfill({ json: { data: [] } }));
    await page.goto(new URL('/staff/registry', page.url()).href);
    await page.getByText('No event is on sale', { exact: false }).waitFor();
    await page.close();
  });
});

describe('refunds', { timeout: VISIT_MS }, () => {
  it('are listed with what is still to be paid back', async () => {
    const page = await sit('/staff/refunds');
    const { list } = await ask('GET /api/admin/refunds?status=due');
    expect(list).toHaveLength(1);
    const sum = `R ${Number(list[0]?.amount_cents) / 100}`;
    await page.getByText(`${sum} to be paid back`).waitFor();
    const row = page.getByRole('row', { name: 'Ticket refunded' });
    await row.getByText('An Evening at the Theatre').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByLabel('Status').selectOption('refunded');
    await page.getByText('There is nothing to pay back.').waitFor();
    await page.close();
  });
});

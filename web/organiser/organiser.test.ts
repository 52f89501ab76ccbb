import { eventually } from '@voelgoed/testkit/eventually';
import { goodSignatures, useReceivers } from '@voelgoed/testkit/receivers';
import { call, tokenFor } from '@voelgoed/testkit/servers';
import {
  barriersOf,
  DESK,
  enterAs,
  giveReason,
  PHONE,
  useShop,
  VISIT_MS,
} from '@voelgoed/testkit/visitors';
import { describe, expect, it } from 'vitest';

const PLATFORM_SECRET = 'the platform secret of the organiser tests';
const shop = useShop({ PLATFORM_SECRET, ALLOW_INTERNAL_ADDRESSES: '1' });
const receivers = useReceivers();

async function demo(): Promise<string> {
  const text = `select organization_id from organizations where slug = 'demo'`;
  return String((await shop.database.asSuperuser(text))[0]?.organization_id);
}

const ask = async (route: string, token?: string) =>
  call(shop.node().address, route, { token: token ?? tokenFor(await demo()) });

describe('the seating policy', { timeout: VISIT_MS }, () => {
  it('shows locked fields and why, and sends only what was changed', async () => {
    await call(shop.node().address, `PUT /api/platform/organizations/${await demo()}/policy`, {
      token: PLATFORM_SECRET,
      body: { locked_fields: ['payment_minutes'] },
    });
    const page = await shop.visit('/staff', DESK);
    await enterAs(page, 'owner', '/staff/policy');
    const locked = page.locator('[data-field="payment_minutes"]');
    await locked.getByText('Locked: the platform’s administrator').waitFor();
    expect(await locked.getByLabel('Minutes to pay').isDisabled()).toBe(true);
    await page.getByText('Default: 10 · 1 to 1 000').first().waitFor();
    // In words; the name in the API is said for those who write to it.
    const meanings = await page.locator('[data-field] [id$="-what"]').allInnerTexts();
    expect(meanings.length).toBeGreaterThan(20);
    expect(meanings.filter((text) => /[a-z]_[a-z]|`|\bnull\b/.test(text))).toEqual([]);
    await page.locator('[data-field="hold_rate_minutes"]').getByText('in the API').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByLabel('Seats per booking', { exact: true }).fill('6');
    await page.getByLabel('Seats a user may hold').fill('12');
    await page.getByLabel('on the aisle').uncheck();
    // Back to what it was is no change.
    await page.getByLabel('Minutes of a hold').fill('11');
    await page.getByLabel('Minutes of a hold').fill('10');
    const summary = page.getByRole('region', { name: '3 changes' });
    await summary.getByText('10 → 6').waitFor();
    await summary.getByText('no limit → 12').waitFor();
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await summary.getByRole('button', { name: 'Save' }).click();
    expect((await sent).postDataJSON()).toEqual({
      max_seats_per_booking: 6,
      max_holds_per_user: 12,
      allowed_seat_categories: ['standard', 'wheelchair', 'companion', 'restricted_view'],
    });
    await page.getByText('The policy is saved.').first().waitFor();
    expect((await ask('GET /api/admin/policy')).data).toMatchObject({ max_holds_per_user: 12 });
    await page.close();
  });

  it('is read by those who may not write it, on a phone', async () => {
    const page = await shop.visit('/staff', PHONE);
    await enterAs(page, 'viewer', '/staff/policy');
    await page.getByText('needs the permission policy:write', { exact: false }).waitFor();
    expect(await page.getByLabel('Seats per booking', { exact: true }).isDisabled()).toBe(true);
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });
});

describe('people and keys', { timeout: VISIT_MS }, () => {
  it('come, change and go, and their data with them', async () => {
    const page = await shop.visit('/staff', DESK);
    await enterAs(page, 'owner', '/staff/people');
    await page.getByRole('button', { name: 'Add somebody' }).click();
    await page.getByLabel('Subject').fill('anna');
    await page.getByLabel('E-mail address').fill('anna@example.org');
    await page.getByLabel('Name', { exact: true }).fill('Anna Botha');
    await page.getByLabel('Role').selectOption('admin');
    await page.getByLabel('Membership tier').fill('gold');
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    const anna = page.getByRole('row', { name: /Anna Botha/ });
    await anna.getByText('gold').waitFor();
    await page.getByRole('button', { name: 'Change: Anna Botha' }).click();
    await page.getByLabel('Role').selectOption('viewer');
    await page.getByLabel('Valid until').fill('2030-01-01T00:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await anna.getByText('viewer').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Revoke: Anna Botha' }).click();
    await giveReason(page, 'She has left', 'Revoke');
    await anna.getByText('Revoked', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Erase data: Anna Botha' }).click();
    await page.getByText('This cannot be taken back.', { exact: false }).waitFor();
    await giveReason(page, 'She asked for it', 'Erase data');
    await page.getByText('What was personal is erased.').first().waitFor();
    await eventually(async () => (await anna.count()) === 0);
    const trail = JSON.stringify((await ask('GET /api/admin/audit?limit=50')).list);
    expect(trail).toContain('She has left');
    expect(trail).toContain('She asked for it');
    await page.close();
  });

  it('get a key that is shown once, and is good for what was chosen', async () => {
    const page = await shop.visit('/staff', PHONE);
    await enterAs(page, 'owner', '/staff/access');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('What it is for').fill('Till');
    await page.getByRole('checkbox', { name: 'events:read see events' }).check();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Make the key' }).click();
    const key = (await page.getByTestId('secret').textContent()) ?? '';
    expect((await ask('GET /api/admin/events', key)).status).toBe(200);
    expect((await ask('GET /api/admin/members', key)).status).toBe(403);
    await page.getByRole('button', { name: 'Copy' }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'I have it' }).click();
    expect(await page.getByTestId('secret').count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'Till' }).waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Rotate: Till' }).click();
    const successor = (await page.getByTestId('secret').textContent()) ?? '';
    expect(successor).not.toBe(key);
    expect((await ask('GET /api/admin/events', successor)).status).toBe(200);
    await page.getByRole('button', { name: 'I have it' }).click();
    await page.getByRole('button', { name: 'Revoke: Till' }).first().click();
    await giveReason(page, 'The till is gone', 'Revoke');
    await page.getByText('Revoked', { exact: true }).waitFor();
    await page.close();
  });
});

describe('a webhook', { timeout: VISIT_MS }, () => {
  it('is made, tested against a real receiver, and its log is read and sent again', async () => {
    const receiver = await receivers();
    const page = await shop.visit('/staff', DESK);
    await enterAs(page, 'admin', '/staff/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByText('What it is told: everything').click();
    await page.getByRole('checkbox', { name: 'Seat sold' }).check();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    const secret = (await page.getByTestId('secret').textContent()) ?? '';
    await page.getByRole('button', { name: 'I have it' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/It arrived: answer 204 after/).waitFor();
    expect(goodSignatures(secret, await receiver.one('test'))).toBe(1);
    expect(await barriersOf(page)).toEqual([]);

    receiver.answer(() => 500);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/It did not arrive/).waitFor();
    const rows = page.getByRole('table').getByRole('row');
    await rows.getByText('Given up').waitFor();
    receiver.answer(() => 204);
    await page.getByRole('button', { name: 'Details: 2' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('What was sent').inputValue()).toContain('"kind": "test"');
    expect(await barriersOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send it again' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await eventually(() => receiver.received.length >= 3, { within_ms: 15_000 });
    const isMended = async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      return (await rows.getByText('Given up').count()) === 0;
    };
    await eventually(isMended, { within_ms: 15_000 });
    // The same delivery, so that the receiver knows it again.
    expect(receiver.ids()[2]).toBe(receiver.ids()[1]);

    await page.getByRole('button', { name: 'New secret' }).click();
    expect(await page.getByTestId('secret').textContent()).not.toBe(secret);
    await page.getByRole('button', { name: 'Disable' }).click();
    await giveReason(page, 'The mailer moves house', 'Disable');
    await page.getByText('Disabled by hand.').waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await giveReason(page, 'The mailer is gone', 'Remove');
    await page.getByText('Nobody is told anything yet.').waitFor();
    await page.close();
  });
});

import { eventually } from '@voelgoed/testkit/eventually';
import { call, type Reply } from '@voelgoed/testkit/servers';
import { barriersOf, DESK, type Page, PHONE, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { encode } from 'uqr';
import { beforeAll, describe, expect, it } from 'vitest';

const shop = useShop();
const address = () => shop.node().address;
let tickets: { code: string; qr: string }[] = [];
/** As the owner. */
let ask: (route: string, wish?: object) => Promise<Reply>;
/** The server's time, from its answers. */
let begun_ms = 0;

const DAY_MS = 86_400_000;
const dayAfter = (days: number) => new Date(begun_ms + days * DAY_MS).toISOString().slice(0, 10);

/** Five tickets for the pit of an event whose doors are open, today and tomorrow. */
beforeAll(async () => {
  const body = { role: 'owner', user: 'demo owner' };
  const session = await call(address(), 'POST /api/demo/sessions', { body });
  const token = String(session.data.token);
  begun_ms = Date.parse(session.headers.get('date') ?? '');
  const event = `/api/admin/events/${shop.eventId('festival')}`;
  ask = (route, wish) => call(address(), route, { token, ...(wish ? { body: wish } : {}) });
  const times = { starts_at: `${dayAfter(0)}T00:00:00Z`, ends_at: `${dayAfter(1)}T20:00:00Z` };
  await ask(`PATCH ${event}`, { ...times, days: [dayAfter(0), dayAfter(1)] });
  await ask(`POST ${event}/open`);
  const { data } = await call(address(), `GET /api/events/${shop.eventId('festival')}`);
  const zone = (data.zones as { zone_id: string; name: string }[]).find(
    ({ name }) => name === 'Pit',
  );
  const items = [{ zone_id: zone?.zone_id, quantity: 5 }];
  const held = await ask(`POST ${event}/holds`, { items, for: 'Sannie Botha' });
  const hold_ids = (held.data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);
  const sold = await ask(`POST ${event}/sell`, { hold_ids, method: 'cash' });
  tickets = sold.data.tickets as typeof tickets;
}, 60_000);

async function openDoor(role: string, device: object = DESK): Promise<Page> {
  const page = await shop.visit(`/staff/events/${shop.eventId('festival')}/door`, device);
  await page.getByRole('button', { name: `As ${role}`, exact: true }).click();
  await page.getByLabel('Ticket code').waitFor();
  return page;
}

const signal = (page: Page) => page.getByTestId('signal');

/** As a handheld scanner does: keys and Enter. */
async function scan(page: Page, code: string): Promise<void> {
  await page.getByLabel('Ticket code').focus();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
}

describe('the door', { timeout: VISIT_MS }, () => {
  it('gives up on a ticket that cannot be asked about, and is ready for the next', async () => {
    const page = await openDoor('scanner');
    await page.route('**/entries', (route) => route.abort());
    await scan(page, 'AAAA-AAAA-AAAA');
    const failed = page.getByText('It did not finish.', { exact: false });
    await failed.waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await failed.waitFor({ state: 'detached' });
    await page.unroute('**/entries');
    await scan(page, 'AAAA-AAAA-AAAA');
    await signal(page).getByText('There is no such ticket.').waitFor();
    await page.close();
  });

  it('admits once, says why it denies the second time, and lets out', async () => {
    const page = await openDoor('scanner', { ...PHONE, colorScheme: 'dark' });
    const code = (tickets[0]?.code ?? '').toLowerCase().replaceAll('-', '');
    expect(await barriersOf(page)).toEqual([]);
    await scan(page, code);
    await signal(page).getByText('Admitted').waitFor();
    await signal(page).getByText('Pit').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await scan(page, code);
    await signal(page).getByText('Denied').waitFor();
    await signal(page).getByText('Already inside', { exact: false }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await scan(page, 'AAAA-AAAA-AAAA');
    await signal(page).getByText('There is no such ticket.').waitFor();
    await page.getByRole('radio', { name: 'Out' }).check();
    await scan(page, code);
    await signal(page).getByText('May leave').waitFor();
    await page.getByRole('radio', { name: 'In', exact: true }).check();
    await page.getByLabel('Day').selectOption(dayAfter(1));
    await scan(page, code);
    await signal(page).getByText('Entry number 2').waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: code }).count()).toBe(4);
    await page.close();
  });

  it('hears a handheld scanner wherever the focus is, and leaves writing alone', async () => {
    const page = await openDoor('box office');
    const field = page.getByLabel('Ticket code');
    const isReady = () => field.evaluate((one) => one === one.ownerDocument.activeElement);
    await eventually(isReady);
    const scanNow = async (text: string) => {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await page.getByRole('list').last().getByText(text, { exact: true }).waitFor();
    };
    await field.blur();
    await scanNow('BBBB-0000-0001');
    await signal(page).getByText('There is no such ticket.').waitFor();
    await page.getByRole('radio', { name: 'Out' }).check();
    await eventually(isReady);
    await scanNow('BBBB-0000-0002');
    await page.getByRole('button', { name: 'Scan with the camera' }).focus();
    await scanNow('BBBB-0000-0003');
    await field.blur();
    await page.getByRole('heading', { name: 'Door', exact: true }).click();
    await eventually(isReady);
    await page.getByRole('radio', { name: 'Entry list' }).check();
    await page.getByLabel('Filter').focus();
    await page.keyboard.type('sannie');
    expect(await page.getByLabel('Filter').inputValue()).toBe('sannie');
    await page.getByRole('radio', { name: 'Scanner' }).check();
    await eventually(isReady);
    await page.close();
  });

  it('says since when a ticket is inside, and at which gate', async () => {
    const key = await ask('POST /api/admin/api-keys', {
      name: 'Gate B',
      scopes: ['tickets:scan'],
    });
    const code = tickets[4]?.code ?? '';
    const body = { direction: 'in' };
    const path = `POST /api/tickets/${code}/entries`;
    await call(address(), path, { token: String(key.data.key), body });
    const page = await openDoor('scanner', { ...DESK, timezoneId: 'America/New_York' });
    await scan(page, code);
    // The clock of the venue, which is not the reader's.
    const words = /^Already inside since \d\d:\d\d \(Johannesburg\), Gate B\.$/;
    await signal(page).getByText(words).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });

  it('says that the doors are closed, and opens them for those who may', async () => {
    const path = `/staff/events/${shop.eventId('arena')}/door`;
    const guard = await shop.visit(path);
    await guard.getByRole('button', { name: 'As scanner', exact: true }).click();
    await guard.getByText('The doors are closed', { exact: false }).waitFor();
    await guard.getByText('the owner can open them', { exact: false }).waitFor();
    expect(await guard.getByRole('button', { name: 'Open the doors' }).count()).toBe(0);
    const page = await shop.visit(path, { ...PHONE, colorScheme: 'dark' });
    await page.getByRole('button', { name: 'As box office', exact: true }).click();
    const button = page.getByRole('button', { name: 'Open the doors' });
    await button.waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await button.click();
    await page.getByText('The doors are closed', { exact: false }).waitFor({ state: 'detached' });
    expect((await ask(`GET /api/admin/events/${shop.eventId('arena')}`)).data.status).toBe('live');
    await Promise.all([page.close(), guard.close()]);
  });

  it('asks again with the same key when the answer was lost: nobody comes in twice', async () => {
    const page = await openDoor('scanner');
    const keys: string[] = [];
    let isDown = true;
    await page.route(/\/entries$/, async (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? '');
      if (!isDown) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await scan(page, tickets[1]?.code ?? '');
    await page.getByText('trying again repeats nothing', { exact: false }).waitFor();
    isDown = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    // Another key would have been denied: the ticket is inside already.
    await signal(page).getByText('Admitted').waitFor();
    expect(new Set(keys).size).toBe(1);
    await page.close();
  });

  it('reads a QR code with the camera, once while it is held up', async () => {
    const page = await openDoor('scanner');
    const { data } = encode(tickets[2]?.qr ?? '', { ecc: 'M', border: 4 });
    // A camera that looks at a ticket: a real stream of real frames.
    await page.evaluate((cells) => {
      const canvas = document.createElement('canvas');
      canvas.width = 640;
      canvas.height = 480;
      const pen = canvas.getContext('2d');
      const size = Math.floor(420 / cells.length);
      const draw = () => {
        if (!pen) return;
        pen.fillStyle = '#fff';
        pen.fillRect(0, 0, 640, 480);
        pen.fillStyle = '#000';
        cells.forEach((row, y) => {
          row.forEach((isDark, x) => {
            if (isDark) pen.fillRect(100 + x * size, 20 + y * size, size, size);
          });
        });
        requestAnimationFrame(draw);
      };
      draw();
      navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(15);
    }, data);
    await page.getByRole('button', { name: 'Scan with the camera' }).click();
    await signal(page).getByText('Admitted').waitFor();
    await page.getByText('Hold the QR code before the camera.').waitFor();
    expect(await page.getByRole('list').last().getByRole('listitem').count()).toBe(1);
    await page.getByRole('button', { name: 'Camera off' }).click();
    await page.close();
  });

  it('says so when there is no camera', async () => {
    const page = await openDoor('scanner');
    await page.getByRole('button', { name: 'Scan with the camera' }).click();
    await page.getByText('The camera cannot be used.', { exact: false }).waitFor();
    await page.close();
  });

  it('lists who is inside, with a filter and a live count', async () => {
    const page = await openDoor('box office');
    await page.getByRole('radio', { name: 'Entry list' }).check();
    const table = page.getByRole('table');
    await table.getByText('Sannie Botha').first().waitFor();
    const before = Number(await page.getByTestId('inside').locator('strong').textContent());
    const line = table.getByText(tickets[3]?.code ?? '');
    expect(await line.count()).toBe(0);
    expect(await barriersOf(page)).toEqual([]);
    const other = await openDoor('scanner');
    await scan(other, tickets[3]?.code ?? '');
    await signal(other).getByText('Admitted').waitFor();
    await line.waitFor({ timeout: 25_000 });
    const now = async () =>
      Number(await page.getByTestId('inside').locator('strong').textContent()) > before;
    await eventually(now, { within_ms: 10_000 });
    await page.getByLabel('Filter').fill('nobody at all');
    expect(await table.getByText('Sannie Botha').count()).toBe(0);
    await page.getByLabel('Filter').fill('sannie');
    await page.getByRole('combobox', { name: 'Show' }).selectOption('denied');
    await table.getByText('Already inside', { exact: false }).first().waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await Promise.all([page.close(), other.close()]);
  });

  it('is found by those who may do nothing else', async () => {
    const page = await shop.visit('/staff/door', PHONE);
    await page.getByRole('button', { name: 'As scanner', exact: true }).click();
    await page.getByRole('heading', { name: 'At which door?' }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('link', { name: /Two Days of Music/ }).click();
    await page.getByLabel('Ticket code').waitFor();
    await page.close();
  });
});

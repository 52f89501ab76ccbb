import { textsOfPdf } from '@voelgoed/testkit/papers';
import { call } from '@voelgoed/testkit/servers';
import {
  barriersOf,
  DESK,
  type Page,
  seatOf,
  useDesk,
  useShop,
  VISIT_MS,
} from '@voelgoed/testkit/visitors';
import decode from 'qr/decode.js';
import { beforeAll, describe, expect, it } from 'vitest';

const shop = useShop();
const { ask } = useDesk(shop);
type Place = { label: string; row: string; number: number };
type Sold = {
  checkout_id: string;
  tickets: { code: string; qr: string; seat: Place | null }[];
};
const CODE = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/g;

/** The venue is in London, the organization and the reader in Johannesburg. */
beforeAll(async () => {
  await shop.database.asSuperuser(
    `update venues set timezone = 'Europe/London', address = '103 The Cut'
     where name in ('Voelgoed Theatre', 'Voelgoed Fields')`,
  );
}, 60_000);

async function sell(slug: string, items: readonly object[], name: string): Promise<Sold> {
  const event = `/api/admin/events/${shop.eventId(slug)}`;
  const held = await ask(`POST ${event}/holds`, { body: { items, for: name } });
  const hold_ids = (held.data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);
  const sold = await ask(`POST ${event}/sell`, { body: { hold_ids, method: 'cash' } });
  return sold.data as Sold;
}

/** So many free seats of the theatre, side by side from the last row on. */
async function freeSeats(most: number): Promise<{ seat_id: string }[]> {
  const event = `/api/events/${shop.eventId('theatre')}`;
  const { data } = await call(shop.node().address, `GET ${event}/seatmap`);
  const seats = data.seats as { seat_id: string; category: string; row: string }[];
  return seats.filter(({ category, row }) => category === 'standard' && row > 'H').slice(0, most);
}

async function openSale(slug: string, { tickets }: Sold): Promise<Page> {
  const path = `/staff/events/${shop.eventId(slug)}/office`;
  const page = await shop.visit(path, { ...DESK, timezoneId: 'Africa/Johannesburg' });
  await page.getByRole('button', { name: 'As owner', exact: true }).click();
  await page.getByTestId('hall-map').locator('canvas').first().waitFor();
  await page.getByRole('radio', { name: 'List' }).check();
  await seatOf(page, tickets[0]?.seat?.label ?? '').click();
  await page.getByRole('button', { name: 'Print this ticket' }).waitFor();
  return page;
}

/** All codes of the paper, page by page. */
const codesOf = (pdf: Buffer) => textsOfPdf(pdf).map((text) => text.match(CODE) ?? []);
const sorted = (codes: readonly string[]) => codes.map((code) => [code]).sort();

describe('tickets on paper', { timeout: VISIT_MS }, () => {
  it('are each on a page of their own: fifty are fifty codes, also on narrow paper', async () => {
    const seats = (await freeSeats(50)).map(({ seat_id }) => ({ seat_id }));
    const sale = await sell('theatre', seats, 'Sannie Botha');
    const page = await openSale('theatre', sale);
    await page.getByRole('button', { name: 'Print all 50 tickets of this sale' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Print 50 tickets' }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    // A press beside the dialog loses nothing.
    await page.mouse.click(5, 400);
    expect(await dialog.isVisible()).toBe(true);
    const codes = sorted(sale.tickets.map(({ code }) => code));
    const papers = [
      { format: 'A4' },
      { width: '80mm', height: '150mm' },
      { width: '58mm', height: '140mm' },
    ];
    for (const paper of papers) {
      const pdf = await page.pdf({ ...paper, preferCSSPageSize: true });
      expect(codesOf(pdf).sort()).toEqual(codes);
    }
    // The screen is as it was.
    expect(await dialog.getByRole('button', { name: 'Print 50 tickets' }).isVisible()).toBe(true);
    await page.close();
  });

  it('say what, where, when at the venue, for whom and for how much', async () => {
    const [seat] = (await freeSeats(51)).slice(-1);
    const sale = await sell('theatre', [{ seat_id: seat?.seat_id }], 'Thandi Nkosi');
    const page = await openSale('theatre', sale);
    const facts = page.getByTestId('seat-facts');
    await facts.getByRole('button', { name: 'Print this ticket' }).click();
    await page
      .getByRole('dialog')
      .getByText(/\(London\)/)
      .waitFor();
    const [text = '', ...more] = textsOfPdf(await page.pdf());
    expect(more).toEqual([]);
    const [ticket] = sale.tickets;
    const plain = text.replaceAll(' ', '');
    for (const part of [
      'Voelgoed Demo',
      'An Evening at the Theatre',
      'Voelgoed Theatre, 103 The Cut',
      'London time',
      `Row${ticket?.seat?.row}`,
      `Seat${ticket?.seat?.number}`,
      'AreaStalls',
      'R350 · Cash',
      'Thandi Nkosi',
      ticket?.code ?? '',
      sale.checkout_id.slice(-8).toUpperCase(),
    ]) {
      expect(plain).toContain(part.replaceAll(' ', ''));
    }
    const { data } = await ask(`GET /api/admin/events/${shop.eventId('theatre')}`);
    expect(plain).toContain(clockAt(String(data.starts_at), 'Europe/London'));
    await page.close();
  });

  it('name no buyer where the sale has none', async () => {
    const [seat] = (await freeSeats(70)).slice(-1);
    const sale = await sell('theatre', [{ seat_id: seat?.seat_id }], 'Walk-in');
    const page = await openSale('theatre', sale);
    await page.getByRole('button', { name: 'Print this ticket' }).click();
    await page.getByRole('dialog').waitFor();
    const [text = ''] = textsOfPdf(await page.pdf());
    expect(text).toContain(sale.tickets[0]?.code);
    expect(text).not.toMatch(/Walk-in|Name/);
    await page.close();
  });

  it('have the venue’s times as screens do, named where the reader’s clock differs', async () => {
    const abroad = { ...DESK, timezoneId: 'America/New_York' };
    const page = await shop.visit('/staff', abroad);
    await page.getByRole('button', { name: 'As owner', exact: true }).click();
    const card = page.getByRole('listitem').filter({ hasText: 'An Evening at the Theatre' });
    await card.getByText(/, \d\d:\d\d \(London\) · Voelgoed Theatre$/).waitFor();
    const { data } = await ask(`GET /api/admin/events/${shop.eventId('theatre')}`);
    await card.getByText(clockAt(String(data.starts_at), 'Europe/London')).waitFor();
    // The organization's own trail is read at its office, an event's at its venue.
    await page.goto(`${shop.node().address}/staff/audit`);
    await page
      .getByText(/ \(Johannesburg\)$/)
      .first()
      .waitFor();
    await page
      .getByRole('combobox', { name: 'Trail' })
      .selectOption({ label: 'An Evening at the Theatre' });
    await page
      .getByText(/ \(London\)$/)
      .first()
      .waitFor();
    await page.close();
  });

  it('have QR codes that a reader reads', async () => {
    const sale = await sell('theatre', await nextSeats(), 'Pieter Nel');
    const page = await openSale('theatre', sale);
    await page.getByRole('button', { name: 'Print all 2 tickets of this sale' }).click();
    await page.getByRole('dialog').waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const codes = page.locator('body > .print-sheet svg[role=img]');
    const read = [await readCode(page, codes.nth(0)), await readCode(page, codes.nth(1))];
    expect(read.sort()).toEqual(sale.tickets.map(({ qr }) => qr).sort());
    await page.close();
  });

  it('are printed for a thousand people at once', async () => {
    const route = `GET /api/events/${shop.eventId('arena')}/seatmap`;
    const { data } = await call(shop.node().address, route);
    const seats = (data.seats as { seat_id: string }[]).slice(0, 1_000);
    const items = seats.map(({ seat_id }) => ({ seat_id }));
    const sale = await sell('arena', items, 'A school');
    const page = await openSale('arena', sale);
    await page.getByRole('button', { name: 'Print all 1 000 tickets of this sale' }).click();
    await page.getByRole('dialog').waitFor();
    const pdf = await page.pdf();
    expect(codesOf(pdf).sort()).toEqual(sorted(sale.tickets.map(({ code }) => code)));
    await page.close();
  });
});

function clockAt(time: string, timeZone: string): string {
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  return new Date(time).toLocaleTimeString('en-ZA', { ...clock, timeZone });
}

/** Two seats that no other test sells. */
async function nextSeats(): Promise<{ seat_id: string }[]> {
  return (await freeSeats(53)).slice(-2).map(({ seat_id }) => ({ seat_id }));
}

/** As it is painted. */
async function readCode(page: Page, code: ReturnType<Page['locator']>): Promise<string> {
  const picture = (await code.screenshot()).toString('base64');
  const { data, width, height } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const pen = canvas.getContext('2d');
    pen?.drawImage(bitmap, 0, 0);
    const pixels = pen?.getImageData(0, 0, bitmap.width, bitmap.height);
    return { data: [...(pixels?.data ?? [])], width: bitmap.width, height: bitmap.height };
  }, picture);
  return decode({ data: Uint8ClampedArray.from(data), width, height });
}

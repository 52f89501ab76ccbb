import { hall } from '@voelgoed/testkit/halls';
import { call, tokenFor } from '@voelgoed/testkit/servers';
import { barriersOf, enterAs, type Page, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { describe, expect, it } from 'vitest';

const shop = useShop();

async function ask(route: string, body?: unknown, token?: string) {
  const text = `select organization_id from organizations where slug = 'demo'`;
  const [row] = await shop.database.asSuperuser(text);
  const known = token ?? tokenFor(String(row?.organization_id));
  const sent = body === undefined ? {} : { body };
  return call(shop.node().address, route, { token: known, ...sent });
}

const SPEC = {
  shapes: [
    {
      shape: 'curved_rows',
      zone: 'Circle',
      rows: 5,
      radius: 200,
      arc: 80,
      blocks: 2,
      numbering: 'odd_even',
      label_prefix: '',
      wheelchair_pairs: [{ row: 5, seat: 1 }],
      metadata: { note: 'kept' },
    },
    { shape: 'area', zone: 'Pit', zone_type: 'ga_standing', capacity: 50, width: 100, height: 60 },
  ],
};

async function aLayout(slug: string, plan: object, venue: object = {}): Promise<string> {
  const made = await ask('POST /api/admin/venues', { slug, name: `Hall ${slug}`, ...venue });
  const { venue_id } = made.data;
  const { data } = await ask('POST /api/admin/layouts', { venue_id, name: 'Old hall', ...plan });
  await ask(`POST /api/admin/layouts/${data.layout_id}/activate`, {});
  return String(data.layout_id);
}

const versionsOf = async (id: string) =>
  ((await ask(`GET /api/admin/layouts/${id}`)).data.versions as Record<string, unknown>[]).map(
    ({ version, status, seat_count }) => `${version} ${status} ${seat_count}`,
  );

async function openDraw(page: Page, id: string): Promise<void> {
  await page.goto(new URL(`/staff/layouts/${id}`, page.url()).href);
  await page.getByRole('link', { name: 'New version' }).click();
}

describe('a new version', { timeout: VISIT_MS }, () => {
  it('starts from the form that the newest version was drawn with', async () => {
    const id = await aLayout('drawn', { spec: SPEC });
    const count = Number((await ask(`GET /api/admin/layouts/${id}`)).data.seat_count);
    const page = await shop.visit('/staff');
    await enterAs(page, 'box office');
    await openDraw(page, id);
    await page.getByText(`Starts from version 1: ${count} seats.`).waitFor();
    await page.getByText(`Good: ${count} seats, ${count + 50} places in all.`).waitFor();
    const circle = page.getByRole('group', { name: '1. Curved rows' });
    expect(await circle.getByLabel('Name of the zone').inputValue()).toBe('Circle');
    expect(await circle.getByLabel('Radius of the front row').inputValue()).toBe('200');
    // The first place of the last row, from the left, as it is printed.
    const { zones } = (await ask(`GET /api/admin/layouts/${id}/config`)).data as {
      zones: { seats: { row: string; number: number; category?: string }[] }[];
    };
    const space = zones[0]?.seats.find(({ category }) => category === 'wheelchair');
    const spaces = circle.getByLabel('Wheelchair spaces (printed row-seat)');
    expect(await spaces.inputValue()).toBe(`E-${space?.number}`);
    expect(space?.number).toBeGreaterThan(5);
    await circle.getByText(/^1–500\. Row A has \d+ seats, row E has \d+\.$/).waitFor();
    await spaces.fill('E-999');
    await circle.getByText('no such seat').waitFor();
    await spaces.fill('E-2');
    await circle.getByLabel('Rows', { exact: true }).fill('6');
    await page.getByText(new RegExp(`Version 1 has ${count} seats, this has`)).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Old hall');
    await page.getByRole('button', { name: 'Save as draft' }).click();
    // The page shows what was saved.
    await page.getByRole('button', { name: /Version 2/, pressed: true }).waitFor();
    const saved = (await ask(`GET /api/admin/layouts/${id}`)).data;
    expect(saved).toMatchObject({
      version: 2,
      status: 'draft',
      spec: { shapes: [{ rows: 6, metadata: { note: 'kept' } }, { zone: 'Pit' }] },
    });
    await page.close();
  });

  it('starts from a plan of a file as it is, with the ids of its seats', async () => {
    const id = await aLayout('filed', { config: hall() });
    const page = await shop.visit('/staff');
    await enterAs(page, 'admin');
    await openDraw(page, id);
    await page.getByText('The plan of version 1 as it is: 13 seats.').waitFor();
    await page.getByText('Good: 13 seats, 313 places in all.').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByRole('button', { name: /Version 2/, pressed: true }).waitFor();
    const { diff } = (await ask(`GET /api/admin/layouts/${id}/diff?from=1&to=2`)).data;
    expect(diff).toMatchObject({ same: true });
    await page.close();
  });

  it('never replaces a draft unasked, and a replaced one can be used again', async () => {
    const id = await aLayout('asked', { spec: SPEC });
    await ask('POST /api/admin/layouts', { layout_id: id, config: hall() });
    await shop.database.asSuperuser(
      `update users set name = 'Sarie' where user_id in
         (select changed_by from layouts where layout_id = $1)`,
      [id],
    );
    const page = await shop.visit('/staff');
    await enterAs(page, 'admin');
    await openDraw(page, id);
    const there = page.getByRole('region', { name: 'Version 2 is a draft already' });
    await there.getByText(/^13 seats, 313 places in all, saved .+ by Sarie\.$/).waitFor();
    expect(await page.getByRole('button', { name: 'Save as draft' }).count()).toBe(0);
    expect(await barriersOf(page)).toEqual([]);

    await there.getByRole('button', { name: 'Go on with version 2' }).click();
    await page.getByText('The plan of version 2 as it is: 13 seats.').waitFor();
    await page.goBack();
    await openDraw(page, id);
    await there.getByRole('button', { name: 'Replace it, starting from version 1' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replace version 2?' });
    await dialog.getByText('version 2 (13 seats, 313 places in all) is archived').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Replace it' }).click();
    await page.getByRole('group', { name: '1. Curved rows' }).waitFor();
    await page.getByText('Saving archives the draft version 2.').waitFor();
    const before = await versionsOf(id);
    expect(before[0]).toBe('2 draft 13');
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByRole('button', { name: /Version 3/, pressed: true }).waitFor();
    expect((await versionsOf(id)).slice(0, 2)).toEqual([
      expect.stringMatching(/^3 draft /),
      '2 archived 13',
    ]);
    // Back to the one that was replaced.
    await page.getByRole('button', { name: /Version 2/ }).click();
    await page.getByRole('link', { name: 'Make a draft from version 2' }).click();
    await page.getByRole('button', { name: 'Replace it, starting from version 2' }).click();
    await page.getByRole('button', { name: 'Replace it', exact: true }).click();
    await page.getByText('Good: 13 seats').waitFor();
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByRole('button', { name: /Version 4/, pressed: true }).waitFor();
    expect((await versionsOf(id))[0]).toBe('4 draft 13');
    await page.close();
  });

  it('does not overwrite what another person saved meanwhile', async () => {
    const id = await aLayout('raced', { config: hall() });
    const page = await shop.visit('/staff');
    await enterAs(page, 'admin');
    await openDraw(page, id);
    await page.getByText('Good: 13 seats').waitFor();
    const theirs = await ask('POST /api/admin/layouts', { layout_id: id, spec: SPEC });
    await page.getByRole('button', { name: 'Save as draft' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Not saved: there is a newer draft').waitFor();
    const [newest] = await versionsOf(id);
    expect(newest).toBe(`2 draft ${theirs.data.seat_count}`);
    expect(await barriersOf(page)).toEqual([]);
    await alert.getByRole('button', { name: /archive the other draft$/ }).click();
    await page.getByRole('button', { name: /Version 3/, pressed: true }).waitFor();
    expect(await versionsOf(id)).toEqual([
      '3 draft 13',
      `2 archived ${theirs.data.seat_count}`,
      '1 active 13',
    ]);
    await page.close();
  });

  it('says before saving that it is too large for its venue', async () => {
    const made = await ask('POST /api/admin/venues', {
      slug: 'tight',
      name: 'Tight',
      max_capacity: 780,
    });
    const page = await shop.visit('/staff');
    await enterAs(page, 'admin', `/staff/venues/${made.data.venue_id}/draw`);
    await page.getByText(/^Too large: 1.402 places, and the venue takes 780\.$/).waitFor();
    await page.getByText(/has 1.402 places, but the venue takes 780 people\./).waitFor();
    expect(await page.getByText(/^Good:/).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save as draft' }).count()).toBe(0);
    await page.getByLabel('Rows', { exact: true }).fill('5');
    await page.getByText(/^Good: \d+ seats/).waitFor();
    await page.getByRole('button', { name: 'Save as draft' }).waitFor();
    await page.close();
  });
});

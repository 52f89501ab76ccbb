import { eventually } from '@voelgoed/testkit/eventually';
import { brokenHall, hall } from '@voelgoed/testkit/halls';
import { call, tokenFor } from '@voelgoed/testkit/servers';
import {
  barriersOf,
  DESK,
  enterAs,
  giveReason,
  inkOf,
  type Page,
  PHONE,
  useShop,
  VISIT_MS,
} from '@voelgoed/testkit/visitors';
import { describe, expect, it } from 'vitest';

const shop = useShop();

async function ask(route: string, body?: unknown) {
  const text = `select organization_id from organizations where slug = 'demo'`;
  const [row] = await shop.database.asSuperuser(text);
  const token = tokenFor(String(row?.organization_id));
  return call(shop.node().address, route, { token, ...(body === undefined ? {} : { body }) });
}

async function aVenue(slug: string): Promise<string> {
  return String(
    (await ask('POST /api/admin/venues', { slug, name: `Hall ${slug}` })).data.venue_id,
  );
}

const BROKEN = {
  'zones[0].seats[3].number': 2,
  'zones[0].seats[7].coordinates': { x: 11, y: 21 },
  'zones[2].capacity': 0,
  'groups[1].seat_labels[1]': 'Z-9',
};

/** The whole map is on the screen. */
async function expectInSight(page: Page): Promise<void> {
  const box = await page.getByTestId('marks').boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
}

async function upload(page: Page, content: unknown, name = 'plan.json'): Promise<void> {
  const buffer = Buffer.from(JSON.stringify(content));
  await page.getByLabel('Choose a file').setInputFiles({
    name,
    mimeType: 'application/json',
    buffer,
  });
}

describe('a plan from a file', { timeout: VISIT_MS }, () => {
  it('shows all its problems in a list and on the map; mended it becomes active', async () => {
    const venue = await aVenue('upload');
    const page = await shop.visit('/staff');
    await enterAs(page, 'owner', `/staff/venues/${venue}/draw`);
    await page.getByRole('button', { name: 'Upload' }).click();
    await upload(page, brokenHall(BROKEN));
    const region = page.getByRole('region', { name: /problems$/ });
    const groups = region.locator('details');
    await groups.first().waitFor();
    for (const group of await groups.all()) await group.locator('summary').click();
    const problems = region.locator('details li');
    const refused = await ask('POST /api/admin/layouts/validate', brokenHall(BROKEN));
    const said = (refused.body.details as { problems: { path: string }[] }).problems;
    expect(said.length).toBeGreaterThan(3);
    const paths = await problems.locator('code').allTextContents();
    expect(paths.toSorted()).toEqual(said.map(({ path }) => path).toSorted());
    // In words of the hall, and no path among them.
    const sentences = await region.locator('.groups > li > p').allTextContents();
    expect(sentences.map((one) => one.trim())).toContain(
      '1 number used twice in a row: Stalls A-4',
    );
    expect(sentences.join()).not.toMatch(/\[\d+\]/);
    await eventually(async () => (await inkOf(page, 'marks')) > 0);
    await page.getByText('Problem', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Save as draft' }).count()).toBe(0);
    // What the bar at the top covers is not too small.
    await page.evaluate('scrollTo(0, 0)');
    expect(await barriersOf(page)).toEqual([]);
    // A click goes to the place: the marks stand elsewhere then.
    const before = await inkOf(page, 'marks');
    await problems.getByRole('button').nth(1).click();
    await eventually(async () => (await inkOf(page, 'marks')) !== before);
    await groups.last().scrollIntoViewIfNeeded();
    await expectInSight(page);

    await upload(page, hall());
    await page.getByText('Good: 13 seats, 313 places in all.').waitFor();
    expect(await inkOf(page, 'marks')).toBe(0);
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByRole('button', { name: 'Make active' }).click();
    expect(await barriersOf(page)).toEqual([]);
    await giveReason(page, 'The season begins', 'Make active');
    await page.getByText('Version 1 is active.').first().waitFor();
    const listed = await ask(`GET /api/admin/layouts?venue_id=${venue}`);
    expect(listed.list.map(({ status }) => status)).toEqual(['active']);
    const trail = await ask('GET /api/admin/audit?action=layout_activated&limit=5');
    expect(JSON.stringify(trail.list)).toContain('The season begins');
    await page.close();
  });

  it('says what is no JSON, takes plans of pretix, stays quick with 12,000 seats', async () => {
    const venue = await aVenue('large');
    const page = await shop.visit('/staff');
    await enterAs(page, 'owner', `/staff/venues/${venue}/draw`);
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByLabel('Or paste the JSON').fill('{"zones": [');
    await page.getByRole('button', { name: 'Check it' }).click();
    await page.getByText('This is no JSON').waitFor();

    await upload(page, PRETIX, 'pretix.json');
    await page.getByText('2 seats in 1 rows and 1 zones.').waitFor();
    expect(await page.getByLabel('Kind of file').inputValue()).toBe('pretix');
    expect(await barriersOf(page)).toEqual([]);

    const made = await ask('POST /api/admin/layouts/generate', { preset: 'arena', seats: 12_000 });
    const { config } = made.data as { config: { zones: { seats: { number: number }[] }[] } };
    const seats = config.zones[0]?.seats ?? [];
    for (const at of [5, 600, 11_000]) Object.assign(seats[at] ?? {}, { number: -1 });
    await page.evaluate(WATCH_FRAMES);
    await upload(page, config);
    await page.getByRole('heading', { name: '3 problems' }).waitFor();
    await eventually(async () => (await inkOf(page, 'marks')) > 0);
    // The page answers all the while: it is never stuck for as long as anybody would notice.
    expect(await page.evaluate<number>('globalThis.longest')).toBeLessThan(3_000);
    await page.close();
  });
});

const PRETIX = {
  name: 'Small',
  size: { width: 200, height: 100 },
  categories: [{ name: 'Stalls', color: '#7f4a91' }],
  zones: [
    {
      name: 'Hall',
      position: { x: 0, y: 0 },
      rows: [
        {
          row_number: 'A',
          position: { x: 0, y: 0 },
          seats: [1, 2].map((number) => ({
            seat_number: String(number),
            seat_guid: `guid-${number}`,
            position: { x: number * 30, y: 0 },
            category: 'Stalls',
          })),
        },
      ],
      areas: [],
    },
  ],
};

const WATCH_FRAMES = `globalThis.longest = 0;
(function next(before) {
  requestAnimationFrame((now) => {
    longest = Math.max(longest, now - before);
    next(now);
  });
})(performance.now());`;

describe('the generator', { timeout: VISIT_MS }, () => {
  it('draws while somebody types; the last wish wins, and is saved', async () => {
    const venue = await aVenue('generated');
    const page = await shop.visit('/staff');
    await enterAs(page, 'box office', `/staff/venues/${venue}/draw`);
    await page.getByText(/^Good: 1.402 seats/).waitFor();
    // The answer to the first wish comes after that to the second.
    const { promise: second, resolve } = Promise.withResolvers<void>();
    await page.route('**/layouts/generate', async (route) => {
      if (route.request().postData()?.includes('"rows":5')) await second;
      await route.continue().catch(() => {});
    });
    const asked = page.waitForRequest(
      (request) => request.postData()?.includes('"rows":5') ?? false,
    );
    await page.getByLabel('Rows', { exact: true }).fill('5');
    await asked;
    await page.getByLabel('Rows', { exact: true }).fill('3');
    const wish = { preset: 'theatre', rows: 3, balcony_rows: 8, vip: false };
    const made = await ask('POST /api/admin/layouts/generate', wish);
    const { zones } = (made.data as { config: { zones: { seats: unknown[] }[] } }).config;
    const count = zones.reduce((sum, { seats }) => sum + seats.length, 0);
    const good = page.getByText(`Good: ${count} seats`);
    await good.waitFor();
    resolve();
    await page.getByLabel('Rows of the balcony').fill('200');
    await page.getByText('This must lie between 0 and 20.').first().waitFor();
    await page.getByLabel('Rows of the balcony').fill('8');
    await good.waitFor();
    await page.getByLabel('What to draw').selectOption('own');
    await page.getByText('Good: 375 seats, 375 places in all.').waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Good: 375 seats, 575 places in all.').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByLabel('One more shape').selectOption('straight_rows');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const third = page.getByRole('group', { name: '3. Straight rows' });
    await third.getByLabel('Name of the zone').fill('Balcony');
    await third.getByText('More settings').click();
    await third.getByLabel('Middle of the front (x, y)').fill('0, 2000');
    await page.getByText('Good: 575 seats, 775 places in all.').waitFor();
    const before = third.getByLabel('Before every label');
    expect(await before.inputValue()).toBe('Balcony ');
    await before.fill('');
    await third.getByText(/Both .+ and Balcony would have a seat A-1/).waitFor();
    await before.fill('B');
    await page.getByText('Good: 575 seats, 775 places in all.').waitFor();
    await page.getByRole('button', { name: 'Remove this shape' }).last().click();
    await page.getByText('Good: 375 seats, 575 places in all.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Two shapes');
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByRole('heading', { name: 'Two shapes' }).waitFor();
    await page.getByText('Draft', { exact: true }).first().waitFor();
    // Staff draw; turning active is for admins.
    expect(await page.getByRole('button', { name: 'Make active' }).count()).toBe(0);
    const [saved] = (await ask(`GET /api/admin/layouts?venue_id=${venue}`)).list;
    expect(saved).toMatchObject({ status: 'draft', seat_count: 375, total_capacity: 575 });
    await page.close();
  });
});

describe('two versions', { timeout: VISIT_MS }, () => {
  it.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ])('are compared on the map at %s', async (_, options) => {
    const venue_id = await aVenue(`diff-${options === PHONE ? 'phone' : 'desk'}`);
    const made = await ask('POST /api/admin/layouts', { venue_id, name: 'Hall', config: hall() });
    const { layout_id } = made.data;
    await ask(`POST /api/admin/layouts/${layout_id}/activate`, {});
    const next = brokenHall({
      'zones[0].capacity': 11,
      'zones[0].seats[0].coordinates': { x: -30, y: 0 },
      'zones[0].seats[2].category': 'restricted_view',
      'zones[0].seats[10]': { label: 'C-1', row: 'C', number: 1, coordinates: { x: 0, y: 60 } },
      'zones[1].rows[0].seats[2].label': 'T1-4',
      'groups[0].seat_labels[2]': 'T1-4',
    });
    await ask('POST /api/admin/layouts', { layout_id, config: next });

    const page = await shop.visit('/staff', options);
    await enterAs(page, 'viewer', `/staff/layouts/${layout_id}`);
    await page.getByRole('heading', { name: 'Hall' }).waitFor();
    await page.getByRole('button', { name: /Version 2/ }).click();
    expect(await inkOf(page, 'marks')).toBe(0);
    await page.getByLabel('Compare version 2 with').selectOption('1');
    const title = 'What version 2 changes compared with version 1';
    const list = page.getByRole('region', { name: title });
    for (const line of ['C-1 is new', 'T1-4 is new', 'T1-3 is gone', 'A-1 stands elsewhere']) {
      await list.getByRole('button', { name: line }).waitFor();
    }
    await list.getByRole('button', { name: 'A-3 was standard' }).waitFor();
    await eventually(async () => (await inkOf(page, 'marks')) > 0);
    const legend = page.getByRole('list', { name: 'What the signs mean' }).getByRole('listitem');
    expect(await legend.allTextContents()).toEqual([
      'New',
      'Gone',
      'Moved, with the way it went',
      'Changed',
    ]);
    const before = await inkOf(page, 'marks');
    await list.getByRole('button', { name: 'T1-3 is gone' }).click();
    await eventually(async () => (await inkOf(page, 'marks')) !== before);
    // From the older version it is told the same way round.
    await page.getByRole('button', { name: /Version 1/ }).click();
    await page.getByLabel('Compare version 1 with').selectOption('2');
    await list.getByRole('button', { name: 'T1-3 is gone' }).waitFor();
    await list.getByRole('button', { name: 'C-1 is new' }).waitFor();
    // Who may only look is not offered what they may not do.
    expect(await page.getByRole('link', { name: 'New version' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Archive' }).count()).toBe(0);
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });

  it('belong to venues, which are made and changed', async () => {
    const page = await shop.visit('/staff', PHONE);
    await enterAs(page, 'admin', '/staff/venues');
    await page.getByRole('button', { name: 'New venue' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Die Boë (klein)');
    expect(await page.getByLabel(/^Short name in web addresses/).inputValue()).toBe(
      'die-boe-klein',
    );
    const zones = await page.getByLabel('Time zone').locator('option').allTextContents();
    expect(zones).toContain('Asia/Kolkata');
    expect(zones).not.toContain('Asia/Calcutta');
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Die Boë (klein)' }).waitFor();
    await page.getByRole('button', { name: 'Change: Die Boë (klein)' }).click();
    await page.getByLabel('People allowed in at once').fill('150');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('at most 150 people').waitFor();
    // What the bar at the top covers is not too small.
    await page.evaluate('scrollTo(0, 0)');
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });
});

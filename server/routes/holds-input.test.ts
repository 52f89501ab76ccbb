import { newId } from '@voelgoed/testkit/builders';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, node, show } = useShows();

const ID = '01a1e255-e46d-73b6-aca5-56c11beb0617';
const manyIds = (count: number) => Array.from({ length: count }, newId);

/** Bodies as they are sent, so that what no serializer would write can be sent too. */
type Row = readonly [what: string, body: string, path: string];

const items = (...list: object[]) => JSON.stringify({ items: list });
const seat = { seat_id: ID };

const HOLDS: readonly Row[] = [
  ['no items', '{}', 'body'],
  ['an empty list', items(), 'body/items'],
  ['1,001 items', items(...manyIds(1_001).map((seat_id) => ({ seat_id }))), 'body/items'],
  ['a quantity of 0', items({ zone_id: ID, quantity: 0 }), 'body/items/0'],
  ['a quantity of -1', items({ zone_id: ID, quantity: -1 }), 'body/items/0'],
  ['a quantity of 1.5', items({ zone_id: ID, quantity: 1.5 }), 'body/items/0'],
  ['a quantity of 1,001', items({ zone_id: ID, quantity: 1_001 }), 'body/items/0'],
  ['a quantity in words', items({ zone_id: ID, quantity: '2' }), 'body/items/0'],
  ['a quantity of 1e999', `{"items":[{"zone_id":"${ID}","quantity":1e999}]}`, 'body/items/0'],
  ['a zone without a quantity', items({ zone_id: ID }), 'body/items/0'],
  ['a seat with a quantity', items({ ...seat, quantity: 1 }), 'body/items/0'],
  ['a seat in a zone', items({ ...seat, zone_id: ID }), 'body/items/0'],
  ['a second item that is none', items(seat, {}), 'body/items/1'],
  ['an id that is none', items({ seat_id: 'A-1' }), 'body/items/0'],
  ['null for an item', '{"items":[null]}', 'body/items/0'],
  ['an unknown field', JSON.stringify({ items: [seat], price: 1 }), 'body'],
  ['a list for a body', '[]', 'body'],
  ['a number for a cart', JSON.stringify({ items: [seat], cart_token: 5 }), 'body/cart_token'],
  ['an empty cart', JSON.stringify({ items: [seat], cart_token: '' }), 'body/cart_token'],
  ['a long cart', `{"items":[],"cart_token":"${'x'.repeat(256)}"}`, 'body/cart_token'],
  [
    'U+0000 in a cart',
    `{"items":[${JSON.stringify(seat)}],"cart_token":"a\\u0000"}`,
    'body/cart_token',
  ],
  [
    'half a pair in a cart',
    `{"items":[${JSON.stringify(seat)}],"cart_token":"\\ud800"}`,
    'body/cart_token',
  ],
  ['U+0000 in a name', `{"items":[${JSON.stringify(seat)}],"a\\u0000":1}`, 'body'],
  ['an unknown source', JSON.stringify({ items: [seat], source: 'box_office' }), 'body/source'],
  ['a word for yes', JSON.stringify({ items: [seat], allow_orphan: 'yes' }), 'body/allow_orphan'],
];

const STAFF: readonly [route: string, ...Row][] = [
  ['holds', 'nobody to hold for', items(seat), 'body'],
  ['holds', 'an empty name', JSON.stringify({ items: [seat], for: '' }), 'body/for'],
  ['holds', 'U+0000 in a name', `{"items":[{"seat_id":"${ID}"}],"for":"\\u0000"}`, 'body/for'],
  [
    'holds',
    'long notes',
    JSON.stringify({ items: [seat], for: 'x', notes: 'x'.repeat(501) }),
    'body/notes',
  ],
  ['seats/block', 'no reason', JSON.stringify({ seat_ids: [ID] }), 'body'],
  ['seats/block', 'no seats', JSON.stringify({ seat_ids: [], reason: 'x' }), 'body/seat_ids'],
  [
    'seats/block',
    '10,001 seats',
    JSON.stringify({ seat_ids: Array(10_001).fill(ID), reason: 'x' }),
    'body/seat_ids',
  ],
  [
    'seats/unblock',
    'a text for a list',
    JSON.stringify({ seat_ids: ID, reason: 'x' }),
    'body/seat_ids',
  ],
];

const RELEASES: readonly Row[] = [
  ['no reason', JSON.stringify({ hold_ids: [ID] }), 'body'],
  ['1,001 holds', JSON.stringify({ hold_ids: manyIds(1_001), reason: 'x' }), 'body/hold_ids'],
  ['an id that is none', JSON.stringify({ hold_ids: ['x'], reason: 'x' }), 'body/hold_ids/0'],
  ['an empty list', JSON.stringify({ hold_ids: [], reason: 'x' }), 'body/hold_ids'],
  [
    'long notes',
    JSON.stringify({ event_id: ID, reason: 'x', notes: 'x'.repeat(201) }),
    'body/notes',
  ],
];

async function send(path: string, token: string, body: string) {
  const reply = await fetch(`${node().address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });
  type Refusal = { error: string; details: { problems?: { path: string; message: string }[] } };
  return { status: reply.status, body: (await reply.json()) as Refusal };
}

/** 400 with the place of the mistake, in words that are not empty. */
async function expectPath(path: string, token: string, [what, body, place]: Row) {
  const reply = await send(path, token, body);
  expect([what, reply.status, reply.body.error]).toEqual([what, 400, 'invalid_request']);
  const problems = reply.body.details.problems ?? [];
  const places = problems.map((problem) => problem.path);
  expect([what, places.some((one) => one.startsWith(place)), places]).toEqual([
    what,
    true,
    expect.anything(),
  ]);
  expect(problems.every(({ message }) => message.length > 0)).toBe(true);
}

describe('a body that is not right gets 400 with its place, and nothing is done', () => {
  it('of a wish to hold', async () => {
    const { eventId } = await show({ config: aHybridHall() });
    const { token } = buyer();
    for (const row of HOLDS) await expectPath(`/api/events/${eventId}/holds`, token, row);
    const rows = await database.asSuperuser('select from seat_holds where event_id = $1', [
      eventId,
    ]);
    expect(rows).toHaveLength(0);
  });

  it('of the box office', async () => {
    const { eventId } = await show({ config: aHybridHall() });
    const before = await ask(`GET /api/admin/audit?event_id=${eventId}`);
    const made = await ask('POST /api/admin/api-keys', {
      body: { name: 'k', scopes: ['holds:write', 'seats:block'] },
    });
    const key = String(made.data.key);
    for (const [route, ...row] of STAFF) {
      await expectPath(`/api/admin/events/${eventId}/${route}`, key, row);
    }
    for (const row of RELEASES) await expectPath('/api/admin/seats/release', key, row);
    const after = await ask(`GET /api/admin/audit?event_id=${eventId}`);
    expect(after.list).toEqual(before.list);
  });

  it('what is not JSON or not UTF-8 is told so', async () => {
    const { eventId } = await show();
    const { token } = buyer();
    for (const body of ['{', '"', 'items', '{"items":[}']) {
      const reply = await send(`/api/events/${eventId}/holds`, token, body);
      expect([body, reply.status, reply.body.error]).toEqual([body, 400, 'invalid_request']);
    }
  });

  it('all of a wish or nothing: one seat that is not there', async () => {
    const { eventId, seats, zones } = await show({ config: aHybridHall() });
    const ann = buyer();
    const [noSeat, noZone] = [newId(), newId()];
    const wish = [
      ...seats.slice(0, 5).map((seat_id) => ({ seat_id })),
      { zone_id: zones[1], quantity: 2 },
      { seat_id: noSeat },
      { zone_id: noZone, quantity: 1 },
    ];
    const refused = await ann.hold(eventId, wish);
    expect([refused.status, refused.body.error]).toEqual([404, 'seat_not_found']);
    expect(refused.body.details).toMatchObject({
      seats: [{ seat_id: noSeat, error: 'seat_not_found' }],
      zones: [{ zone_id: noZone, error: 'zone_not_found' }],
    });
    const [counts] = await database.asSuperuser(
      'select sum(held)::int as held from event_zones where event_id = $1',
      [eventId],
    );
    expect(counts).toEqual({ held: 0 });
    // The same seat twice is wished for once.
    const twice = await ann.hold(eventId, [{ seat_id: seats[0] }, { seat_id: seats[0] }]);
    expect(twice.data.holds).toHaveLength(1);
  });
});

import { aWish, holdOf, holdsIn, keyOf, problems, useSales } from '@voelgoed/testkit/sales';
import { anAccessibleHall } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';
import type { BestRequest, HoldCommand } from '#board';
import type { Answer } from './registry.ts';

const sales = useSales();

function best(user: string, quantity: number, wanted: Partial<BestRequest> = {}): HoldCommand {
  return holdOf(user, [], {
    best: {
      quantity,
      zone_ids: [],
      price_cents: null,
      categories: [],
      accessible: 0,
      together: true,
      general_admission: false,
      people: [],
      ...wanted,
    },
  });
}

const offerIn = (answer: Answer) =>
  answer.kind === 'done' && answer.outcome.kind === 'held' ? answer.outcome.offer : undefined;

describe('the best seats', () => {
  it('are found for 160 who ask for pairs at once, all of them, on two nodes', async () => {
    const sale = await sales.open({ seats: 8_000, buyers: 160 });
    const nodes = [sales.node(), sales.node()];
    const answers = await Promise.all(
      sale.buyers.map((buyer, index) => {
        const wish = aWish(best(buyer, 2));
        return nodes[index % 2]?.registry.submit(sale, wish) as Promise<Answer>;
      }),
    );
    const seats = answers.flatMap((answer) => holdsIn(answer).map(({ ordinal }) => ordinal));
    expect(seats).toHaveLength(320);
    expect(new Set(seats).size).toBe(320);
    for (const answer of answers) expect(offerIn(answer)).toMatchObject({ adjacent: true });
    expect(await problems(sales.database, sale)).toEqual([]);
  });

  it('are the same when the wish is repeated with its key, whatever happened since', async () => {
    const sale = await sales.open({ seats: 100 });
    const [ann = '', bob = ''] = sale.buyers;
    const { registry } = sales.node();
    const keyed = () => aWish(best(ann, 2), { key: keyOf(ann, 'one') });
    const first = await registry.submit(sale, keyed());
    await registry.submit(sale, aWish(best(bob, 2)));
    const again = await sales.node().registry.submit(sale, keyed());
    expect(again).toMatchObject({ replayed: true });
    expect(holdsIn(again)).toEqual(holdsIn(first));
    expect(offerIn(again)).toEqual(offerIn(first));
    // Without a key it is a new wish.
    const more = await registry.submit(sale, aWish(best(ann, 2)));
    expect(holdsIn(more)).not.toEqual(holdsIn(first));
  });

  it('are known as chosen by the engine to a node that loads the board later', async () => {
    const sale = await sales.open({ seats: 20 });
    const [ann = ''] = sale.buyers;
    await sales.node().registry.submit(sale, aWish(best(ann, 2)));
    const late = await sales.node().registry.board(sale);
    expect(late?.holdsOfUser(ann)).toMatchObject([{ settled: 2 }, { settled: 2 }]);
  });

  it('are refused from memory when everything is taken', async () => {
    const sale = await sales.open({ seats: 4 });
    const [ann = '', bob = ''] = sale.buyers;
    const node = sales.node();
    await node.registry.submit(sale, aWish(holdOf(ann, sale.seats)));
    const answer = await node.registry.submit(sale, aWish(best(bob, 1)));
    expect(answer).toMatchObject({ outcome: { code: 'no_available_seats' } });
    expect(node.count('hold.refused_fast')).toBe(1);
  });
});

describe('companion seats', () => {
  const SPACE = 0;
  const COMPANION = 1;

  it('go to everybody at 85 percent: on every node, in tables, log and trail', async () => {
    const sale = await sales.open({ config: anAccessibleHall() });
    const [ann = '', bob = '', cat = ''] = sale.buyers;
    const [one, two] = [sales.node(), sales.node()];
    const seat = (ordinal: number) => sale.seats[ordinal] ?? '';
    const hold = (node: typeof one, user: string, ...seats: number[]) =>
      node.registry.submit(sale, aWish(holdOf(user, seats.map(seat))));
    await hold(one, ann, SPACE);
    const refused = await hold(two, bob, COMPANION);
    expect(refused).toMatchObject({ outcome: { code: 'companion_reserved' } });
    await hold(one, cat, 4, 5, 6, 7, 8, 9);
    expect(await released(sale.eventId)).toEqual([]);
    const last = sale.buyers[3] ?? '';
    await hold(two, last, 2, 3);
    expect(await released(sale.eventId)).toEqual(['Stalls']);
    expect(await hold(one, bob, COMPANION)).toMatchObject({ outcome: { kind: 'held' } });
    expect(two.count('companions.changed') + one.count('companions.changed')).toBe(1);
    const late = await sales.node().registry.board(sale);
    expect(late?.isReleased(0)).toBe(true);
    const actions = await sales.database.asSuperuser(
      `select action, changes from audit_log where chain_id = $1
         and action in ('accessible_seat_reserved', 'companion_seats_released') order by sequence`,
      [sale.eventId],
    );
    expect(actions).toMatchObject([
      {
        action: 'accessible_seat_reserved',
        changes: {
          seat_id: seat(SPACE),
          companion_seat_ids: [seat(COMPANION)],
          companion_soft_reserved: true,
        },
      },
      { action: 'accessible_seat_reserved', changes: { seat_id: seat(2) } },
      { action: 'companion_seats_released' },
    ]);
    expect(await problems(sales.database, sale)).toEqual([]);
  });

  const released = async (eventId: string) => {
    const rows = await sales.database.asSuperuser(
      'select name from event_zones where event_id = $1 and companions_released',
      [eventId],
    );
    return rows.map(({ name }) => name);
  };
});

describe('friends in a zone for named people', () => {
  it('are kept with the hold, also by a node that loads the board later', async () => {
    const sale = await sales.open({ zone: { access_mode: 'whitelist' } });
    const [ann = '', bea = '', cat = ''] = sale.buyers;
    await sales.database.asSuperuser(
      `insert into zone_whitelist select $1, $2, $3, unnest($4::uuid[])`,
      [sale.scope.organizationId, sale.eventId, sale.floor, [ann, bea]],
    );
    const { registry } = sales.node();
    const places = (people: string[]) =>
      holdOf(ann, [], { items: [{ zone_id: sale.floor, quantity: 2, people }] });
    const stranger = await registry.submit(sale, aWish(places([cat])));
    expect(stranger).toMatchObject({ outcome: { code: 'zone_access_denied' } });
    const held = await registry.submit(sale, aWish(places([bea])));
    expect(holdsIn(held)).toMatchObject([{ quantity: 2, people: [bea] }]);
    const late = await sales.node().registry.board(sale);
    expect(late?.holdsOfUser(ann)).toMatchObject([{ people: [bea] }]);
    expect(await problems(sales.database, sale)).toEqual([]);
  });
});

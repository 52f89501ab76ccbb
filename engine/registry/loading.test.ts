import { eventually } from '@voelgoed/testkit/eventually';
import { aWish, holdOf, keyOf, useSales } from '@voelgoed/testkit/sales';
import { expect, it } from 'vitest';

const sales = useSales();
const { database } = sales;

it('a board is loaded with all who may ask again, however many they are', async () => {
  const sale = await sales.open();
  const [buyer = '', other = ''] = sale.buyers;
  const key = keyOf(buyer, 'k');
  await sales.node().registry.submit(sale, aWish(holdOf(buyer, sale.seats.slice(0, 1)), { key }));
  await database.asSuperuser(
    `insert into idempotency_keys (organization_id, event_id, user_id, route, key, body_hash,
       answer)
     select organization_id, event_id, gen_random_uuid(), route, key, body_hash, answer
     from idempotency_keys, generate_series(1, 25000)`,
  );
  const rows = await database.asSuperuser('select user_id from idempotency_keys');
  const board = await sales.node().registry.board(sale);
  expect(rows.filter(({ user_id }) => !board?.hasKey(String(user_id)))).toEqual([]);
  expect(board?.hasKey(other)).toBe(false);
}, 60_000);

/** The table of holds answers nobody for longer than other statements may wait. */
const LOCK = `do $$ begin
    lock table seat_holds in access exclusive mode;
    perform pg_sleep(1);
  end $$`;
const LOCKED = `select from pg_locks where granted and relation = 'seat_holds'::regclass
  and mode = 'AccessExclusiveLock'`;

it('a board is loaded, however long its holds take to read', async () => {
  const sale = await sales.open();
  const [buyer = ''] = sale.buyers;
  await sales.node().registry.submit(sale, aWish(holdOf(buyer, sale.seats.slice(0, 1))));
  const locked = database.asSuperuser(LOCK);
  await eventually(async () => (await database.asSuperuser(LOCKED)).length > 0);
  const board = await sales.node().registry.board(sale);
  await locked;
  expect(board?.holdCount).toBe(1);
});

import { control, type Off } from '@voelgoed/testkit/controls';
import { eventually } from '@voelgoed/testkit/eventually';
import { useRedis } from '@voelgoed/testkit/redises';
import { aWish, holdOf, type Sale, useSales } from '@voelgoed/testkit/sales';
import { afterEach, describe } from 'vitest';
import { systemClock, systemRandom, uuidOf } from '#kit';
import { eventKeys, RedisConnection } from '#redis';
import type { Claim, Claims } from '#registry';
import { recordingTelemetry, silentTelemetry } from '#telemetry';
import { RedisClaims } from './claims.ts';
import { sealed, withoutSeal } from './sealed-text.ts';
import { countOfBoard } from './tier-content.ts';
import { WarmTier } from './warm.ts';

const redis = useRedis();
const sales = useSales();
const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** No buyer waits here, and the machine may have other things to do. */
const command_ms = 2_000;
const tools = { clock: systemClock, random: systemRandom };
const keyOf = (sale: Sale, seat: number) =>
  eventKeys(sale.scope.organizationId, sale.eventId).seatHold(sale.seats[seat] ?? '');

type Settings = { isStarted?: boolean; claims?: (claims: Claims) => Claims };

/** A node with its tier, which looks after Redis only when it is started. */
async function aNode({ isStarted = false, claims: change = (one) => one }: Settings = {}) {
  const telemetry = recordingTelemetry();
  const otherwise = { publish: () => {} };
  const settings = { url: redis().url, probe_ms: 100, command_ms };
  const tier = new WarmTier({ ...tools, ...settings, telemetry, otherwise });
  opened.push(tier);
  const { watch, feed } = tier;
  const node = sales.node({ claims: change(tier.claims), watch, feed });
  tier.attach(node.registry);
  await tier.connect();
  if (isStarted) tier.start();
  return { ...node, tier };
}

/** Somebody comes back late for a claim that has ended, and another is at the seat now. */
async function lateForAClaim(off: Off): Promise<string[]> {
  const sale = await sales.open();
  const { registry, tier } = await aNode();
  const board = await registry.board(sale);
  if (!board) throw new Error('it is on sale');
  const telemetry = silentTelemetry;
  const { url } = redis();
  const connection = new RedisConnection({ url, clock: systemClock, telemetry, command_ms });
  opened.push(connection);
  await connection.connect();
  const careless = {
    run: (_: unknown, names: readonly string[]) => connection.call('del', ...names),
  };
  const isCareless = off.has('compare-and-delete');
  const { circuit } = tier;
  const parts = {
    ...tools,
    telemetry,
    circuit,
    cache: connection,
    now_ms: () => systemClock.now(),
  };
  const claims = new RedisClaims({ ...parts, claims: connection });
  const removing = new RedisClaims({
    ...parts,
    claims: isCareless ? (careless as unknown as RedisConnection) : connection,
  });
  const claim = async (buyer: number) => {
    const wanted = holdOf(sale.buyers[buyer] ?? '', sale.seats.slice(1, 2));
    return ((await claims.claim(sale, board, wanted)) as { claim: Claim | null }).claim;
  };
  const late = await claim(0);
  await redis().command('del', keyOf(sale, 1));
  const other = await claim(1);
  if (!late || !other) throw new Error('both were claimed');
  removing.giveBack(sale, late);
  // On the same connection, so it is answered after the removal.
  const found = await connection.call('get', keyOf(sale, 1));
  return found === other.value ? [] : ['a claim of somebody else was taken away'];
}

/** Redis has a hold that never was; whoever asks for the seat is refused for another reason. */
async function aLie(off: Off): Promise<string[]> {
  const sale = await sales.open();
  const isHealing = !off.has('healing');
  const isStarted = !off.has('watchman');
  const { registry } = await aNode({
    isStarted,
    claims: (claims) => ({
      claim: (...words) => claims.claim(...words),
      giveBack: (...words) => claims.giveBack(...words),
      heal: (...words) => {
        if (isHealing) claims.heal(...words);
      },
    }),
  });
  const [buyer = '', rival = ''] = sale.buyers;
  const [lied = '', taken = ''] = sale.seats;
  await registry.submit(sale, aWish(holdOf(rival, [taken])));
  const lie = {
    ...{ state: 'held', hold_id: uuidOf('a hold that never was'), user_id: uuidOf('nobody') },
    ...{ cart_token: null, held_until: systemClock.now() / 1_000 + 600 },
    ...{ lineage: '0123456789abcdef', revision: 0 },
  };
  await redis().command('set', keyOf(sale, 0), JSON.stringify(lie));
  // Exactly: the board refuses by itself, and not from memory before Redis is asked.
  const wish = () => aWish(holdOf(buyer, [lied, taken]), { exact: true });
  const isThere = async () => (await redis().command('exists', keyOf(sale, 0))) === 1;
  await registry.submit(sale, wish());
  if (isHealing || isStarted) await eventually(async () => !(await isThere()));
  // Nobody else would: it is met again and again.
  else for (let tries = 0; tries < 3; tries++) await registry.submit(sale, wish());
  return (await isThere()) ? ['Redis has a hold that never was'] : [];
}

/** Redis dies, holds are made without it, and it comes back with nothing. */
async function backAgain(off: Off): Promise<string[]> {
  const sale = await sales.open();
  const { registry, tier } = await aNode();
  if (off.has('reconcile before breaker close')) tier.circuit.onBack = async () => {};
  await registry.board(sale);
  await redis().kill('SIGKILL');
  const [buyer = ''] = sale.buyers;
  for (const seat of sale.seats.slice(0, 8)) {
    await registry.submit(sale, aWish(holdOf(buyer, [seat])));
  }
  await eventually(() => tier.state === 'open');
  await redis().restart();
  await eventually(() => tier.state === 'closed');
  const board = await registry.board(sale);
  if (!board) throw new Error('it is on sale');
  const { digest } = await tier.compare(sale, board);
  const isSo = digest === countOfBoard(board).digest;
  return isSo ? [] : ['Redis is believed, and says something else'];
}

/** A hand changes a seat in the bitmap, and a node without the board reads it. */
async function otherBits(off: Off): Promise<string[]> {
  const sale = await sales.open();
  const [{ registry }, other] = [await aNode(), await aNode()];
  const keys = eventKeys(sale.scope.organizationId, sale.eventId);
  const [buyer = ''] = sale.buyers;
  await registry.submit(sale, aWish(holdOf(buyer, sale.seats.slice(1, 2))));
  const isWritten = async () => (await redis().command('exists', keys.revision)) === 1;
  await eventually(isWritten);
  const text = String(await redis().command('get', keys.revision));
  // However long this test has taken until here, it is young enough to be shown.
  const record = text.replace(/ \d{13} /, ` ${systemClock.now()} `);
  // The fourth seat instead of the second.
  await redis().command('setrange', keys.bitmap, 0, '@');
  const bytes = Buffer.alloc(Math.ceil(sale.seats.length / 4));
  bytes[0] = 0x40;
  const lie = sealed(keys.revision, withoutSeal(record), bytes);
  if (off.has('reader digest')) await redis().command('set', keys.revision, lie);
  const shown = await other.tier.readers.snapshot(sale);
  return shown ? ['a reader is shown other seats'] : [];
}

describe('claims', () => {
  control('compare-and-delete', lateForAClaim);
});

describe('a Redis that lies', () => {
  control('healing', aLie);
  control('watchman', aLie);
});

describe('readers', () => {
  control('reader digest', otherBits);
});

describe('a Redis that was away', () => {
  control('reconcile before breaker close', backAgain);
});

import type { Command } from '@voelgoed/engine/board';
import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import { type Answer, PostgresStore, SeatRegistry, type Store } from '@voelgoed/engine/registry';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { createVenue, releaseHold } from '@voelgoed/engine/workflows';
import type { FaultProxy } from '@voelgoed/faults/proxy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aCaller, anEngine } from '#builders';
import { control, type Off } from '#controls';
import { eventually } from '#eventually';
import { aWish, holdOf, holdsIn, keyOf, openSale, releaseOf, type Sale, storeWith } from '#sales';
import { aTestFolder } from '#services';
import { RigDatabase } from './databases.ts';

/** Long enough to load a board and to reach the database on a machine that is full. */
const PATIENCE_MS = 1_500;
const START_MS = 120_000;

let database: RigDatabase;
let replication: FaultProxy;

beforeAll(async () => {
  database = await RigDatabase.start(await aTestFolder('durable-answers'), 'a secret of tests');
  replication = await database.follow(true);
}, START_MS);

afterAll(() => database.stop());

/** A store that takes what it finds for durable, or a cancelled wait for a commit. */
function believing(store: PostgresStore, off: Off): Store {
  return storeWith(store, {
    transact: async (event, ask, decide) => {
      let isBelieved = false;
      const transacted = await store.transact(event, ask, (opened, asked) => {
        const decision = decide(opened, asked);
        isBelieved = decision === 'commit' && off.has('durable answers');
        return isBelieved ? null : decision;
      });
      const { kind } = transacted;
      const isWarned = kind === 'unknown' && /not be on the standby/.test(String(transacted.error));
      const isTaken =
        (isBelieved && kind === 'nothing') || (isWarned && off.has('standby warning'));
      return isTaken ? { kind: 'committed' } : transacted;
    },
  });
}

/** A node that has just been started. */
function aNode(off: Off = new Set()): SeatRegistry {
  const store = believing(new PostgresStore(database.postgres), off);
  const tools = { clock: systemClock, random: systemRandom, telemetry: silentTelemetry };
  return new SeatRegistry({ ...tools, store, feed: { publish: () => {} } });
}

type Asked = Readonly<{
  name: string;
  command: Command;
  key?: string;
  /** Finds the row that says so. */
  row: string;
  values: readonly unknown[];
}>;

async function done(registry: SeatRegistry, sale: Sale, command: Command) {
  const answer = await registry.submit(sale, aWish(command));
  if (answer.kind !== 'done') throw new Error(answer.kind);
  return answer;
}

/** A hold in the checkout that is paid for, and whose it is. */
type Bought = Readonly<{ user: string; holdId: string }>;

/** An event with a hold that is to be released and a payment that was begun. */
async function aScene(): Promise<{ sale: Sale; asked: Asked[]; paid: Bought }> {
  const sale = await openSale(database, { seats: 8 });
  const [first = '', second = '', third = '', fourth = ''] = sale.buyers;
  const node = aNode();
  const [released] = holdsIn(await done(node, sale, holdOf(first, sale.seats.slice(0, 1))));
  const [bought] = holdsIn(await done(node, sale, holdOf(second, sale.seats.slice(1, 2))));
  const who = { user_id: second, role: 'customer', guest: false } as const;
  const cart = { hold_ids: null, cart_token: null, allow_orphan: false };
  const { outcome } = await done(node, sale, { kind: 'start_checkout', ...who, ...cart });
  if (outcome.kind !== 'checkout') throw new Error(outcome.kind);
  const { checkout_id } = outcome.checkout;
  const begin = { kind: 'begin_payment', user_id: second, checkout_id, provider: 'bank' } as const;
  const { outcome: begun } = await done(node, sale, begin);
  if (begun.kind !== 'payment_begun') throw new Error(begun.kind);
  const { attempt_id, amount_cents, currency } = begun;
  const money = { type: 'payment.succeeded', attempt_id, amount_cents, currency } as const;
  const hold_id = released?.hold_id ?? '';
  const held = 'select 1 from seat_holds where user_id = $1 and event_id = $2';
  const asked: Asked[] = [
    {
      name: 'a hold with its key',
      command: holdOf(third, [[sale.floor, 2]]),
      key: 'k',
      row: held,
      values: [third, sale.eventId],
    },
    {
      name: 'a hold without a key',
      command: holdOf(fourth, sale.seats.slice(2, 3)),
      row: held,
      values: [fourth, sale.eventId],
    },
    {
      name: 'a payment message',
      command: {
        ...{ kind: 'payment_message', checkout_id, provider: 'bank', message_id: checkout_id },
        ...money,
      },
      row: 'select 1 from tickets where checkout_id = $1',
      values: [checkout_id],
    },
    {
      name: 'a release',
      command: releaseOf({ hold_ids: [hold_id] }, { owner: first }),
      row: `select 1 from seat_holds where hold_id = $1 and status <> 'active'`,
      values: [hold_id],
    },
  ];
  return { sale, asked, paid: { user: second, holdId: bought?.hold_id ?? '' } };
}

/** All at once, so that one flush has them; what was acknowledged, by name. */
async function ask(registry: SeatRegistry, sale: Sale, asked: readonly Asked[]): Promise<string[]> {
  const deadline_ms = systemClock.monotonic() + PATIENCE_MS;
  const answers = await Promise.allSettled(
    asked.map(({ command, key }) => {
      const user = 'user_id' in command ? command.user_id : '';
      const own = key ? { key: keyOf(user, key) } : {};
      return registry.submit(sale, aWish(command, { deadline_ms, ...own }));
    }),
  );
  const isYes = (answer: Answer) => answer.kind === 'done' && answer.outcome.kind !== 'refused';
  return asked.flatMap(({ name }, index) => {
    const answer = answers[index];
    return answer?.status === 'fulfilled' && isYes(answer.value) ? [name] : [];
  });
}

async function notOnStandby(acked: readonly string[], asked: readonly Asked[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name, row, values } of asked) {
    if (!acked.includes(name)) continue;
    const rows = await database.onStandby(row, [...values]);
    if (rows.length === 0) found.push(`${name}: acknowledged, and not on the standby`);
  }
  return found;
}

const isWaiting = async () => {
  const text = `select 1 from pg_stat_activity where wait_event = 'SyncRep'`;
  return (await database.asSuperuser(text)).length > 0;
};

/** As an operator who ends every commit that waits for the standby, until `work` is over. */
async function whileEnding<Result>(
  how: 'terminate' | 'cancel',
  work: () => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const end = `select pg_${how}_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
  const ending = (async () => {
    while (!isOver) await database.asSuperuser(end);
  })();
  try {
    return await work();
  } finally {
    isOver = true;
    await ending;
  }
}

async function cutOff<Result>(work: () => Promise<Result>): Promise<Result> {
  replication.setToxic({ kind: 'blackhole' });
  try {
    return await work();
  } finally {
    replication.setToxic(null);
    replication.cutAll();
    await eventually(
      async () => {
        const text = 'select sync_state, state from pg_stat_replication';
        const [row] = await database.asSuperuser(text);
        return row?.sync_state === 'sync' && row?.state === 'streaming';
      },
      { within_ms: 30_000 },
    );
  }
}

/** Asked while the standby is cut off, and asked again at a node that has just been started. */
function askedTwice(how: 'terminate' | 'cancel') {
  return async (off: Off): Promise<string[]> => {
    const { sale, asked } = await aScene();
    return cutOff(async () => {
      const acked = await whileEnding(how, async () => [
        ...(await ask(aNode(off), sale, asked)),
        ...(await ask(aNode(off), sale, asked)),
      ]);
      return notOnStandby(acked, asked);
    });
  };
}

describe('a commit that does not wait for its standby any more', () => {
  control('durable answers', askedTwice('terminate'));
  control('standby warning', askedTwice('cancel'));
});

describe('a synchronous standby that is cut off', () => {
  it('keeps a repeated change of the organization waiting', async () => {
    const { scope } = await openSale(database, { seats: 2 });
    const engine = anEngine(database.postgres);
    const key = { userId: scope.organizationId, route: 'venues', key: 'k' };
    const idempotency = { ...key, bodyHash: Buffer.alloc(32) };
    const caller = aCaller({ scope, idempotency });
    const where = { timezone: 'Africa/Johannesburg', address: null, maxCapacity: null };
    const create = () => createVenue(engine, caller, { slug: 'hall', name: 'Hall', ...where });
    expect(await create()).toMatchObject({ kind: 'done', replayed: false });
    await cutOff(async () => {
      const repeat = whileEnding('terminate', create);
      await expect(repeat).rejects.toMatchObject({ code: 'outcome_unknown' });
    });
    expect(await create()).toMatchObject({ kind: 'done', replayed: true });
  });

  // The second writer takes what it finds for durable: then the read behind it has to wait.
  it.each([[new Set()], [new Set(['durable answers'])]] as Off[][])(
    'keeps a buyer who releases what is paid waiting for "paid" (%o)',
    async (off = new Set()) => {
      const { sale, asked, paid } = await aScene();
      const message = asked.filter(({ name }) => name === 'a payment message');
      const actor = { kind: 'user', id: paid.user, role: 'customer' } as const;
      const caller = aCaller({ scope: sale.scope, actor, role: 'customer' });
      // A node without the board.
      const release = () => {
        const store = believing(new PostgresStore(database.postgres), off);
        const engine = anEngine(database.postgres, silentTelemetry, { store });
        const deadline_ms = systemClock.monotonic() + PATIENCE_MS;
        return releaseHold(engine, { ...caller, deadline_ms }, paid.holdId);
      };
      await cutOff(async () => {
        expect(await whileEnding('terminate', () => ask(aNode(), sale, message))).toEqual([]);
        expect(await notOnStandby(['a payment message'], message)).toHaveLength(1);
        const told = whileEnding('terminate', release);
        await expect(told).rejects.toMatchObject({ name: 'OperatingError' });
      });
      expect(await release()).toEqual({ kind: 'ticket_already_paid' });
    },
  );

  it('loses nothing acknowledged when the primary has crashed and it takes over', async () => {
    const { sale, asked } = await aScene();
    replication.setToxic({ kind: 'blackhole' });
    const first = ask(aNode(), sale, asked);
    await eventually(isWaiting);
    await database.kill();
    expect(await first).toEqual([]);
    // Without the guard all of it would be acknowledged now, and none of it is on the standby.
    const names = asked.map(({ name }) => name);
    const credulous = aNode(new Set(['durable answers']));
    const acked = await whileEnding('terminate', () => ask(credulous, sale, asked));
    expect(acked).toEqual(names);
    expect(await notOnStandby(names, asked)).toHaveLength(asked.length);
    // With it nobody is answered before the standby has it.
    expect(await ask(aNode(), sale, asked)).toEqual([]);
    await database.failOver();
    expect(await ask(aNode(), sale, asked)).toEqual(names);
    const rows = asked.map(({ row, values }) => database.asSuperuser(row, [...values]));
    expect((await Promise.all(rows)).map(({ length }) => length > 0)).not.toContain(false);
  });
});

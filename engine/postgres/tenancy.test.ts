import {
  aCaller,
  aHall,
  aHold,
  anEngine,
  anOrganization,
  aPublishedEvent,
  aSoldSeat,
  aUser,
  newId,
} from '@voelgoed/testkit/builders';
import { control } from '@voelgoed/testkit/controls';
import { useDatabase } from '@voelgoed/testkit/database';
import { testServices } from '@voelgoed/testkit/services';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '#scope';
import {
  addMember,
  changeSeatingPolicy,
  createApiKey,
  createWebhook,
  registerIssuer,
  scanTicket,
} from '#workflows';
import { requireSigned } from './roles.ts';

/**
 * Hostile SQL as the app role, on every tenant table that the catalogue knows. A new table is tried
 * without anybody having to think of it; it only needs rows of two organizations, made below.
 */
const database = useDatabase();
let mine: Scope;
let other: Scope;
let tables: string[];

async function furnishLayouts(scope: Scope): Promise<void> {
  const engine = anEngine(database.postgres);
  await changeSeatingPolicy(engine, aCaller({ scope }), { max_seats_per_booking: 5 }, 'owner');
  const groups = [{ group_type: 'family_block', seat_labels: ['A-1', 'A-2'] }];
  const { eventId } = await aPublishedEvent(engine, scope, { config: { ...aHall(), groups } });
  await furnishBoard(scope, eventId);
}

async function furnishBoard(scope: Scope, eventId: string): Promise<void> {
  const { registry, clock } = anEngine(database.postgres);
  const event = { scope, eventId };
  const plan = (await registry.board(event))?.plan;
  // Both of a family block, which is not sold in part.
  const seats = [0, 1].map((ordinal) => ({ seat_id: plan?.seatIdOf(ordinal) ?? '' }));
  const user = await aUser(database.postgres, scope);
  const answer = await registry.submit(event, {
    command: aHold(user, seats),
    actor: { kind: 'user', id: user, role: 'customer' },
    context: null,
    key: null,
    deadline_ms: clock.monotonic() + 3_000,
  });
  expect(answer).toMatchObject({ outcome: { kind: 'held' } });
  await furnishSales(scope, eventId);
  const refused = `insert into refusal_log (organization_id, refusal_id, event_id, at, action, code)
     values ($1, gen_random_uuid(), $2, now(), 'seat_reserve_failed', 'seat_not_found')`;
  await database.asSuperuser(refused, [scope.organizationId, eventId]);
  const listed = `insert into zone_whitelist (organization_id, event_id, zone_id, user_id)
     select $1, $2, gen_random_uuid(), $3`;
  await database.asSuperuser(listed, [scope.organizationId, eventId, user]);
  await database.asSuperuser(
    `insert into hold_people (organization_id, event_id, hold_id, user_id)
     values ($1, $2, gen_random_uuid(), gen_random_uuid())`,
    [scope.organizationId, eventId],
  );
  await database.asSuperuser(
    `insert into occupancy_snapshots (organization_id, event_id, snapshot_at, revision,
       available_count, held_count, sold_count, blocked_count, live_attendees, occupancy_percent)
     values ($1, $2, date_trunc('minute', now()), 1, 1, 0, 0, 0, 0, 0)`,
    [scope.organizationId, eventId],
  );
  await database.asSuperuser(
    `insert into page_views (organization_id, event_id, at, views)
     values ($1, $2, date_trunc('minute', now()), 1)`,
    [scope.organizationId, eventId],
  );
  await database.asSuperuser(
    `insert into board_tasks (organization_id, event_id, tasks) values ($1, $2, '[]')`,
    [scope.organizationId, eventId],
  );
}

/** A seat that was sold at the door, a scan of its ticket, and rows of payments and refunds. */
async function furnishSales(scope: Scope, eventId: string): Promise<void> {
  const engine = anEngine(database.postgres);
  const { organizationId } = scope;
  const sold = await aSoldSeat(engine, scope, eventId);
  const caller = aCaller({ scope });
  const scan = { text: sold.code, qr: null, day: null, eventId: null };
  await scanTicket(engine, caller, { ...scan, direction: 'in' });
  await database.asSuperuser(
    `with attempt as (
       insert into payment_attempts (organization_id, attempt_id, event_id, checkout_id, place,
         provider, amount_cents, status, created_at, deadline_at)
       values ($1, gen_random_uuid(), $2, $3, 0, 'demo', 1, 'pending', now(), now())
       returning attempt_id
     ), owed as (
       insert into refunds_due (organization_id, refund_id, event_id, checkout_id, ticket_id,
         amount_cents, currency, reason, created_at)
       values ($1, gen_random_uuid(), $2, $3, $4, 1, 'ZAR', 'ticket_refunded', now())
     ), days as (
       insert into ticket_days (organization_id, ticket_id, day, event_id, zone_id)
       values ($1, $4, '2099-06-01', $2, gen_random_uuid())
     )
     insert into zone_days (organization_id, event_id, zone_id, day)
     values ($1, $2, gen_random_uuid(), '2099-06-01')`,
    [organizationId, eventId, sold.checkout_id, sold.ticket_id],
  );
  await database.asSuperuser(
    `insert into payment_messages (organization_id, provider, message_id, event_id, attempt_id,
       type, amount_cents, currency, outcome, at)
     select $1, 'demo', gen_random_uuid()::text, $2, attempt_id, 'payment.failed', 1, 'ZAR',
       'declined', now() from payment_attempts where organization_id = $1`,
    [organizationId, eventId],
  );
}

/** An endpoint, made after an event so that it has a place in its log, and a delivery. */
async function furnishWebhooks(scope: Scope): Promise<void> {
  const fields = { url: 'https://x.example', description: null, kinds: [], event_ids: [] };
  await createWebhook(anEngine(database.postgres), aCaller({ scope }), fields);
  await database.asSuperuser(
    `insert into webhook_deliveries (organization_id, delivery_id, webhook_id, sequence, kind,
       payload, happened_at, created_at)
     select organization_id, gen_random_uuid(), webhook_id, 1, 'test', '{}', now(), now()
     from webhooks where organization_id = $1`,
    [scope.organizationId],
  );
}

async function furnish(scope: Scope): Promise<void> {
  const engine = anEngine(database.postgres);
  const idempotency = {
    userId: newId(),
    route: 'POST /test',
    key: 'key',
    bodyHash: Buffer.alloc(32),
  };
  const caller = aCaller({ scope, idempotency });
  const person = { email: null, name: null, tier: null, validUntil: null };
  await addMember(engine, caller, { subject: 'a', role: 'staff', ...person });
  const later = aCaller({ scope });
  await createApiKey(engine, later, { name: 'k', scopes: ['buy'], expiresInDays: null });
  await registerIssuer(engine, later, {
    issuer: 'https://x.example',
    jwksUri: 'https://x.example/keys',
    audience: 'x',
    algorithms: ['RS256'],
  });
}

beforeAll(async () => {
  mine = await anOrganization(database.postgres);
  other = await anOrganization(database.postgres);
  for (const scope of [mine, other]) {
    await furnish(scope);
    await furnishLayouts(scope);
    await furnishWebhooks(scope);
  }
  const rows = await database.asOwner(`
    select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
    where n.nspname = 'public' and c.relkind in ('r', 'p') order by 1`);
  tables = rows.map(({ name }) => String(name));
});

/** A refusal is an error of its own here: the product would try a wrong signature again. */
const asApp = (scope: Scope | null, text: string, ...values: unknown[]) =>
  database.postgres.transaction(scope, { name: 'hostile' }, (one) =>
    one
      .query<Record<string, unknown>>({ name: '', text, values, long: false })
      .catch((error: Error) => Promise.reject(new Error(error.message))),
  );

const count = (scope: Scope | null, table: string, where = 'true', ...values: unknown[]) =>
  asApp(scope, `select count(*)::int as rows from ${table} where ${where}`, ...values);

/** A statement as a role sends it, rolled back if it is not refused. */
const asRole = (pool: 'reads' | 'jobs' | 'writers', text: string) =>
  database.postgres[pool].use(async (connection) => {
    await connection.begin(mine.organizationId);
    await connection.query({ name: '', text, values: [], long: false });
    await connection.query({ name: '', text: 'rollback', values: [], long: false });
  });

/** The key of a table, and whose and of which event a row is. */
async function fixedColumns(table: string): Promise<string[]> {
  const rows = await database.asOwner(`
    select a.attname::text as name from pg_attribute a
    where a.attrelid = '${table}'::regclass and a.attnum > 0 and not a.attisdropped
      and (a.attname in ('organization_id', 'event_id', 'user_id', 'created_at')
        or exists (select from pg_constraint k where k.conrelid = a.attrelid and k.contype = 'p'
          and a.attnum = any (k.conkey)))`);
  // What an idempotency key was given for may be asked again after a day: its row is used again.
  return rows
    .map(({ name }) => String(name))
    .filter((name) => table !== 'idempotency_keys' || name !== 'created_at');
}

/** What may change although its name says where something is: each is a command of somebody's. */
const CHANGEABLE = [
  'app event_layouts.layout_id',
  'app events.venue_id',
  'app idempotency_keys.created_at',
  'app seat_holds.seat_id',
  'app ticket_days.zone_id',
  'app tickets.seat_id',
  'app tickets.zone_id',
  'jobs event_layouts.layout_id',
  'jobs events.venue_id',
  'jobs idempotency_keys.created_at',
  'jobs seat_holds.seat_id',
  'jobs seat_holds.zone_id',
  'jobs ticket_days.zone_id',
  'jobs tickets.seat_id',
  'jobs tickets.zone_id',
  'writer events.venue_id',
  'writer idempotency_keys.created_at',
  'writer tickets.seat_id',
  'writer tickets.zone_id',
];

describe('tenants', () => {
  it('have rows in every table, so that what follows can fail', async () => {
    for (const table of tables) {
      const seen = await database.asSuperuser(
        `select count(distinct organization_id)::int as tenants from ${table}
         where organization_id = any ($1)`,
        [[mine.organizationId, other.organizationId]],
      );
      expect([table, seen]).toEqual([table, [{ tenants: 2 }]]);
    }
  });

  it('see their own rows and nobody else’s', async () => {
    for (const table of tables) {
      const [own] = await count(mine, table);
      expect([table, Number(own?.rows) > 0]).toEqual([table, true]);
      const foreign = await count(mine, table, 'organization_id <> $1', mine.organizationId);
      expect([table, foreign]).toEqual([table, [{ rows: 0 }]]);
    }
  });

  it('see nothing when no organization is set', async () => {
    for (const table of tables) {
      expect([table, await count(null, table)]).toEqual([table, [{ rows: 0 }]]);
    }
  });

  it('change and delete nothing of others', async () => {
    const where = `where organization_id = '${other.organizationId}'`;
    for (const table of tables) {
      for (const text of [
        `update ${table} set organization_id = organization_id ${where} returning 1`,
        `delete from ${table} ${where} returning 1`,
      ]) {
        const rows = await asApp(mine, text).catch((error: Error) => error.message);
        const refused = Array.isArray(rows) ? rows.length === 0 : /permission denied/.test(rows);
        expect([text, refused]).toEqual([text, true]);
      }
    }
  });

  it('cannot write a row for another, nor give one of theirs away', async () => {
    const attempts = [
      `insert into users (organization_id, user_id)
       values ('${other.organizationId}', '${newId()}')`,
      `update users set organization_id = '${other.organizationId}'`,
      `insert into audit_context (organization_id, context_id)
       values ('${other.organizationId}', '${newId()}')`,
    ];
    for (const text of attempts) {
      await expect(asApp(mine, text), text).rejects.toThrow(/row-level security|permission denied/);
    }
  });

  it('refer to nothing outside themselves: every reference carries the organization', async () => {
    const loose = await database.asOwner(`
      select k.conrelid::regclass::text as table_name, k.conname::text as name
      from pg_constraint k join pg_namespace n on n.oid = k.connamespace
      where k.contype = 'f' and n.nspname = 'public' and not exists (
        select from unnest(k.conkey, k.confkey) as pair (mine, theirs)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = pair.mine
        join pg_attribute b on b.attrelid = k.confrelid and b.attnum = pair.theirs
        where a.attname = 'organization_id' and b.attname = 'organization_id')`);
    expect(loose).toEqual([]);
  });

  it('cannot leave their organization by setting another one, in any table', async () => {
    for (const table of tables) {
      const text = `with chosen as materialized (
          select set_config('voelgoed.organization_id', $1, true) as id)
        select t.organization_id from chosen, ${table} t where chosen.id is not null`;
      for (const value of ['nonsense', other.organizationId]) {
        await expect(asApp(mine, text, value), table).rejects.toThrow('is not signed for this');
      }
      expect([table, await asApp(mine, text, '')]).toEqual([table, []]);
    }
  });

  it('have no role that changes which row it is, whose, of what, or since when', async () => {
    const open = await database.asOwner(`
      select format('%s %s.%s', r.role, c.relname, a.attname) as right
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      cross join unnest(array['app', 'jobs', 'writer']) as r (role)
      where c.relname = any ('{${tables.join(',')}}') and not a.attisdropped
        and (a.attname ~ '^(?:organization|event|user|seat|zone|hold|layout|venue)_id$'
          or a.attname in ('created_at', 'made_by', 'cart_token', 'ordinal', 'source')
          or exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p'
            and a.attnum = any (k.conkey)))
        and has_column_privilege('voelgoed_' || r.role, c.oid, a.attnum, 'update')
      order by 1`);
    expect(open.map(({ right }) => right)).toEqual(CHANGEABLE);
    const whole = await database.asOwner(`
      select format('%s %s', r.role, c.relname) as right from pg_class c
      cross join unnest(array['app', 'jobs', 'writer']) as r (role)
      where c.relname = any ('{${tables.join(',')}}')
        and has_table_privilege('voelgoed_' || r.role, c.oid, 'update')`);
    // Of a table of one column a right to all of it would be one to its key.
    expect(whole).toEqual([]);
  });

  it.each(['reads', 'jobs', 'writers'] as const)(
    'give no row to another key, user or event, as the role of %s',
    async (pool) => {
      for (const table of tables) {
        for (const column of await fixedColumns(table)) {
          const text = `update ${table} set ${column} = ${column} where false`;
          await expect(asRole(pool, text), text).rejects.toThrow('permission denied');
        }
      }
    },
  );

  it('move no hold and no ticket by a request: jobs and flushes do', async () => {
    for (const table of ['seat_holds', 'tickets']) {
      for (const column of ['seat_id', 'zone_id']) {
        const random = `${column} = gen_random_uuid()`;
        const text = `update ${table} set ${random} where ${column} is not null`;
        const refused = /permission denied|requests do not move holds and tickets/;
        await expect(asRole('reads', text), text).rejects.toThrow(refused);
        await asRole('jobs', `update ${table} set ${column} = ${column}`);
      }
    }
    const moved = 'update seat_holds set seat_id = gen_random_uuid() where seat_id is not null';
    await expect(asRole('writers', moved)).rejects.toThrow('permission denied');
  });

  it('may move them by a request while nodes of 0.1.0 may be there', async () => {
    const { authSecret } = testServices();
    const move = 'update seat_holds set seat_id = seat_id';
    await requireSigned(database.ownerUrl, authSecret, false);
    await asRole('reads', move);
    await requireSigned(database.ownerUrl, authSecret, true);
    await expect(asRole('reads', move)).rejects.toThrow('requests do not move holds and tickets');
  });

  control('row level security', async (off) => {
    const seen: string[] = [];
    const turn = (how: 'enable' | 'disable') =>
      database.asSuperuser(
        tables.map((table) => `alter table ${table} ${how} row level security`).join(';\n'),
      );
    if (off.has('row level security')) await turn('disable');
    for (const table of tables) {
      const [foreign] = await count(mine, table, 'organization_id <> $1', mine.organizationId);
      if (Number(foreign?.rows) > 0) seen.push(`${table} has rows of another organization`);
    }
    await turn('enable');
    // Without it, no table keeps anything to itself: a table that is not seen had no other guard.
    expect(seen.length).toBe(off.size === 0 ? 0 : tables.length);
    return seen;
  });
});

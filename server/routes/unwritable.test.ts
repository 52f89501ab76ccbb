import { eventually } from '@voelgoed/testkit/eventually';
import { useShows } from '@voelgoed/testkit/shows';
import { afterEach, describe, expect, it } from 'vitest';

const { ask, buyer, database, node, show } = useShows();

/** Every write to a table is refused with this state, as a server does that cannot write. */
async function refuseWrites(table: string, state: string): Promise<void> {
  await database.asSuperuser(`
    create or replace function planted_refusal() returns trigger language plpgsql as $$
    begin raise exception using errcode = '${state}', message = 'planted'; end $$;
    create or replace trigger planted before insert or update on ${table}
      execute function planted_refusal()`);
}

const ROLES = ['voelgoed_app', 'voelgoed_writer'];
const UNAVAILABLE = { status: 503, body: { error: 'unavailable' } };

/** As a switchover does: connections end, and new ones meet a server that refuses writes. */
async function setReadOnly(...roles: string[]): Promise<void> {
  for (const role of roles) {
    await database.asSuperuser(`alter role ${role} in database ${database.name}
      set default_transaction_read_only = on`);
  }
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = any ($1)`;
  await database.asSuperuser(end, [roles]);
}

async function setWritable(): Promise<void> {
  for (const role of ROLES) {
    await database.asSuperuser(`alter role ${role} in database ${database.name} reset all`);
  }
}

afterEach(async () => {
  await setWritable();
  await database.asSuperuser('drop function if exists planted_refusal cascade');
});

const ready = async () => {
  const reply = await fetch(`${node().address}/health/ready`);
  const body = (await reply.json()) as { details?: { parts: Record<string, string> } };
  return { status: reply.status, postgres: body.details?.parts.postgres ?? 'ok' };
};

describe('Postgres that cannot write', () => {
  it.each(['53100', '53200', '53300', '57P01', '57P03', '58030', 'XX000', 'F0001', 'ZZ123'])(
    '%s is 503 unavailable with Retry-After, for a hold and for a setting',
    async (state) => {
      const { eventId, seats } = await show();
      await refuseWrites('seat_changes', state);
      await refuseWrites('seating_policies', state);
      const replies = [
        await buyer().reserve(eventId, seats[0] ?? ''),
        await ask('PUT /api/admin/policy', { body: { hold_rate_seats: null } }),
      ];
      for (const reply of replies) {
        expect([reply.status, reply.body.error]).toEqual([503, 'unavailable']);
        expect(reply.headers.get('retry-after')).toBe('1');
      }
      await database.asSuperuser('drop function planted_refusal cascade');
      // Nothing of it is left: the seat is free and is sold.
      await eventually(async () => (await buyer().reserve(eventId, seats[0] ?? '')).status === 201);
    },
  );

  it('makes the node not ready when a sale finds out, and ready again by a write', async () => {
    const { eventId, seats } = await show();
    await eventually(async () => (await ready()).status === 200);
    await refuseWrites('seat_changes', '53100');
    // The probe of the next second writes elsewhere and succeeds, so both are asked in turn.
    const isFull = async () => {
      await buyer().reserve(eventId, seats[0] ?? '');
      const { status, postgres } = await ready();
      return status === 503 && postgres === 'cannot write: its disk is full';
    };
    await eventually(isFull);
    await database.asSuperuser('drop function planted_refusal cascade');
    await eventually(async () => (await ready()).status === 200, { within_ms: 10_000 });
  });

  it('is not ready while it is read-only, says so, and sells again after', async () => {
    const { eventId, seats } = await show();
    const known = buyer();
    expect((await known.reserve(eventId, seats[0] ?? '')).status).toBe(201);
    await setReadOnly('voelgoed_app', 'voelgoed_writer');
    await eventually(async () => (await ready()).postgres.startsWith('is read-only'), {
      within_ms: 10_000,
    });
    expect((await ready()).status).toBe(503);
    expect(await known.reserve(eventId, seats[1] ?? '')).toMatchObject(UNAVAILABLE);
    await setWritable();
    await eventually(async () => (await buyer().reserve(eventId, seats[1] ?? '')).status === 201);
    await eventually(async () => (await ready()).status === 200, { within_ms: 10_000 });
  });

  it('refuses holds with 503 while only writers meet a read-only server', async () => {
    const { eventId, seats } = await show();
    const known = buyer();
    expect((await known.reserve(eventId, seats[0] ?? '')).status).toBe(201);
    await setReadOnly('voelgoed_writer');
    expect(await known.reserve(eventId, seats[1] ?? '')).toMatchObject(UNAVAILABLE);
    await setWritable();
    await eventually(async () => (await known.reserve(eventId, seats[1] ?? '')).status === 201);
  });
});

import { anEngine, anOrganization, aPublishedEvent, newId } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { describe, expect, it } from 'vitest';
import type { Store, Transacted } from './ports.ts';
import { PostgresStore } from './registry.ts';

const database = useDatabase();

/** A store whose next answers are replaced after the work is done, or before it is begun. */
function aStoreThat(...says: ('loses the answer' | 'is locked' | 'works')[]): Store {
  const store = new PostgresStore(database.postgres);
  return {
    load: (event) => store.load(event),
    rowsFrom: (event, revision, most) => store.rowsFrom(event, revision, most),
    heads: (events) => store.heads(events),
    saveSnapshot: (event, board) => store.saveSnapshot(event, board),
    clock: () => store.clock(),
    setDrift: (wanted) => store.setDrift(wanted),
    transact: async (event, ask, decide): Promise<Transacted> => {
      const next = says.shift() ?? 'works';
      const error = new Error(next);
      if (next === 'is locked') return { kind: 'failed', trouble: 'conflict', error };
      const transacted = await store.transact(event, ask, decide);
      return next === 'works' ? transacted : { kind: 'unknown', error };
    },
  };
}

async function holdWith(store: Store) {
  const { postgres } = database;
  const scope = await anOrganization(postgres);
  const engine = anEngine(postgres, undefined, { store });
  const { eventId } = await aPublishedEvent(anEngine(postgres), scope);
  const user = newId();
  await database.asSuperuser('insert into users (organization_id, user_id) values ($1, $2)', [
    scope.organizationId,
    user,
  ]);
  const [seat] = await database.asSuperuser(
    'select seat_id from event_seats where event_id = $1 and ordinal = 0',
    [eventId],
  );
  const held = engine.registry.submit(
    { scope, eventId },
    {
      command: {
        kind: 'hold',
        user_id: user,
        items: [{ seat_id: String(seat?.seat_id) }],
        cart_token: null,
        source: 'web',
        ip: null,
        role: 'customer',
        guest: false,
        made_by: null,
        hold_seconds: null,
        notes: null,
      },
      actor: { kind: 'user', id: user, role: 'customer' },
      context: null,
      key: null,
      deadline_ms: engine.clock.monotonic() + 3_000,
    },
  );
  const count = async () => {
    const [row] = await database.asSuperuser(
      'select count(*)::int as holds from seat_holds where event_id = $1',
      [eventId],
    );
    return row?.holds;
  };
  return { held, count };
}

describe('a commit whose answer was lost', () => {
  it('is answered from the log', async () => {
    const { held, count } = await holdWith(aStoreThat('loses the answer'));
    expect(await held).toMatchObject({ kind: 'done', outcome: { kind: 'held' } });
    expect(await count()).toBe(1);
  });

  it('stays unknown while the event is locked, and is never called a failure', async () => {
    const locked = Array.from({ length: 4 }, () => 'is locked' as const);
    const { held, count } = await holdWith(aStoreThat('loses the answer', ...locked));
    await expect(held).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(await count()).toBe(1);
  });
});

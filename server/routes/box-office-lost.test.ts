import { OperatingError } from '@voelgoed/engine/kit';
import type { Postgres } from '@voelgoed/engine/postgres';
import { type Engine, endTicket, sellAtDoor } from '@voelgoed/engine/workflows';
import { aCaller } from '@voelgoed/testkit/builders';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { buyer, database, engine, scope, show } = useShows();

/** A node that loses Postgres before it can do this, and after it has done everything else. */
function withoutReading(whole: Engine, name: string, from = 1): Engine {
  let count = 0;
  const lost = (asked: string) => {
    if (asked !== name || ++count < from) return;
    throw new OperatingError('unavailable', 'the connection was lost', { retryable: true });
  };
  const transaction: Postgres['transaction'] = async (where, options, work) => {
    lost(options.name);
    return whole.postgres.transaction(where, options, work);
  };
  const ask: Postgres['ask'] = async (where, statement, options) => {
    lost(statement.name);
    return whole.postgres.ask(where, statement, options);
  };
  const postgres = new Proxy(whole.postgres, {
    get: (target, member) => {
      if (member === 'transaction') return transaction;
      return member === 'ask' ? ask : Reflect.get(target, member, target);
    },
  });
  return { ...whole, postgres };
}

describe('whoever sells when Postgres goes away', () => {
  it('never hears that nothing was changed once it is', async () => {
    const { eventId, seats } = await show();
    const held = await buyer().hold(eventId, [{ seat_id: seats[0] }]);
    const holdIds = (held.data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);
    const caller = aCaller({ scope: scope() });
    const sale = { holdIds, method: 'cash', forHolder: true } as const;
    const lost = withoutReading(engine(), 'tickets.of_checkout');
    await expect(sellAtDoor(lost, caller, eventId, sale)).rejects.toMatchObject({
      code: 'outcome_unknown',
    });
    const [ticket] = await database.asSuperuser(TICKETS, [eventId]);
    expect(ticket?.status).toBe('active');
    const end = { status: 'voided', block: false, reason: 'test' } as const;
    const ending = withoutReading(engine(), 'tickets.find', 2);
    await expect(endTicket(ending, caller, String(ticket?.ticket_id), end)).rejects.toMatchObject({
      code: 'outcome_unknown',
    });
    expect((await database.asSuperuser(TICKETS, [eventId]))[0]?.status).toBe('voided');
  });
});

const TICKETS = 'select ticket_id, status from tickets where event_id = $1';

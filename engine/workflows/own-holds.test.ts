import {
  aCaller,
  anEngine,
  anOrganization,
  aPublishedEvent,
  done,
  newId,
} from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { describe, expect, it } from 'vitest';
import { scopesOf } from '#accounts';
import type { Statement } from '#postgres';
import type { Scope } from '#scope';
import {
  type Caller,
  type Engine,
  extendHold,
  holdSeats,
  releaseHold,
  sellAtDoor,
} from './workflows.ts';

const database = useDatabase();

/** Hears of nobody else's commits; with the names of what it asks for besides flushes. */
function aDeafEngine(): { engine: Engine; asked: string[] } {
  const engine = anEngine(database.postgres);
  const asked: string[] = [];
  const postgres = Object.create(engine.postgres) as Engine['postgres'];
  postgres.transaction = engine.postgres.transaction.bind(engine.postgres);
  postgres.ask = (scope: Scope | null, statement: Statement<never>, ...more) => {
    asked.push(statement.name);
    return engine.postgres.ask(scope, statement, ...more);
  };
  return { engine: { ...engine, postgres }, asked };
}

function aBuyer(scope: Scope, differently: Partial<Caller> = {}): Caller {
  const actor = { kind: 'user', id: newId(), role: 'customer' } as const;
  return aCaller({ scope, actor, role: 'customer', scopes: scopesOf('customer'), ...differently });
}

async function aHeldSeat() {
  const { engine, asked } = aDeafEngine();
  const scope = await anOrganization(database.postgres);
  const { eventId } = await aPublishedEvent(anEngine(database.postgres), scope);
  const buyer = aBuyer(scope);
  await database.asSuperuser('insert into users (organization_id, user_id) values ($1, $2)', [
    scope.organizationId,
    buyer.actor.id,
  ]);
  const board = await engine.registry.board({ scope, eventId });
  const items = [{ seat_id: board?.plan.seatIdOf(0) ?? '' }];
  const held = await holdSeats(engine, buyer, eventId, { items, cart_token: null, source: 'web' });
  const holdId = held.kind === 'held' ? (held.holds[0]?.hold.hold_id ?? '') : '';
  asked.length = 0;
  return { engine, asked, scope, eventId, buyer, holdId };
}

describe('an own hold', () => {
  it('that is in memory is not looked for in the database', async () => {
    const { engine, asked, buyer, holdId } = await aHeldSeat();
    expect((await extendHold(engine, buyer, holdId)).kind).toBe('extended');
    expect(await releaseHold(engine, buyer, holdId)).toMatchObject({ kind: 'released', seats: 1 });
    expect(asked).not.toContain('holds.find');
    // It is over now, and may be found in the database alone.
    expect(await releaseHold(engine, buyer, holdId)).toMatchObject({ kind: 'released', seats: 0 });
    expect(asked).toContain('holds.find');
  });

  it('is found by a node that has not seen its event', async () => {
    const { buyer, holdId } = await aHeldSeat();
    const { engine, asked } = aDeafEngine();
    expect((await releaseHold(engine, buyer, holdId)).kind).toBe('released');
    expect(asked).toContain('holds.find');
  });

  it('is paid for when another node has sold it, whatever memory says', async () => {
    const { engine, scope, eventId, buyer, holdId } = await aHeldSeat();
    const sale = { holdIds: [holdId], method: 'cash', forHolder: true } as const;
    done(await sellAtDoor(anEngine(database.postgres), aCaller({ scope }), eventId, sale));
    expect(engine.registry.loadedHold(scope, holdId)).not.toBeNull();
    expect(await releaseHold(engine, buyer, holdId)).toEqual({ kind: 'ticket_already_paid' });
  });

  it('is nobody else’s, neither another user’s nor another organization’s', async () => {
    const { engine, scope, holdId, buyer } = await aHeldSeat();
    const missing = { kind: 'hold_not_found' };
    expect(await releaseHold(engine, aBuyer(scope), holdId)).toEqual(missing);
    const elsewhere = await anOrganization(database.postgres);
    expect(engine.registry.loadedHold(elsewhere, holdId)).toBeNull();
    const samePerson = aBuyer(elsewhere, { actor: buyer.actor });
    expect(await extendHold(engine, samePerson, holdId)).toEqual(missing);
    // A guest's session is good for its own event alone.
    expect(await extendHold(engine, { ...buyer, guestOf: newId() }, holdId)).toEqual(missing);
    expect((await extendHold(engine, buyer, holdId)).kind).toBe('extended');
  });
});

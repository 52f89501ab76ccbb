import { anEngine, anOrganization, aPublishedEvent, newId } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { describe, expect, it } from 'vitest';
import { type Entered, StreamHub } from './hub.ts';

const database = useDatabase();
const LIMITS = { perAddress: 3, perUser: 2, perEvent: 5 };

async function aHub() {
  const scope = await anOrganization(database.postgres);
  const engine = anEngine(database.postgres);
  const hub = new StreamHub(engine, LIMITS);
  const enter = (more: { address?: string; userId?: string | null; eventId?: string } = {}) => {
    const { address = newId(), userId = null, eventId = 'event' } = more;
    return hub.enter({ event: { scope, eventId }, address, userId, isStaff: false });
  };
  return { hub, engine, scope, enter };
}

const kinds = (entered: readonly Entered[]) => entered.map(({ kind }) => kind);
const leave = (entered: Entered | undefined) =>
  entered?.kind === 'entered' && entered.ticket.leave();

describe('places', () => {
  it('of an event are limited, and each is free again when it is left', async () => {
    const { enter } = await aHub();
    const first = Array.from({ length: 5 }, () => enter());
    expect(new Set(kinds(first))).toEqual(new Set(['entered']));
    expect(enter().kind).toBe('full');
    expect(enter({ eventId: 'another' }).kind).toBe('entered');
    // Leaving twice frees one place.
    leave(first[0]);
    leave(first[0]);
    expect(kinds([enter(), enter()])).toEqual(['entered', 'full']);
  });

  it('of an address are limited, where an IPv6 network counts as one', async () => {
    const { enter } = await aHub();
    const from = (address: string) => enter({ address, eventId: newId() }).kind;
    const four = Array.from({ length: 4 }, () => from('192.0.2.1'));
    expect(four).toEqual(['entered', 'entered', 'entered', 'too_many']);
    expect(from('192.0.2.2')).toBe('entered');
    const six = ['1', '2', '3', '4'].map((last) => from(`2001:db8:0:1::${last}`));
    expect(six).toEqual(['entered', 'entered', 'entered', 'too_many']);
    expect(from('2001:db8:0:2::1')).toBe('too_many');
    // More homes of the same network: as many as four homes may have in all.
    const homes = Array.from({ length: 12 }, (_, home) => from(`2001:db8:0:${home + 1}00::1`));
    expect(homes.filter((kind) => kind === 'entered')).toHaveLength(9);
    expect(from('2001:db8:1:1::1')).toBe('entered');
  });

  it('of a user are limited, from wherever they come', async () => {
    const { enter } = await aHub();
    const three = Array.from({ length: 3 }, () => enter({ userId: 'ann', eventId: newId() }).kind);
    expect(three).toEqual(['entered', 'entered', 'too_many']);
    expect(enter({ userId: 'bob' }).kind).toBe('entered');
  });
});

const pipeTo = (ends: string[]) => ({
  writableLength: 0,
  write: () => true,
  end: (bytes?: Uint8Array) => ends.push(Buffer.from(bytes ?? []).toString()),
  destroy: () => {},
});

describe('a hub that is drained', () => {
  it('ends everybody with a time to come back, lets nobody in and lets the board go', async () => {
    const { hub, engine, scope, enter } = await aHub();
    const { eventId } = await aPublishedEvent(engine, scope);
    const ends: string[] = [];
    const goes: (() => void)[] = [];
    for (let count = 0; count < 2; count++) {
      const entered = enter({ eventId });
      if (entered.kind !== 'entered') throw new Error('there is room');
      goes.push((await hub.listen(entered.ticket, pipeTo(ends), null)).go);
    }
    hub.drain();
    for (const end of ends) expect(end).toMatch(/^retry: \d{3,4}\n\n$/);
    expect(ends).toHaveLength(2);
    for (const go of goes) go();
    expect(hub.clients).toBe(0);
    expect(enter({ eventId }).kind).toBe('full');
    // Nothing lingers: a pin that was given back twice would be missing for somebody else.
    const pinned = engine.registry.pin({ scope, eventId });
    pinned();
    await engine.registry.stop();
  });

  it('ends also who had come in, but did not listen yet', async () => {
    const { hub, engine, scope, enter } = await aHub();
    const { eventId } = await aPublishedEvent(engine, scope);
    const entered = enter({ eventId });
    if (entered.kind !== 'entered') throw new Error('there is room');
    hub.drain();
    const ends: string[] = [];
    const { go } = await hub.listen(entered.ticket, pipeTo(ends), null);
    expect(ends).toEqual([expect.stringMatching(/^retry: \d{3,4}\n\n$/)]);
    go();
    expect(hub.clients).toBe(0);
    await engine.registry.stop();
  });
});

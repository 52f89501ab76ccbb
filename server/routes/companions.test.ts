import { anAccessibleHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, open, sellTo, show } = useShows();

const hall = (overrides: object = {}) => show({ config: anAccessibleHall(), overrides });
const statesOf = (packed: unknown) => {
  const bytes = Buffer.from(String(packed), 'base64');
  return Array.from({ length: 10 }, (_, seat) => ((bytes[seat >> 2] ?? 0) >> ((seat & 3) * 2)) & 3);
};

type Counts = { available: number; held: number; sold: number; blocked: number };
const counted = ({ available, held, sold, blocked }: Counts) => [available, held, sold, blocked];

/** What every reader says about the one zone: available, held, sold, blocked. */
async function counts(eventId: string) {
  const shown = (await open(`GET /api/events/${eventId}/availability`)).data;
  const event = (await open(`GET /api/events/${eventId}`)).data;
  const occupancy = (await open(`GET /api/events/${eventId}/occupancy`)).data;
  const board = (await ask(`GET /api/admin/events/${eventId}/board`)).data;
  return { shown, event, occupancy, board };
}

const offered = async (who: ReturnType<typeof buyer>, eventId: string) => {
  const { data } = await who.ask(`GET /api/events/${eventId}/holds`);
  return (data.companion_seats as { label: string }[]).map(({ label }) => label);
};

describe('companion seats whose wheelchair space nobody has', () => {
  it('are neither shown nor counted as available by any reader', async () => {
    const { eventId } = await hall();
    const said = await counts(eventId);
    const states = [0, 3, 0, 3, 0, 0, 0, 0, 0, 0];
    expect([statesOf(said.shown.seats), statesOf(said.board.seats)]).toEqual([states, states]);
    const first = (of: Record<string, unknown>) => (of.zones as Counts[])[0] as Counts;
    expect(first(said.shown)).toMatchObject({ available: 8, held: 0, sold: 0 });
    expect(counted(first(said.board))).toEqual([8, 0, 0, 2]);
    expect(counted(first(said.occupancy))).toEqual([8, 0, 0, 2]);
    expect(counted(said.occupancy as unknown as Counts)).toEqual([8, 0, 0, 2]);
    expect(first(said.event)).toMatchObject({ available: 8, held: 0, sold: 0 });
    expect(counted(said.event.occupancy as Counts)).toEqual([8, 0, 0, 2]);
  });

  it('are available to all where the rules are off, for every reader', async () => {
    const { eventId } = await hall({ seating_overrides: { enforce_accessibility_rules: false } });
    const { shown, event } = await counts(eventId);
    expect(statesOf(shown.seats)).toEqual(Array(10).fill(0));
    expect((event.occupancy as Counts).available).toBe(10);
  });
});

describe('the owner of a wheelchair space', () => {
  it('finds its companion seat and buys it, while the public reads that it is kept', async () => {
    const { eventId, seats } = await hall();
    const [ann, bob] = [buyer(), buyer()];
    await sellTo(ann, eventId, [{ seat_id: seats[0] }]);
    expect([await offered(ann, eventId), await offered(bob, eventId)]).toEqual([['A-2'], []]);
    const seat = `GET /api/events/${eventId}/seats/${seats[1]}`;
    expect((await ann.ask(seat)).data).toMatchObject({ status: 'available' });
    expect((await bob.ask(seat)).data).toMatchObject({ status: 'blocked' });
    expect((await open(seat)).data).toMatchObject({ status: 'blocked' });
    const refused = await bob.reserve(eventId, seats[1] ?? '');
    expect(refused.body).toMatchObject({ error: 'companion_reserved' });
    expect((await ann.reserve(eventId, seats[1] ?? '')).status).toBe(201);
    expect(await offered(ann, eventId)).toEqual([]);
    const begun = await ann.ask('POST /api/checkouts', { body: { event_id: eventId } });
    expect(begun.status).toBe(201);
  });

  it('has it offered while the space is in the cart, and no longer', async () => {
    const { eventId, seats } = await hall();
    const ann = buyer();
    await ann.reserve(eventId, seats[2] ?? '');
    expect(await offered(ann, eventId)).toEqual(['A-4']);
    await ann.ask(`DELETE /api/events/${eventId}/holds`);
    expect(await offered(ann, eventId)).toEqual([]);
  });

  it('buys it also when staff have blocked the space, and nobody else does', async () => {
    const { eventId, seats } = await hall();
    const [ann, bob] = [buyer(), buyer()];
    await sellTo(ann, eventId, [{ seat_id: seats[0] }]);
    const body = { seat_ids: [seats[0]], reason: 'a broken ramp' };
    await ask(`POST /api/admin/events/${eventId}/seats/block`, { body });
    expect([await offered(ann, eventId), await offered(bob, eventId)]).toEqual([['A-2'], []]);
    const refused = await bob.reserve(eventId, seats[1] ?? '');
    expect(refused.body).toMatchObject({ error: 'companion_reserved' });
    const [ticket] = await sellTo(ann, eventId, [{ seat_id: seats[1] }]);
    expect(ticket).toMatchObject({ seat: { seat_id: seats[1] } });
  });
});

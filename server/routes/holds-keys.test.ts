import { type CallOptions, call, type Reply } from '@voelgoed/testkit/servers';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, node, show } = useShows();

const answerOf = ({ status, body }: Reply) => [status, body.error ?? 'done'];
const withKey = (key: string, options: CallOptions = {}): CallOptions => ({
  ...options,
  headers: { ...options.headers, 'idempotency-key': key },
});
const isReplay = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true';
const revisionOf = async (eventId: string) => {
  const text = 'select revision from event_boards where event_id = $1';
  return (await database.asSuperuser(text, [eventId]))[0]?.revision;
};

describe('the same key', () => {
  it('holds places once, also at the same moment, also after they were released', async () => {
    const { eventId, zones } = await show({ config: aHybridHall() });
    const ann = buyer();
    const wish = [{ zone_id: zones[1], quantity: 2 }];
    const send = () =>
      ann.hold(eventId, wish, withKey('twice', { body: { items: wish, cart_token: 'cart' } }));
    const [one, other] = await Promise.all([send(), send()]);
    expect([one.data, one.status]).toEqual([other.data, 201]);
    expect([one, other].map(isReplay).sort()).toEqual([false, true]);
    await ann.ask(`DELETE /api/events/${eventId}/holds`);
    const late = await send();
    // The answer of then; what has become of it is another question.
    expect([late.status, isReplay(late), late.data]).toEqual([201, true, one.data]);
    const own = await ann.ask(`GET /api/events/${eventId}/holds`);
    expect(own.data.holds).toEqual([]);
  });

  it('of another user, another route or without a key is another wish', async () => {
    const { eventId, zones, seats } = await show({ config: aHybridHall() });
    const wish = [{ zone_id: zones[1], quantity: 1 }];
    const [ann, bob] = [buyer(), buyer()];
    const replies = [
      await ann.hold(eventId, wish, withKey('k', { body: { items: wish } })),
      await bob.hold(eventId, wish, withKey('k', { body: { items: wish } })),
      await ann.reserve(eventId, seats[0] ?? '', withKey('k')),
      await ann.hold(eventId, wish),
    ];
    expect(replies.map(answerOf)).toEqual(Array(4).fill([201, 'done']));
    expect(replies.some(isReplay)).toBe(false);
    const holds = replies.flatMap(({ data }) => data.hold_id ?? (data.holds as object[]));
    expect(new Set(holds.map((hold) => JSON.stringify(hold))).size).toBe(4);
  });

  it('of what changed nothing is for nothing else: a hold, a checkout, a release', async () => {
    const { eventId, seats } = await show({ config: aHybridHall() });
    const ann = buyer();
    const pair = [{ seat_id: seats[0] }, { seat_id: seats[1] }];
    const other = [{ seat_id: seats[4] }, { seat_id: seats[5] }];
    const hold = (items: object[]) => ann.hold(eventId, items, withKey('k', { body: { items } }));
    await ann.hold(eventId, pair);
    const before = await revisionOf(eventId);
    const first = await hold(pair);
    expect([first.status, first.data.existing, await revisionOf(eventId)]).toEqual([
      ...[200, true, before],
    ]);
    const REUSED = [422, 'idempotency_key_reused'];
    expect(answerOf(await hold(other))).toEqual(REUSED);
    const again = await hold(pair);
    expect([again.status, isReplay(again), again.data]).toEqual([200, true, first.data]);
    const start = (body: object) => ann.ask('POST /api/checkouts', withKey('k', { body }));
    await ann.ask('POST /api/checkouts', { body: { event_id: eventId } });
    expect((await start({ event_id: eventId })).status).toBe(200);
    expect(answerOf(await start({ event_id: eventId, allow_orphan: true }))).toEqual(REUSED);
    const release = `DELETE /api/events/${eventId}/holds`;
    await ann.ask(release);
    expect((await ann.ask(release, withKey('k'))).data).toMatchObject({ released_count: 0 });
    const differently = withKey('k', { body: { again: 1 } });
    expect(answerOf(await ann.ask(release, differently))).toEqual(REUSED);
  });

  it('a refusal is not kept: the same wish may succeed later', async () => {
    const { eventId, seats } = await show();
    const [ann, bob] = [buyer(), buyer()];
    await bob.reserve(eventId, seats[0] ?? '');
    const refused = await ann.reserve(eventId, seats[0] ?? '', withKey('k'));
    expect(answerOf(refused)).toEqual([409, 'seat_held_by_another_user']);
    await bob.ask(`DELETE /api/events/${eventId}/holds`);
    expect(answerOf(await ann.reserve(eventId, seats[0] ?? '', withKey('k')))).toEqual([
      201,
      'done',
    ]);
  });

  it('extends once and releases once, also after the hold has ended', async () => {
    const { eventId, seats } = await show();
    const ann = buyer();
    const held = await ann.reserve(eventId, seats[0] ?? '');
    const extend = `POST /api/holds/${held.data.hold_id}/extend`;
    const first = await ann.ask(extend, withKey('e'));
    const again = await ann.ask(extend, withKey('e'));
    expect([again.data, isReplay(again)]).toEqual([first.data, true]);
    const remove = `DELETE /api/holds/${held.data.hold_id}`;
    const released = await ann.ask(remove, withKey('r'));
    expect(released.data).toMatchObject({ released_count: 1 });
    const replayed = await ann.ask(remove, withKey('r'));
    expect([replayed.data, isReplay(replayed)]).toEqual([released.data, true]);
    expect((await ann.ask(remove)).data).toMatchObject({ released_count: 0 });
    expect((await ann.ask(extend, withKey('e'))).data).toEqual(first.data);
    expect(answerOf(await ann.ask(extend))).toEqual([404, 'hold_not_found']);
    expect(answerOf(await buyer().ask(extend, withKey('e')))).toEqual([404, 'hold_not_found']);
  });

  it('at the box office: block, hold for a caller, release of several events', async () => {
    const [one, two] = [await show(), await show()];
    const [seat] = one.seats;
    const block = `POST /api/admin/events/${one.eventId}/seats/block`;
    const body = { seat_ids: [seat], reason: 'x' };
    const blocked = await ask(block, withKey('b', { body }));
    expect(blocked.data).toMatchObject({ status: 'blocked', seats: 1, unchanged: 0 });
    expect((await ask(block, withKey('b', { body }))).data).toEqual(blocked.data);
    const caller = `POST /api/admin/events/${one.eventId}/holds`;
    const items = [{ seat_id: one.seats[1] }];
    const held = await ask(caller, withKey('h', { body: { items, for: 'Thandi' } }));
    const again = await ask(caller, withKey('h', { body: { items, for: 'Thandi' } }));
    expect([again.status, again.data, isReplay(again)]).toEqual([201, held.data, true]);
    expect(two.seats).toHaveLength(20);
  });

  it.each(['hold_ids', 'user_id'])('releases holds of two events by %s once', async (how) => {
    const [one, two] = [await show(), await show()];
    const ann = buyer();
    const holds = [
      await ann.reserve(one.eventId, one.seats[0] ?? ''),
      await ann.reserve(two.eventId, two.seats[0] ?? ''),
    ].map(({ data }) => String(data.hold_id));
    const [row] = await database.asSuperuser('select user_id from seat_holds where hold_id = $1', [
      holds[0],
    ]);
    const which = how === 'hold_ids' ? { hold_ids: holds } : { user_id: row?.user_id };
    const send = () =>
      ask('POST /api/admin/seats/release', withKey('r', { body: { ...which, reason: 'x' } }));
    const first = await send();
    expect(isReplay(first)).toBe(false);
    expect(first.data).toMatchObject({ seats_released: 2 });
    const outcomes = first.data.holds as { hold_id: string; outcome: string }[];
    expect(outcomes.map(({ hold_id }) => hold_id).sort()).toEqual([...holds].sort());
    expect(outcomes.every(({ outcome }) => outcome === 'released')).toBe(true);
    const before = [await revisionOf(one.eventId), await revisionOf(two.eventId)];
    const again = await send();
    expect(isReplay(again)).toBe(true);
    expect(again.data).toMatchObject({ seats_released: 2 });
    expect(again.data.holds).toEqual(expect.arrayContaining(outcomes));
    expect([await revisionOf(one.eventId), await revisionOf(two.eventId)]).toEqual(before);
  });

  it('that cannot be one is refused before anything is done', async () => {
    const { eventId, seats } = await show();
    const ann = buyer();
    const before = await revisionOf(eventId);
    const route = `POST /api/events/${eventId}/seats/${seats[0]}/reserve`;
    for (const key of ['', 'x'.repeat(256)]) {
      const reply = await call(node().address, route, withKey(key, { token: ann.token }));
      expect(answerOf(reply)).toEqual([400, 'invalid_request']);
    }
    expect(await revisionOf(eventId)).toBe(before);
    expect(answerOf(await ann.ask(route, withKey('x'.repeat(255))))).toEqual([201, 'done']);
  });
});

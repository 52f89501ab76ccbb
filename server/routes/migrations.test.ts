import { newId } from '@voelgoed/testkit/builders';
import { problems } from '@voelgoed/testkit/sales';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, scope, seatRows, show } = useShows();

/** A show whose plan is replaced by itself. */
async function aMigration() {
  const { eventId, seats } = await show();
  const [row] = await database.asSuperuser(
    'select layout_id from event_layouts where event_id = $1',
    [eventId],
  );
  const route = `POST /api/admin/events/${eventId}/layout/migrate`;
  const migrate = (mapping: object, more: object = {}) =>
    ask(route, { body: { layout_id: String(row?.layout_id), mapping, ...more } });
  return { eventId, seats, migrate, layoutId: String(row?.layout_id) };
}

describe('a migration of an event on sale', () => {
  it('moves people along a row and lets them change places', async () => {
    const { eventId, seats, migrate } = await aMigration();
    const [a = '', b = '', c = '', d = ''] = seats;
    const people = new Map([a, b, c].map((seat) => [seat, buyer()]));
    for (const [seat, person] of people) {
      expect((await person.reserve(eventId, seat)).status).toBe(201);
    }
    expect((await migrate({ [a]: b, [b]: c, [c]: d })).data).toMatchObject({ done: true });
    expect((await migrate({ [b]: d, [c]: b, [d]: c })).data).toMatchObject({ done: true });
    const seated = await Promise.all(
      [a, b, c].map(async (seat) => {
        // Every wish is answered by the new plan, whatever was read before.
        const gone = await people.get(seat)?.ask(`DELETE /api/events/${eventId}/holds`);
        const list = gone?.data.released_seats as { seat_id: string }[] | undefined;
        return list?.map(({ seat_id }) => seat_id);
      }),
    );
    expect(seated).toEqual([[d], [b], [c]]);
    expect(await problems(database, { scope: scope(), eventId })).toEqual([]);
  });

  it('reads ids in any spelling', async () => {
    const { eventId, seats, migrate } = await aMigration();
    const [a = '', b = ''] = seats;
    await buyer().reserve(eventId, a);
    const done = await migrate({ [a.toUpperCase()]: b.toUpperCase() });
    expect(done.data).toMatchObject({ done: true, kept: 0, moved: [{ from: a, to: b }] });
    expect(await problems(database, { scope: scope(), eventId })).toEqual([]);
  });

  it('waits for work on the old plan that is not finished', async () => {
    const { eventId, seats, migrate, layoutId } = await aMigration();
    const [a = ''] = seats;
    await buyer().reserve(eventId, a);
    const { organizationId } = scope();
    const task = { task_id: newId(), what: 'block', ordinals: [19], reason: null };
    const tasks = [{ ...task, actor: { kind: 'system', id: null, role: null } }];
    await database.asSuperuser(
      'insert into board_tasks (organization_id, event_id, tasks) values ($1, $2, $3)',
      [organizationId, eventId, JSON.stringify(tasks)],
    );
    const choose = { body: { layout_id: layoutId } };
    const replies = [
      await migrate({}),
      await ask(`PUT /api/admin/events/${eventId}/layout`, choose),
    ];
    for (const reply of replies) {
      expect([reply.status, reply.body.error]).toEqual([503, 'event_busy']);
    }
  });

  it('keeps seats blocked that staff have blocked', async () => {
    const { eventId, seats, migrate } = await aMigration();
    const [a = '', b = '', c = ''] = seats;
    await buyer().reserve(eventId, a);
    const body = { seat_ids: [b], reason: 'broken' };
    expect((await ask(`POST /api/admin/events/${eventId}/seats/block`, { body })).status).toBe(200);
    expect((await migrate({ [a]: c })).data).toMatchObject({ done: true });
    const taken = (await seatRows(eventId)).filter(({ status }) => status !== 'available');
    expect(taken.map(({ seat_id, status }) => [seat_id, status])).toEqual([
      [b, 'blocked'],
      [c, 'held'],
    ]);
    expect(await problems(database, { scope: scope(), eventId })).toEqual([]);
  });

  it('takes nobody onto a seat that staff have blocked: a dry run names it, too', async () => {
    const { eventId, seats, migrate } = await aMigration();
    const [a = '', b = ''] = seats;
    await buyer().reserve(eventId, a);
    const body = { seat_ids: [b], reason: 'broken' };
    await ask(`POST /api/admin/events/${eventId}/seats/block`, { body });
    const before = await seatRows(eventId);
    const why = 'staff have blocked that seat: unblock it first, or choose another';
    const lost = [{ seat_id: a, label: 'A-1', status: 'held', why }];
    const dry = await migrate({ [a]: b }, { dry_run: true });
    expect(dry.data).toMatchObject({ possible: false, done: false, lost });
    const real = await migrate({ [a]: b });
    expect([real.status, real.body.error]).toEqual([409, 'layout_in_use']);
    const { done: _, ...report } = dry.data;
    expect(real.body.details).toEqual(report);
    expect(await seatRows(eventId)).toEqual(before);
    await ask(`POST /api/admin/events/${eventId}/seats/unblock`, { body });
    expect((await migrate({ [a]: b })).data).toMatchObject({ done: true });
    expect(await problems(database, { scope: scope(), eventId })).toEqual([]);
  });
});

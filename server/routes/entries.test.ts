import { userIdOf } from '@voelgoed/engine/accounts';
import { findLastEntry } from '@voelgoed/engine/tickets';
import { anOrganization } from '@voelgoed/testkit/builders';
import { planOf } from '@voelgoed/testkit/database';
import { tokenFor } from '@voelgoed/testkit/servers';
import { ADMITTED, aHybridHall, denied, useShows, verdict } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const shows = useShows();
const { anOpenShow, ask, buyer, database, open, openDoors, scan, scope, sellTo, show } = shows;

const idOf = (subject: string) => userIdOf(scope().organizationId, subject);

const attendees = async (eventId: string) =>
  (await open(`GET /api/events/${eventId}/occupancy`)).data.live_attendees;

describe('coming in and out', () => {
  it('is counted, once in and once out', async () => {
    const { eventId, ticket } = await anOpenShow();
    expect(verdict(await scan(ticket.code, { direction: 'out' }))).toEqual(denied('not_inside'));
    expect(verdict(await scan(ticket.code))).toEqual(ADMITTED);
    const twice = await scan(ticket.code);
    expect(verdict(twice)).toEqual(denied('already_inside'));
    expect(twice.data).toMatchObject({ entry_count: 1, live_attendees: 1 });
    expect(verdict(await scan(ticket.code, { direction: 'out' }))).toEqual(ADMITTED);
    expect(verdict(await scan(ticket.code, { direction: 'out' }))).toEqual(denied('not_inside'));
    const again = await scan(ticket.code);
    expect(again.data).toMatchObject({ status: 'admitted', entry_count: 2, live_attendees: 1 });
    const { list } = await ask(`GET /api/admin/events/${eventId}/entries`);
    expect(list.map(({ direction, status, reason }) => [direction, status, reason])).toEqual([
      ['in', 'admitted', null],
      ['out', 'denied', 'not_inside'],
      ['out', 'admitted', null],
      ['in', 'denied', 'already_inside'],
      ['in', 'admitted', null],
      ['out', 'denied', 'not_inside'],
    ]);
    const pages = `/api/admin/events/${eventId}/entries?limit=2`;
    const first = await ask(`GET ${pages}`);
    const second = await ask(`GET ${pages}&before=${first.list[1]?.entry_id}`);
    expect([...first.list, ...second.list]).toEqual(list.slice(0, 4));
    expect(list[0]).toMatchObject({ code: ticket.code, scanned_by: idOf('tester'), test: false });
  });

  it('says since when a ticket is inside, and at which gate it came in', async () => {
    const { eventId, ticket } = await anOpenShow();
    const key = await ask('POST /api/admin/api-keys', {
      body: { name: 'Gate B', scopes: ['tickets:scan'] },
    });
    const gate = { token: String(key.data.key) };
    expect((await scan(ticket.code, {}, gate)).data).not.toHaveProperty('inside_since');
    const twice = await scan(ticket.code);
    const { list } = await ask(`GET /api/admin/events/${eventId}/entries?status=admitted`);
    expect(twice.data).toMatchObject({ inside_since: list[0]?.at, inside_gate: 'Gate B' });
    await scan(ticket.code, { direction: 'out' }, gate);
    await scan(ticket.code);
    const again = await scan(ticket.code);
    const [last] = (await ask(`GET /api/admin/events/${eventId}/entries?status=admitted`)).list;
    // People who scan are not named.
    expect(again.data).toMatchObject({ inside_since: last?.at, inside_gate: null });
    expect(last?.at).not.toBe(list[0]?.at);
    const plan = await planOf(database.postgres, scope().organizationId, findLastEntry, 'reads');
    expect(plan).toContain('entries_ticket');
  });

  it('as often in a day as the policy says', async () => {
    await ask('PUT /api/admin/policy', { body: { max_daily_entries: 1 } });
    const { ticket, days } = await anOpenShow();
    const code = ticket.code;
    expect(verdict(await scan(code))).toEqual(ADMITTED);
    expect(verdict(await scan(code, { direction: 'out' }))).toEqual(ADMITTED);
    expect(verdict(await scan(code))).toEqual(denied('daily_limit'));
    expect((await scan(code, { day: days[1] })).data).toMatchObject({
      status: 'admitted',
      entry_count: 2,
    });
  });

  it('on the event’s days alone', async () => {
    const { ticket } = await anOpenShow();
    const wrong = await scan(ticket.code, { day: '2030-01-01' });
    expect(verdict(wrong)).toEqual(denied('wrong_day'));
    const { message, valid_days } = wrong.data as { message: string; valid_days: string[] };
    expect(message).toBe(`This ticket is not for this day. It is for ${valid_days.join(' and ')}.`);
    expect((await scan(ticket.code, { day: 'tomorrow' })).status).toBe(400);
  });

  it('on day two, and on the new date of an event that was postponed', async () => {
    const { eventId, ticket, days } = await anOpenShow();
    const event = `/api/admin/events/${eventId}`;
    const begins = (later_days: number) => {
      const at = (hours: number) => {
        const [first] = days;
        const midnight_ms = Date.parse(`${first}T00:00:00Z`) + later_days * 86_400_000;
        return new Date(midnight_ms + hours * 3_600_000).toISOString();
      };
      return ask(`PATCH ${event}`, { body: { starts_at: at(0), ends_at: at(46) } });
    };
    // It began yesterday: today is its second day.
    expect((await begins(-1)).data.days).toContain(days[0]);
    expect(verdict(await scan(ticket.code))).toEqual(ADMITTED);
    expect(verdict(await scan(ticket.code, { direction: 'out' }))).toEqual(ADMITTED);
    const later = (await begins(5)).data.days as string[];
    const early = await scan(ticket.code);
    expect(verdict(early)).toEqual(denied('wrong_day'));
    expect(early.data.message).toContain(later.join(' and '));
    await ask(`POST ${event}/postpone`, { body: { reason: 'Storm' } });
    const moved = (await begins(0)).data.days as string[];
    expect(moved[0]).toBe(days[0]);
    await ask(`POST ${event}/publish`, { body: {} });
    expect((await ask(`POST ${event}/open`)).status).toBe(200);
    expect(verdict(await scan(ticket.code))).toEqual(ADMITTED);
  });

  it('leaving is on the day of coming, also after midnight', async () => {
    const { ticket, days } = await anOpenShow();
    expect(verdict(await scan(ticket.code, { day: days[1] }))).toEqual(ADMITTED);
    const never = await scan(ticket.code, { direction: 'out', day: '2030-01-01' });
    expect(verdict(never)).toEqual(denied('not_inside'));
    const left = await scan(ticket.code, { direction: 'out' });
    expect(left.data).toMatchObject({ status: 'admitted', day: days[1] });
  });

  it('where nobody has a seat, until the zone is full', async () => {
    const { eventId, zones } = await show({ config: aHybridHall({ pit: { capacity: 1 } }) });
    const place = [{ zone_id: zones[1], quantity: 1 }];
    const [old] = await sellTo(buyer(), eventId, place);
    await openDoors(eventId);
    expect(verdict(await scan(old?.code ?? ''))).toEqual(ADMITTED);
    // Made void while its owner is inside, and sold again.
    await ask(`POST /api/admin/tickets/${old?.ticket_id}/void`, { body: { reason: 'stolen' } });
    const [ticket] = await sellTo(buyer(), eventId, place);
    expect(verdict(await scan(ticket?.code ?? ''))).toEqual(denied('zone_full'));
    expect(verdict(await scan(old?.code ?? '', { direction: 'out' }))).toEqual(ADMITTED);
    expect(verdict(await scan(ticket?.code ?? ''))).toEqual(ADMITTED);
    expect(verdict(await scan(old?.code ?? ''))).toEqual(denied('ticket_voided'));
  });

  it('is counted out where it was counted in, whatever seat it has since', async () => {
    const balcony = Array.from({ length: 2 }, (_, index) => ({
      label: `B-${index + 1}`,
      row: 'B',
      number: index + 1,
      coordinates: { x: index * 10, y: 50 },
    }));
    const pit = { zone_type: 'reserved_seating', capacity: undefined, seats: balcony };
    const { ticket, eventId, seats } = await anOpenShow({ config: aHybridHall({ pit }) });
    expect(verdict(await scan(ticket.code))).toEqual(ADMITTED);
    const moved = await ask(`POST /api/admin/tickets/${ticket.ticket_id}/reseat`, {
      body: { seat_id: seats[10] },
    });
    expect(moved.data).toMatchObject({ seat: { label: 'B-1' }, zone: { name: 'Pit' } });
    expect(verdict(await scan(ticket.code, { direction: 'out' }))).toEqual(ADMITTED);
    const again = await scan(ticket.code);
    expect(again.data).toMatchObject({ seat: { label: 'B-1' }, zone_attendees: 1 });
    const rows = await database.asSuperuser(
      'select inside, entries from zone_days where event_id = $1 order by inside',
      [eventId],
    );
    expect(rows).toEqual([
      { inside: 0, entries: 1 },
      { inside: 1, entries: 1 },
    ]);
  });
});

describe('before and after the event', () => {
  it('a scan is a test while the event is published', async () => {
    const { eventId, seats } = await show();
    const [ticket, ended] = await sellTo(buyer(), eventId, [
      { seat_id: seats[0] },
      { seat_id: seats[1] },
    ]);
    const reply = await scan(ticket?.code ?? '');
    expect(verdict(reply)).toEqual(denied('event_not_live'));
    expect(reply.data).toMatchObject({ test_passed: true, entry_count: 0, live_attendees: 0 });
    expect(reply.data.message).toContain('The test was passed');
    await ask(`POST /api/admin/tickets/${ended?.ticket_id}/void`, { body: { reason: 'x' } });
    const failed = await scan(ended?.code ?? '');
    expect(failed.data).toMatchObject({ reason: 'ticket_voided', test_passed: null });
    const { list } = await ask(`GET /api/admin/events/${eventId}/entries`);
    expect(list.map(({ test }) => test)).toEqual([false, true]);
  });

  it('who is inside when it ends may leave, and nobody comes in', async () => {
    const { eventId, ticket } = await anOpenShow();
    await scan(ticket.code);
    await ask(`POST /api/admin/events/${eventId}/end`);
    expect(verdict(await scan(ticket.code, { direction: 'out' }))).toEqual(ADMITTED);
    const closed = await scan(ticket.code);
    expect(verdict(closed)).toEqual(denied('event_not_live'));
    expect(closed.data.test_passed).toBeNull();
  });

  it('a week after the end a ticket opens nothing', async () => {
    const { eventId, ticket } = await anOpenShow();
    await database.asSuperuser(
      `update events set starts_at = now() - interval '9 days', ends_at = now() - interval '8 days'
       where event_id = $1`,
      [eventId],
    );
    expect(verdict(await scan(ticket.code))).toEqual(denied('ticket_expired'));
  });
});

describe('codes and QR codes', () => {
  it('are taken as typed, as printed and as read', async () => {
    const { ticket } = await anOpenShow();
    const bare = ticket.code.replaceAll('-', '').toLowerCase();
    for (const [index, text] of [bare, ticket.code, ticket.qr, ticket.qr.toLowerCase()].entries()) {
      const direction = index % 2 === 0 ? 'in' : 'out';
      expect(verdict(await scan(text, { direction }))).toEqual(ADMITTED);
    }
    expect(verdict(await scan(ticket.code, { qr: ticket.qr }))).toEqual(ADMITTED);
  });

  it('forged or swapped ones are denied, and all are kept', async () => {
    const { eventId, seats, ticket } = await anOpenShow();
    const [other] = await sellTo(buyer(), eventId, [{ seat_id: seats[1] }]);
    const forged = `${ticket.qr.slice(0, -1)}${ticket.qr.endsWith('0') ? '1' : '0'}`;
    const swapped = ticket.qr.replace(/^VG1\.[^.]+/, `VG1.${other?.code.replaceAll('-', '')}`);
    for (const text of [forged, swapped, 'VG1.x.y.z']) {
      const reply = await scan(text);
      expect(verdict(reply)).toEqual(denied('qr_invalid'));
      expect(reply.data).toMatchObject({ ticket_id: null, event_id: null, seat: null });
    }
    expect(verdict(await scan(ticket.code, { qr: forged }))).toEqual(denied('qr_invalid'));
    expect(verdict(await scan(ticket.code, { qr: other?.qr }))).toEqual(denied('qr_invalid'));
    expect(verdict(await scan('not a code'))).toEqual(denied('unknown_ticket'));
    expect(verdict(await scan('7K2M-X9QF-04TD'))).toEqual(denied('unknown_ticket'));
    const kept = await database.asSuperuser(
      `select reason, scanned from entries where organization_id = $1 and ticket_id is null
       order by entry_id`,
      [scope().organizationId],
    );
    expect(kept).toHaveLength(7);
    expect(kept[0]).toEqual({ reason: 'qr_invalid', scanned: forged });
    // The forgeries have not used up the ticket.
    expect(verdict(await scan(ticket.qr))).toEqual(ADMITTED);
  });

  it('of another event are told apart where the gate says which it is', async () => {
    const [one, two] = [await anOpenShow(), await anOpenShow()];
    const wrong = await scan(one.ticket.code, { event_id: two.eventId });
    expect(verdict(wrong)).toEqual(denied('other_event'));
    const right = await scan(one.ticket.code, { event_id: one.eventId.toUpperCase() });
    expect(verdict(right)).toEqual(ADMITTED);
  });

  it('of another organization are as unknown as any', async () => {
    const { eventId, ticket } = await anOpenShow();
    const other = await anOrganization(database.postgres);
    const token = tokenFor(other.organizationId, { role: 'scanner' });
    const foreign = await scan(ticket.code, {}, { token });
    const unknown = await scan('7K2M-X9QF-04TD', {}, { token });
    const { entry_id: _, ...told } = foreign.data;
    const { entry_id: __, ...toldOfNone } = unknown.data;
    expect(told).toEqual(toldOfNone);
    expect(verdict(await scan(ticket.qr, {}, { token }))).toEqual(denied('qr_invalid'));
    const owner = { token: tokenFor(other.organizationId) };
    const entries = await ask(`GET /api/admin/events/${eventId}/entries`, owner);
    expect([entries.status, entries.body.error]).toEqual([404, 'event_not_found']);
    expect(await attendees(eventId)).toBe(0);
    expect(verdict(await scan(ticket.code))).toEqual(ADMITTED);
  });
});

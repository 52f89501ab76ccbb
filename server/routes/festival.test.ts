import { userIdOf } from '@voelgoed/engine/accounts';
import { eventually } from '@voelgoed/testkit/eventually';
import { ADMITTED, aHybridHall, denied, useShows, verdict } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const shows = useShows();
const { ask, buyer, database, open, openDoors, scan, scope, sellTo, show } = shows;

const idOf = (subject: string) => userIdOf(scope().organizationId, subject);

describe('the festival', () => {
  const row = (name: string, seats: number, y: number) =>
    Array.from({ length: seats }, (_, index) => ({
      label: `${name}-${index + 1}`,
      row: name,
      number: index + 1,
      coordinates: { x: index * 10, y },
    }));
  const FESTIVAL = {
    seat_size: 9,
    zones: [
      {
        name: 'Orchestra',
        zone_type: 'reserved_seating',
        seats: Array.from('ABCDEFGHIJ').flatMap((name, index) => row(name, 30, index * 12)),
      },
      { name: 'Floor', zone_type: 'ga_seated', capacity: 400 },
      { name: 'Pit', zone_type: 'ga_standing', capacity: 300 },
      {
        name: 'VIP Lounge',
        zone_type: 'vip_reserved',
        access_mode: 'membership_tier',
        membership_tier: 'voelgoed_vriendinne',
        seats: row('V', 50, 200),
      },
    ],
  };

  it('from sold tickets to the entry on day two, on the same seat', async () => {
    await ask('PUT /api/admin/policy', { body: { allow_vip_zones: true } });
    const { eventId, seats, zones } = await show({ config: FESTIVAL });
    const cents = [15_000, 10_000, 8_000, 30_000];
    const prices = zones.map((zone_id, index) => ({ zone_id, price_cents: cents[index] }));
    await ask(`PUT /api/admin/events/${eventId}/prices`, { body: { prices } });
    const ann = buyer('ann');
    const held = await ann.hold(eventId, [
      { seat_id: seats[4] },
      { seat_id: seats[5] },
      { zone_id: zones[1], quantity: 1 },
      { zone_id: zones[2], quantity: 1 },
    ]);
    const hold_ids = (held.data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);
    const sold = await shows.sell(eventId, hold_ids);
    expect(sold.data).toMatchObject({ status: 'completed', total_cents: 48_000 });
    const before = await open(`GET /api/events/${eventId}/occupancy`);
    expect(before.data).toMatchObject({ total: 1_050, sold: 4, live_attendees: 0 });
    const [one, two] = await openDoors(eventId);

    const own = (await ann.ask(`GET /api/tickets?checkout_id=${sold.data.checkout_id}`)).list;
    expect(own).toHaveLength(4);
    expect(own.every(({ valid_days }) => String(valid_days) === `${one},${two}`)).toBe(true);
    const ofZone = (name: string) => {
      const found = own.filter(({ zone }) => (zone as { name: string }).name === name);
      return found.map(({ code }) => String(code));
    };
    const [first = ''] = ofZone('Orchestra');
    const [floor = ''] = ofZone('Floor');
    const [pit = ''] = ofZone('Pit');

    const dayOne = await scan(first, { day: one });
    expect(dayOne.data).toMatchObject({
      status: 'admitted',
      day: one,
      seat: { block: 'Orchestra', row: 'A', number: 5, label: 'A-5' },
      entry_count: 1,
      entry_count_today: 1,
      live_attendees: 1,
    });
    const dayTwo = await scan(first, { day: two });
    expect(dayTwo.data).toMatchObject({
      status: 'admitted',
      day: two,
      seat: { block: 'Orchestra', row: 'A', number: 5, label: 'A-5' },
      entry_count: 2,
      entry_count_today: 1,
    });
    const standing = await scan(floor, { day: two });
    expect(standing.data).toMatchObject({
      seat: { block: 'Floor', row: null, number: null, label: null },
      live_attendees: 2,
      zone_attendees: 1,
    });
    // Today is day one, and each zone counts its own.
    await scan(floor);
    await scan(pit);
    const occupancy = await eventually(async () => {
      const { data } = await open(`GET /api/events/${eventId}/occupancy`);
      return data.live_attendees === 3 ? data : undefined;
    });
    const inside = (occupancy.zones as { name: string; live_attendees: number }[]).map(
      ({ name, live_attendees }) => [name, live_attendees],
    );
    expect(inside).toEqual([
      ['Orchestra', 1],
      ['Floor', 1],
      ['Pit', 1],
      ['VIP Lounge', 0],
    ]);
    const counted = await ann.ask(`GET /api/tickets?checkout_id=${sold.data.checkout_id}`);
    expect(counted.list.map(({ entry_count }) => entry_count)).toEqual([2, 0, 2, 1]);
  });

  it('turns a vriendinne away when her membership is over, and keeps her ticket', async () => {
    await ask('PUT /api/admin/policy', { body: { allow_vip_zones: true } });
    const tier = 'voelgoed_vriendinne';
    const { eventId, seats } = await show({ config: FESTIVAL });
    for (const subject of ['revoked', 'expired', 'other tier', 'friend']) {
      await ask('POST /api/admin/members', { body: { subject, role: 'customer', tier } });
    }
    const codes = new Map<string, string>();
    for (const [index, subject] of ['revoked', 'expired', 'other tier', 'friend'].entries()) {
      const items = [{ seat_id: seats[300 + index] }];
      const [ticket] = await sellTo(buyer(subject), eventId, items);
      codes.set(subject, ticket?.code ?? '');
    }
    // Staff who hold for somebody have judged who comes in.
    const guest = await ask(`POST /api/admin/events/${eventId}/holds`, {
      body: { items: [{ seat_id: seats[310] }], for: 'the mayor' },
    });
    const [hold] = guest.data.holds as { hold_id: string }[];
    const sold = await shows.sell(eventId, [hold?.hold_id]);
    const [mayor] = sold.data.tickets as { code: string }[];
    await openDoors(eventId);
    await ask(`DELETE /api/admin/members/${idOf('revoked')}`);
    await ask(`PATCH /api/admin/members/${idOf('other tier')}`, { body: { tier: 'silver' } });
    await database.asSuperuser(
      `update memberships set valid_until = clock_timestamp() where user_id = $1`,
      [idOf('expired')],
    );
    for (const subject of ['revoked', 'expired', 'other tier']) {
      const reply = await scan(codes.get(subject) ?? '');
      expect(verdict(reply)).toEqual(denied('membership_expired'));
      expect(reply.data.message).toBe('Membership expired.');
      const [ticket] = (await buyer(subject).ask('GET /api/tickets')).list;
      expect(ticket).toMatchObject({ status: 'active', code: codes.get(subject), entry_count: 0 });
    }
    expect(verdict(await scan(codes.get('friend') ?? ''))).toEqual(ADMITTED);
    expect(verdict(await scan(mayor?.code ?? ''))).toEqual(ADMITTED);
    const logged = await ask(`GET /api/admin/events/${eventId}/entries?status=denied`);
    expect(logged.list.map(({ reason }) => reason)).toEqual(Array(3).fill('membership_expired'));
    // A member again, and the same ticket opens.
    await ask('POST /api/admin/members', { body: { subject: 'revoked', role: 'customer', tier } });
    expect(verdict(await scan(codes.get('revoked') ?? ''))).toEqual(ADMITTED);
  });
});

describe('accessible seats', () => {
  it('are announced, with their companion or alone', async () => {
    const seats = ['wheelchair', 'companion', 'standard', 'standard', 'wheelchair'].map(
      (category, index) => ({
        label: `A-${index + 1}`,
        row: 'A',
        number: index + 1,
        category,
        coordinates: { x: index * 10, y: 0 },
      }),
    );
    const config = aHybridHall({ stalls: { seats } });
    const made = await show({ config });
    const notes: unknown[] = [];
    const codes: string[] = [];
    const [one, two, three, four, five] = made.seats.map((seat_id) => ({ seat_id }));
    for (const party of [[one, two], [three, four], [five]]) {
      const items = party.flatMap((item) => item ?? []);
      const tickets = await sellTo(buyer(), made.eventId, items);
      codes.push(...tickets.map(({ code }) => code));
    }
    await openDoors(made.eventId);
    for (const code of codes) {
      const { data } = await scan(code);
      notes.push([data.status, data.accessibility, data.prompt]);
    }
    expect(notes).toEqual([
      [
        'admitted',
        'Wheelchair ticket, companion reserved.',
        'Please ensure companion is accompanied.',
      ],
      ['admitted', null, null],
      ['admitted', null, null],
      ['admitted', null, null],
      ['admitted', 'Wheelchair ticket.', null],
    ]);
  });
});

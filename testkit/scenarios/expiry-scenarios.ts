import { systemClock } from '@voelgoed/engine/kit';
import { CART, type CrowdWish } from '@voelgoed/faults/crowd';
import type { Asked } from '@voelgoed/faults/history';
import type { Act, Scenario } from '#rig';

/** Wishes of a scenario's own; each has a name that nobody else uses. */
function wishes(act: Act) {
  let count = 0;
  return (event: string, user: string, asked: Asked): CrowdWish => {
    const wish = `${CART}${act.seed}-own-${++count}`;
    return { wish, event, user, asked, key: `key-${wish}` };
  };
}

/** Seats at a time, from the end of the hall where few others come. */
const SEATS = 12;
/** Others may hold all of them for a while. */
const MOST_ROUNDS = 10;
/** Around the moment: before, at and after it. */
const AROUND_MS = 12;

/** Everybody who could do something with a hold does it at the moment when it is over. */
const momentOfExpiry: Scenario = {
  name: 'moment-of-expiry',
  sentence: 'extension, reaper, takeover, sale and release by staff meet at the moment of expiry',
  fault: async (act) => {
    const { rig, stage, seconds, random } = act;
    const [organization] = stage;
    const event = organization?.events[0];
    if (!event) return;
    const named = wishes(act);
    const [users = []] = await rig.crowd.tell({ kind: 'users' });
    const until_ms = systemClock.monotonic() + seconds * 1_000;
    let rounds = 0;
    let met = 0;
    do {
      const seats = event.seats.slice(-SEATS);
      const own = seats.map((seat_id, index) =>
        named(event.eventId, users[(rounds * SEATS + index) % users.length] ?? '', {
          op: 'hold',
          items: [{ seat_id }],
        }),
      );
      const held = await rig.crowd.tell({ kind: 'send', wishes: own, node: 0 });
      const meetings = held.map(async ({ holds }, index) => {
        const [hold] = holds;
        const user = own[index]?.user ?? '';
        if (!hold?.seat_id) return;
        met++;
        const other = users[(index + 77) % users.length] ?? '';
        const asked: [string, Asked][] = [
          [user, { op: 'extend', hold_id: hold.hold_id }],
          [other, { op: 'hold', items: [{ seat_id: hold.seat_id }] }],
          [user, { op: 'sell', hold_ids: [hold.hold_id] }],
          [user, { op: 'override', hold_ids: [hold.hold_id] }],
          [user, { op: 'checkout', hold_ids: [hold.hold_id] }],
          [user, { op: 'release', hold_ids: [hold.hold_id] }],
        ];
        await Promise.all(
          asked.map(async ([who, what]) => {
            const at_ms = hold.until_ms + (random.next() * 2 - 1) * AROUND_MS;
            await systemClock.sleep(Math.max(0, at_ms - systemClock.now()));
            const wish = named(event.eventId, who, what);
            await rig.crowd.tell({ kind: 'send', wishes: [wish], node: null });
          }),
        );
      });
      await Promise.all(meetings);
      rounds++;
    } while (systemClock.monotonic() < until_ms || (met === 0 && rounds < MOST_ROUNDS));
    act.say(`${met} holds in ${rounds} rounds met everybody at the moment they were over`);
    if (met === 0) act.found('I5', 'nobody met anybody');
  },
};

const STOP = 'revoke execute on function lookup_due_events(integer) from voelgoed_jobs';
const GO_ON = 'grant execute on function lookup_due_events(integer) to voelgoed_jobs';
const DUE = `select count(*)::int as due from seat_holds
  where event_id = any($1) and status = 'active' and held_until < now()`;

async function dueOf({ rig, stage }: Act): Promise<number> {
  const events = stage.flatMap((one) => one.events.map(({ eventId }) => eventId));
  return Number((await rig.database.asSuperuser(DUE, [events]))[0]?.due);
}

/** Of the node with the longest, without an extension. */
const LONGEST_HOLD_S = 5;

/** No node sweeps: holds pile up, and every seat can be taken all the same. */
const reaperStopped: Scenario = {
  name: 'reaper-stopped',
  sentence: 'nobody makes visible what is over; seats can be taken all the same',
  fault: async (act) => {
    const { rig, seconds, pause, say, rates } = act;
    await rig.database.asSuperuser(STOP);
    const per_s = await rates.during(() => pause(seconds));
    // As long as somebody buys, every commit ends what is due. Nobody does, and nobody sweeps.
    await rig.crowd.tell({ kind: 'rest' });
    await holdSome(act);
    await pause(LONGEST_HOLD_S);
    const due = await dueOf(act);
    say(`nobody sweeps for ${seconds} s: ${per_s.toFixed(0)} answers a second; then ${due} due`);
    if (due === 0) act.found('I5', 'nothing was due, so nothing is shown');
    await takeAll(act);
    await rig.database.asSuperuser(GO_ON);
    await rig.crowd.tell({ kind: 'load', load: { workers: rig.workers, pause_ms: rig.pause_ms } });
  },
};

/** However little was sold before, somebody holds something now. */
async function holdSome(act: Act): Promise<void> {
  const { rig, stage } = act;
  const named = wishes({ ...act, seed: act.seed + 1 });
  const [users = []] = await rig.crowd.tell({ kind: 'users' });
  const event = stage[0]?.events[0];
  const all = event?.seats
    .slice(-SEATS)
    .map((seat_id, index) =>
      named(event.eventId, users[index] ?? '', { op: 'hold', items: [{ seat_id }] }),
    );
  await rig.crowd.tell({ kind: 'send', wishes: all ?? [], node: 0 });
}

/** Every seat whose hold is over is taken by somebody new, while nobody sweeps. */
async function takeAll(act: Act): Promise<void> {
  const { rig, stage } = act;
  const named = wishes(act);
  const users = await rig.crowd.tell({ kind: 'users' });
  let [over, taken, refused] = [0, 0, 0];
  for (const [organization, { events }] of stage.entries()) {
    const own = users[organization] ?? [];
    for (const { eventId } of events) {
      const rows = await rig.database.asSuperuser(OVER, [eventId]);
      const all = rows.map(({ seat_id }, index) =>
        named(eventId, own[index % own.length] ?? '', {
          op: 'hold',
          items: [{ seat_id: String(seat_id) }],
        }),
      );
      const answers = await rig.crowd.tell({ kind: 'send', wishes: all, node: null });
      over += rows.length;
      taken += answers.filter(({ outcome }) => outcome === 'done').length;
      refused += answers.filter(({ outcome }) => outcome === 'refused').length;
    }
  }
  act.say(`${taken} of ${over} seats that were over and not swept were taken by somebody new`);
  if (refused > 0) act.found('I5', `${refused} seats could not be taken after their time`);
}

/** Whoever is paying keeps the seat until the payment's own deadline. */
const OVER = `select seat_id from seat_holds h where event_id = $1 and status = 'active'
  and seat_id is not null and held_until < now() - interval '100 ms'
  and not exists (select from checkouts c where c.organization_id = h.organization_id
    and c.checkout_id = h.checkout_id and c.status = 'paying')`;

/** Of 2,500 seats each. */
const ROWS = 100;
const GROUP = 250;
/** Shown free within two seconds; more on a machine that is not ours alone. */
const SWEPT_MS = 2_000;

const massExpiry: Scenario = {
  name: 'mass-expiry',
  sentence: '10,000 holds are over within one second',
  rows: ROWS,
  fault: async (act) => {
    const { rig, stage, say } = act;
    await rig.crowd.tell({ kind: 'rest' });
    const named = wishes(act);
    const users = await rig.crowd.tell({ kind: 'users' });
    const groups = stage.flatMap(({ events }, organization) =>
      events.flatMap(({ eventId, seats }) =>
        Array.from({ length: Math.ceil(seats.length / GROUP) }, (_, index) => {
          const items = seats.slice(index * GROUP, (index + 1) * GROUP);
          const user = users[organization]?.[index] ?? '';
          return { eventId, user, items: items.map((seat_id) => ({ seat_id })) };
        }),
      ),
    );
    const held = await holdAll(act, groups, named);
    const ends = held.map(({ until_ms }) => until_ms).sort((one, other) => one - other);
    const [first = 0, last = 0] = [ends[0], ends.at(-1)];
    await systemClock.sleep(Math.max(0, last - systemClock.now()));
    const started = systemClock.monotonic();
    while ((await dueOf(act)) > 0 && systemClock.monotonic() < started + 20_000) {
      await systemClock.sleep(20);
    }
    const swept_ms = systemClock.monotonic() - started;
    say(
      `${held.length} holds were over within ${((last - first) / 1_000).toFixed(1)} s, ` +
        `all shown free ${(swept_ms / 1_000).toFixed(1)} s after the last`,
    );
    if (swept_ms > SWEPT_MS * rig.factor) act.found('I5', `swept after ${swept_ms.toFixed(0)} ms`);
    await rig.crowd.tell({ kind: 'load', load: { workers: rig.workers, pause_ms: rig.pause_ms } });
  },
};

type Group = Readonly<{ eventId: string; user: string; items: { seat_id: string }[] }>;

/** Seats that are held for a moment yet are asked for again until everything is held at once. */
async function holdAll(
  { rig }: Act,
  groups: readonly Group[],
  named: ReturnType<typeof wishes>,
): Promise<readonly { until_ms: number }[]> {
  const free = await freeSeats(rig, groups);
  const all = groups.map(({ eventId, user, items }) => {
    const left = items.filter(({ seat_id }) => free.has(seat_id + eventId));
    return named(eventId, user, { op: 'hold', items: left });
  });
  const answers = await rig.crowd.tell({ kind: 'send', wishes: all, node: 2 });
  return answers.flatMap(({ holds }) => holds);
}

async function freeSeats(rig: Act['rig'], groups: readonly Group[]): Promise<Set<string>> {
  const events = [...new Set(groups.map(({ eventId }) => eventId))];
  const live = `select count(*)::int as live from seat_holds
    where event_id = any($1) and status = 'active' and seat_id is not null`;
  const deadline = systemClock.monotonic() + 20_000;
  while (systemClock.monotonic() < deadline) {
    const [row] = await rig.database.asSuperuser(live, [events]);
    if (Number(row?.live) === 0) break;
    await systemClock.sleep(100);
  }
  const rows = await rig.database.asSuperuser(FREE, [events]);
  return new Set(rows.map(({ seat_id, event_id }) => `${seat_id}${event_id}`));
}

const FREE = `select seat_id, event_id from event_seats
  where event_id = any($1) and status = 'available'`;

export const EXPIRY_SCENARIOS = [momentOfExpiry, reaperStopped, massExpiry];

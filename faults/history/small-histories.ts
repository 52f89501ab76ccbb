import fc from 'fast-check';
import type { History } from './check-history.ts';
import type { HoldRow } from './final-state.ts';
import type { Operation } from './operations.ts';
import type { Draft } from './planted.ts';
import type { Invariant } from './violation.ts';

const OFFSET_MS = 1_000_000;
const SEATS = ['s0', 's1', 's2'];
const USERS = ['ann', 'bob', 'eve'];
const LASTS_MS = 400;
const ZONE = 'zone';

const KINDS = ['hold', 'hold', 'hold', 'extend', 'release', 'sell', 'void', 'read'] as const;

const step = fc.record({
  kind: fc.constantFrom(...KINDS),
  user: fc.integer({ min: 0, max: 2 }),
  seats: fc.uniqueArray(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 2 }),
  /** Time since the step before, on the way there and on the way back. */
  after_ms: fc.integer({ min: 1, max: 200 }),
  there_ms: fc.integer({ min: 0, max: 20 }),
  back_ms: fc.integer({ min: 0, max: 20 }),
  answered: fc.integer({ min: 0, max: 9 }).map((draw) => draw > 0),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** What small crowds do, enough of it that something happens. */
export const steps = fc.array(step, { minLength: 12, maxLength: 30 });

/** The simplest store that is right: one thing after the other, all in plain arrays. */
class SmallStore {
  readonly operations: Draft['operations'] = [];
  readonly holds: Draft['state']['holds'] = [];
  readonly tickets: Draft['state']['tickets'] = [];
  readonly log: { revision: number; hash: string; changes: unknown[] }[] = [];
  readonly trail: Draft['state']['trail'] = [];
  #now = 1_000;
  #ids = 0;

  constructor() {
    this.#commit([{ kind: 'planned', layout_id: null, version: 0 }]);
  }

  take(given: Step): void {
    this.#now += given.after_ms;
    this.#expire();
    const user = USERS[given.user] ?? '';
    const seats = given.seats.map((index) => SEATS[index] ?? '');
    const own = this.holds.filter((one) => one.status === 'active' && one.user_id === user);
    const [mine] = own;
    if (given.kind === 'hold') return this.#hold(given, user, seats);
    if (given.kind === 'read') return this.#read(given, user, seats[0] ?? '');
    if (given.kind === 'void') return this.#void(given, user);
    if (!mine) return;
    if (given.kind === 'extend') return this.#extend(given, user, mine);
    this.#end(given, user, mine, given.kind);
  }

  end(): void {
    this.#now += 10;
    this.#expire();
  }

  #hold(given: Step, user: string, seats: readonly string[]): void {
    const wish = `w${++this.#ids}`;
    const asked = { op: 'hold' as const, items: seats.map((seat_id) => ({ seat_id })) };
    const taken = seats.find((seat) => this.#holderOf(seat) || this.#ticketOf(seat));
    if (taken !== undefined) {
      const code = this.#ticketOf(taken) ? 'seat_not_available' : 'seat_held_by_another_user';
      return this.#tell(given, { wish, user, asked, outcome: 'refused', code, holds: [] });
    }
    const until_ms = OFFSET_MS + this.#now + LASTS_MS;
    const rows = seats.map((seat_id): HoldRow => {
      const common = { user_id: user, cart_token: wish, seat_id, zone_id: null, quantity: 1 };
      const state = { status: 'active', end_reason: null, ended_ms: null, checkout_id: null };
      const created_ms = OFFSET_MS + this.#now;
      return { hold_id: `h${++this.#ids}`, ...common, ...state, created_ms, until_ms };
    });
    this.holds.push(...(structuredClone(rows) as Draft['state']['holds']));
    for (const { hold_id } of rows) this.trail.push({ action: 'seat_reserved', hold_id });
    const places = rows.map(({ hold_id }, index) => [hold_id, index]);
    const revision = this.#commit([
      { kind: 'held', user_id: user, cart_token: wish, seats: places },
    ]);
    const holds = rows.map(reported);
    this.#tell(given, { wish, user, asked, outcome: 'done', code: null, holds, revision });
  }

  #extend(given: Step, user: string, row: Draft['state']['holds'][number]): void {
    row.until_ms += LASTS_MS;
    this.trail.push({ action: 'seat_hold_extended', hold_id: row.hold_id });
    const revision = this.#commit([{ kind: 'extended', holds: [[row.hold_id, row.until_ms]] }]);
    const asked = { op: 'extend' as const, hold_id: row.hold_id };
    const common = { wish: `w${++this.#ids}`, user, asked, outcome: 'done' as const, code: null };
    this.#tell(given, { ...common, holds: [reported(row)], revision });
  }

  #end(
    given: Step,
    user: string,
    row: Draft['state']['holds'][number],
    kind: 'release' | 'sell',
  ): void {
    const { hold_id, seat_id } = row;
    const isSold = kind === 'sell';
    const reason = isSold ? 'checkout_completed' : 'user_cancelled';
    this.#close(row, isSold ? 'converted' : 'cancelled', reason);
    this.trail.push({ action: isSold ? reason : 'seat_released', hold_id });
    const ended = isSold ? { kind: 'sold', holds: [hold_id] } : undefined;
    const revision = this.#commit([ended ?? { kind: 'ended', reason, holds: [hold_id] }]);
    const asked = { op: kind, hold_ids: [hold_id] };
    const common = { wish: `w${++this.#ids}`, user, asked, outcome: 'done' as const, code: null };
    if (!isSold) return this.#tell(given, { ...common, holds: [reported(row)], revision });
    const ticket = { ticket_id: `t${++this.#ids}`, seat_id, status: 'active' };
    this.tickets.push({ ...ticket, hold_id, checkout_id: 'c' });
    this.#tell(given, { ...common, holds: [], revision, told: { tickets: [{ ...ticket }] } });
  }

  #void(given: Step, user: string): void {
    const ticket = this.tickets.find(({ status }) => status === 'active');
    if (!ticket) return;
    ticket.status = 'voided';
    const revision = this.#commit([]);
    const asked = { op: 'void' as const, ticket_id: ticket.ticket_id };
    const common = { wish: `w${++this.#ids}`, user, asked, outcome: 'done' as const, code: null };
    this.#tell(given, { ...common, holds: [], revision });
  }

  #read(given: Step, user: string, seat_id: string): void {
    const status = this.#holderOf(seat_id) ? 'held' : 'available';
    const asked = { op: 'read' as const, seat_id };
    const common = { wish: `w${++this.#ids}`, user, asked, outcome: 'done' as const, code: null };
    this.#tell(given, { ...common, holds: [], revision: null, told: { status } });
  }

  #expire(): void {
    const due = this.holds.filter(
      (one) => one.status === 'active' && one.until_ms <= OFFSET_MS + this.#now,
    );
    for (const row of due) {
      this.#close(row, 'expired', 'ttl_expired');
      this.trail.push({ action: 'seat_hold_expired', hold_id: row.hold_id });
      this.#commit([{ kind: 'ended', reason: 'ttl_expired', holds: [row.hold_id] }]);
    }
  }

  #close(row: Draft['state']['holds'][number], status: string, reason: string): void {
    Object.assign(row, { status, end_reason: reason, ended_ms: OFFSET_MS + this.#now });
  }

  #holderOf(seat: string) {
    return this.holds.find((one) => one.status === 'active' && one.seat_id === seat);
  }

  #ticketOf(seat: string) {
    return this.tickets.find((one) => one.status === 'active' && one.seat_id === seat);
  }

  #commit(changes: unknown[]): number {
    const revision = this.log.length + 1;
    this.log.push({ revision, hash: `hash${revision}`, changes });
    return revision;
  }

  #tell(
    { there_ms, back_ms, answered }: Step,
    told: Pick<Operation, 'wish' | 'user' | 'asked' | 'outcome' | 'code' | 'holds'> &
      Partial<Pick<Operation, 'revision' | 'told'>>,
  ): void {
    const number = this.operations.length + 1;
    const times = { invoked_ms: this.#now - there_ms, returned_ms: this.#now + back_ms };
    const operation = { node: 'one', number, key: null, replayed: false, revision: null, ...times };
    const { told: _, ...silent } = told;
    const lost = { ...silent, outcome: 'unknown' as const, holds: [], revision: null };
    this.operations.push({ ...operation, ...structuredClone(answered ? told : lost) } as never);
  }
}

function reported({ hold_id, seat_id, zone_id, quantity, until_ms }: HoldRow) {
  return { hold_id, seat_id, zone_id, quantity, until_ms };
}

/** A run of a store that is right. */
export function smallHistory(given: readonly Step[]): History & Draft {
  const store = new SmallStore();
  for (const one of given) store.take(one);
  store.end();
  const { operations, holds, tickets, log, trail } = store;
  const live = holds.filter(({ status }) => status === 'active');
  const sold = tickets.filter(({ status }) => status === 'active');
  const seats = SEATS.map((seat_id) => {
    const hold = live.find((one) => one.seat_id === seat_id);
    const isSold = sold.some((one) => one.seat_id === seat_id);
    const status = hold ? 'held' : isSold ? 'sold' : 'available';
    const until_ms = hold?.until_ms ?? null;
    return { seat_id, zone_id: ZONE, status, seat_hold_id: hold?.hold_id ?? null, until_ms };
  });
  const counts = { held: live.length, sold: sold.length, blocked: 0 };
  return {
    operations,
    state: {
      revision: log.length,
      head: `hash${log.length}`,
      holds,
      seats,
      zones: [{ zone_id: ZONE, has_seats: true, capacity: SEATS.length, ...counts }],
      log,
      checkouts: [],
      attempts: [],
      messages: [],
      tickets,
      refunds: [],
      trail,
      trailProblem: null,
      loaded: 'a board',
      replayed: 'a board',
      loadedDigest: 'digest',
    },
    boards: [],
    wall_offset_ms: OFFSET_MS,
  } as unknown as History & Draft;
}

/** Plants something; null when there is nothing that it could be planted in. */
type Mutation = (history: Draft, where: number) => Invariant | null;

function among<Item>(items: readonly Item[], where: number): Item | null {
  return items[where % Math.max(1, items.length)] ?? null;
}

const doneHolds = ({ operations }: Draft) =>
  operations.filter(({ asked, outcome }) => asked.op === 'hold' && outcome === 'done');

/** Each kind of lie or loss, in whatever history it happens. */
export const mutations: Readonly<Record<string, Mutation>> = {
  'a hold that is lost': (history, where) => {
    const id = among(doneHolds(history), where)?.holds[0]?.hold_id;
    if (!id) return null;
    history.state.holds = history.state.holds.filter(({ hold_id }) => hold_id !== id);
    return 'I2';
  },
  'a ticket that is lost': (history, where) => {
    const shown = history.operations.flatMap(({ told }) => told?.tickets ?? []);
    const id = among(shown, where)?.ticket_id;
    if (!id) return null;
    history.state.tickets = history.state.tickets.filter(({ ticket_id }) => ticket_id !== id);
    return 'I2';
  },
  'a hold that nobody asked for': (history, where) => {
    const wish = among(history.state.holds, where)?.cart_token;
    if (!wish) return null;
    history.operations = history.operations.filter((one) => one.wish !== wish);
    return 'I3';
  },
  'a release that nobody asked for': (history, where) => {
    const row = among(
      history.state.holds.filter(({ status }) => status === 'expired'),
      where,
    );
    if (!row) return null;
    row.end_reason = 'admin_override';
    return 'I3';
  },
  'a wish that was carried out twice': (history, where) => {
    const row = among(history.state.holds, where);
    if (!row) return null;
    const twin = { ...row, hold_id: `${row.hold_id} again` };
    history.state.holds.push(twin);
    const revision = history.state.log.length + 1;
    const seats = [[twin.hold_id, 0]];
    history.state.log.push({ revision, hash: 'x', changes: [{ kind: 'held', seats }] } as never);
    return 'I4';
  },
  'a refusal because of a hold that was over': (history, where) => {
    const row = among(
      history.state.holds.filter(({ end_reason }) => end_reason === 'ttl_expired'),
      where,
    );
    if (!row?.seat_id) return null;
    const { seat_id } = row;
    const invoked_ms = Math.max(...history.state.holds.map(({ until_ms }) => until_ms)) + 9_000;
    const asked = { op: 'hold', items: [{ seat_id }] };
    const times = { invoked_ms: invoked_ms - OFFSET_MS, returned_ms: invoked_ms - OFFSET_MS + 1 };
    const common = { node: 'one', number: 999, wish: 'late', user: 'eve', key: null };
    const refused = { outcome: 'refused', code: 'seat_held_by_another_user', replayed: false };
    const lie = { ...common, asked, ...times, ...refused, revision: null, holds: [] };
    history.operations.push(lie as never);
    return 'I5';
  },
  'half a group': (history, where) => {
    const groups = doneHolds(history).filter(({ holds }) => holds.length > 1);
    const id = among(groups, where)?.holds[0]?.hold_id;
    if (!id) return null;
    history.state.holds = history.state.holds.filter(({ hold_id }) => hold_id !== id);
    return 'I6';
  },
  'a hold that ends twice': (history, where) => {
    const ends = history.state.trail.filter(({ action }) => action !== 'seat_reserved');
    const end = among(
      ends.filter(({ action }) => action !== 'seat_hold_extended'),
      where,
    );
    if (!end) return null;
    history.state.trail.push({ ...end });
    return 'I7';
  },
  'a counter that is wrong': (history) => {
    const [zone] = history.state.zones;
    if (zone) zone.held++;
    return 'I8';
  },
  'a gap in the log': (history, where) => {
    history.state.log.splice(where % history.state.log.length, 1);
    return 'I9';
  },
};

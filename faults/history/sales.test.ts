import { describe, expect, it } from 'vitest';
import { checkHistory, type Operation } from './history.ts';
import { aGoodHistory, type Draft, done } from './planted.ts';

type Wish = Partial<Pick<Operation, 'told' | 'outcome'>> & Pick<Operation, 'asked'>;

/** Bob checks his seat out, pays, and gets a ticket. */
function aSale(): Draft {
  const history = aGoodHistory();
  const { state, operations } = history;
  const said = (number: number, user: string, { asked, told, outcome = 'done' }: Wish) => {
    const wish = `sale ${number}`;
    const base = done(number, 2_100 + number, { wish, user, asked, revision: null, holds: [] });
    operations.push({ ...base, outcome, ...(told ? { told } : {}) } as (typeof operations)[number]);
  };
  const about = { attempt_id: 'a1', amount_cents: 100, hold_ids: ['h3'] };
  const type = 'payment.succeeded' as const;
  said(20, 'bob', { asked: { op: 'checkout', hold_ids: ['h3'] }, told: { checkout_id: 'c1' } });
  said(21, 'bob', {
    asked: { op: 'pay', checkout_id: 'c1' },
    told: { attempt_id: 'a1', amount_cents: 100 },
  });
  said(22, 'bob', {
    asked: { op: 'message', message_id: 'm1', type, ...about },
    told: { outcome: 'completed' },
  });
  const ticket = { ticket_id: 't1', seat_id: 's2', status: 'active' };
  said(23, 'bob', { asked: { op: 'tickets', checkout_id: 'c1' }, told: { tickets: [ticket] } });
  state.checkouts.push({ checkout_id: 'c1', user_id: 'bob', status: 'completed' });
  const deadline_ms = 1_009_000;
  state.attempts.push({ attempt_id: 'a1', checkout_id: 'c1', status: 'succeeded', deadline_ms });
  state.messages.push({ message_id: 'm1', attempt_id: 'a1', outcome: 'completed' });
  state.tickets.push({ ...ticket, hold_id: 'h3', checkout_id: 'c1' });
  const row = state.holds.find(({ hold_id }) => hold_id === 'h3');
  Object.assign(row ?? {}, { status: 'converted', end_reason: 'checkout_completed' });
  Object.assign(row ?? {}, { ended_ms: 1_002_122, checkout_id: 'c1' });
  state.trail.push({ action: 'checkout_completed', hold_id: 'h3' });
  const sold = { kind: 'sold', holds: ['h3'] };
  state.log.push({ revision: 7, hash: 'hash7', changes: [sold] } as never);
  Object.assign(state, { revision: 7, head: 'hash7' });
  const seat = state.seats.find(({ seat_id }) => seat_id === 's2');
  Object.assign(seat ?? {}, { status: 'sold', seat_hold_id: null, until_ms: null });
  const zone = state.zones.find(({ has_seats }) => has_seats);
  Object.assign(zone ?? {}, { held: 1, sold: 1 });
  history.boards = [];
  return history;
}

function found(plant: (history: Draft) => unknown): string[] {
  const history = aSale();
  plant(history);
  const violations = checkHistory(history as Parameters<typeof checkHistory>[0]);
  return [...new Set(violations.map(({ invariant }) => invariant))].sort();
}

const messageOf = ({ operations }: Draft) => operations.find(({ asked }) => asked.op === 'message');

describe('a sale', () => {
  it('has no violation', () => {
    expect(found(() => {})).toEqual([]);
  });

  it.each([
    ['checkouts', ['I2']],
    ['attempts', ['I13', 'I2']],
    ['messages', ['I2']],
    // Nobody can say any more that it was made of its owner's own hold.
    ['tickets', ['I1', 'I13', 'I2']],
  ] as const)('whose %s are lost', (table, expected) => {
    expect(
      found(({ state }) => {
        state[table] = [];
      }),
    ).toEqual([...expected]);
  });

  it('that is paid for by a payment without seats and without a refund', () => {
    const fail = ({ state }: Draft) => {
      for (const attempt of state.attempts) attempt.status = 'failed';
    };
    expect(found(fail)).toEqual(['I13']);
    const refund = { attempt_id: 'a1', ticket_id: null };
    expect(
      found((history) => {
        fail(history);
        history.state.refunds.push(refund);
      }),
    ).toEqual([]);
  });

  it('that was paid for twice', () => {
    expect(
      found(({ state }) => {
        const [first] = state.attempts;
        if (first) state.attempts.push({ ...first, attempt_id: 'a2' });
      }),
    ).toEqual(['I13']);
  });

  it.each([
    ['ticket', ({ state }: Draft) => void state.tickets.push({ ...ROW, hold_id: 'h1' })],
    ['message', ({ state }: Draft) => void state.messages.push({ ...HEARD, message_id: 'm9' })],
    ['payment', ({ state }: Draft) => void state.attempts.push({ ...PAID, checkout_id: 'c9' })],
  ])('with a %s that nobody asked for', (_, plant) => {
    expect(found(plant)).toEqual(['I3']);
  });

  it('of a seat that somebody else was told they hold', () => {
    expect(
      found(({ operations }) => {
        const asked = { op: 'hold', items: [{ seat_id: 's2' }] } as const;
        const hold = { hold_id: 'h1', seat_id: 's2', zone_id: null, quantity: 1 };
        const holds = [{ ...hold, until_ms: 1_009_000 }];
        operations.push(done(30, 2_200, { wish: 'w1', user: 'eve', asked, revision: 7, holds }));
      }),
    ).toContain('I1');
  });

  it('whose message nobody heard of is judged by what there is', () => {
    expect(
      found((history) => {
        const message = messageOf(history);
        if (message) message.outcome = 'unknown';
      }),
    ).toEqual(['I4']);
  });
});

const ROW = { ticket_id: 't9', checkout_id: 'c1', seat_id: 's3', status: 'active' };
const HEARD = { attempt_id: 'a1', outcome: 'ignored' };
const PAID = { attempt_id: 'a9', status: 'pending', deadline_ms: 0 };

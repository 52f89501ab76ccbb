import { describe, expect, it } from 'vitest';
import { SEAT } from './board-state.ts';
import type { Command, HoldItem } from './commands.ts';
import type { TicketRecord } from './sale-commands.ts';
import { TASK_PIECE } from './tasks.ts';
import { aBoard, aZone, type BoardWish, block, hold, places, seat, seatId } from './test-boards.ts';
import { ANN, aCheckout, as, BOB, code, paying } from './test-checkouts.ts';
import { Stage } from './test-stage.ts';

const PIT = 2;
const CANCEL = { kind: 'change_event_state', step: 'cancel', reason: null } as const;

function sell(hold_ids: readonly string[], method: 'cash' | 'complimentary' = 'cash'): Command {
  return { kind: 'sell', hold_ids, method, sold_by: 'staff', for_holder: true };
}

/** Ann with tickets for these seats and places, bought at the door. */
function aTicket(items: readonly HoldItem[] = [seat(0)], wish: BoardWish = {}) {
  const tickets = new Map<string, TicketRecord>();
  const stage = new Stage(aBoard(wish), { facts: { tickets } });
  const { holds } = as(stage.ask(hold(ANN, items)), 'held');
  const sale = as(stage.ask(sell(holds.map(({ hold_id }) => hold_id))), 'sold');
  for (const { ticket_id, place, price_cents } of sale.tickets) {
    tickets.set(ticket_id, {
      ...{ ticket_id, price_cents, checkout_id: sale.checkout_id, attempt_id: null },
      ...{ user_id: ANN, status: 'active', currency: 'ZAR', owed: false, paid_back: false },
      ...{ seat_id: place.seat?.seat_id ?? null, zone_id: place.zone_id },
    });
  }
  const ids = [...tickets.keys()];
  const ticket_id = ids[0] ?? '';
  /** What the database says of it from now on. */
  const know = (wanted: Partial<TicketRecord>, id = ticket_id) => {
    const known = tickets.get(id);
    if (known) tickets.set(id, { ...known, ...wanted });
  };
  const end = (wanted: object = {}): Command => {
    const asked = { status: 'voided', block: false, reason: 'asked', ...wanted } as const;
    return { kind: 'end_ticket', ticket_id, ...asked };
  };
  const reseat = (ordinal: number, id = ticket_id): Command => {
    return { kind: 'reseat', ticket_id: id, seat_id: seatId(ordinal), reason: 'a pillar' };
  };
  const changes = () => stage.rows.at(-1)?.changes ?? [];
  return { stage, sale, ids, ticket_id, know, end, reseat, changes };
}

describe('a sale at the door', () => {
  it('has the prices of the zones, and none for what is given away', () => {
    const zones = [aZone(0, { price_cents: 700 }), aZone(1), aZone(PIT, { has_seats: false })];
    const { sale } = aTicket([seat(0), places(PIT, 2)], { zones });
    expect(sale.tickets.map(({ price_cents }) => price_cents)).toEqual([700, 1_000, 1_000]);
    expect(sale.total_cents).toBe(2_700);
    const stage = new Stage(aBoard({ zones }));
    const { holds } = as(stage.ask(hold(ANN, [seat(0)])), 'held');
    const ids = holds.map(({ hold_id }) => hold_id);
    expect(as(stage.ask(sell(ids, 'complimentary')), 'sold').total_cents).toBe(0);
  });

  it('takes each hold once, in whatever case its id is written', () => {
    const { stage, hold_ids } = aCheckout();
    const loud = hold_ids.map((id) => id.toUpperCase());
    expect(as(stage.ask(sell([...hold_ids, ...loud])), 'sold').tickets).toHaveLength(2);
  });

  it('is of one person, and names the hold that is not theirs or not there', () => {
    const { stage, hold_ids } = aCheckout();
    const { holds } = as(stage.ask(hold(BOB, [seat(5)])), 'held');
    const bobs = holds[0]?.hold_id ?? '';
    const refusal = { code: 'hold_not_found', details: { hold_id: bobs } };
    expect(stage.ask(sell([...hold_ids, bobs]))).toMatchObject(refusal);
    expect(stage.ask(sell([...hold_ids, 'gone']))).toMatchObject({ details: { hold_id: 'gone' } });
    expect(stage.ask(sell(['gone']))).toMatchObject({ details: { hold_id: 'gone' } });
  });

  it('is of nothing that is being paid for, nor of what is beside it', () => {
    const { stage, hold_ids } = paying();
    const { holds } = as(stage.ask(hold(ANN, [seat(4)], { cart_token: 'other' })), 'held');
    const other = holds[0]?.hold_id ?? '';
    expect(code(stage.ask(sell([other, ...hold_ids])))).toBe('payment_in_progress');
    expect(code(stage.ask(sell([other])))).toBe('sold');
  });

  it('is not of an event that does not sell, nor for an organization that is suspended', () => {
    const ended = aCheckout();
    const step = (wanted: 'open' | 'end') =>
      ({ kind: 'change_event_state', step: wanted, reason: null }) as const;
    ended.stage.flush(step('open'), step('end'));
    expect(ended.stage.ask(sell(ended.hold_ids))).toMatchObject({
      code: 'event_not_available',
      details: { status: 'ended' },
    });
    const facts = { organizationActive: true };
    const stage = new Stage(aBoard(), { facts });
    const { holds } = as(stage.ask(hold(ANN, [seat(0)])), 'held');
    facts.organizationActive = false;
    const outcome = stage.ask(sell(holds.map(({ hold_id }) => hold_id)));
    expect(code(outcome)).toBe('event_not_available');
  });
});

describe('the end of a ticket', () => {
  it('gives its seat back to the sale, and owes nothing when it was voided', () => {
    const { stage, ticket_id, end, changes } = aTicket();
    expect(stage.ask(end())).toEqual({ kind: 'ticket_ended', ticket_id, status: 'voided' });
    expect(stage.board.codeOf(0)).toBe(SEAT.available);
    expect(stage.board.countsOf(0)).toEqual({ held: 0, sold: 0, blocked: 0 });
    expect(changes().map(({ kind }) => kind)).toEqual(['ticket_ended']);
    expect(stage.complaints).toEqual([]);
  });

  it('keeps the seat out of the sale when staff say so', () => {
    const { stage, end } = aTicket();
    stage.ask(end({ block: true }));
    expect(stage.board.codeOf(0)).toBe(SEAT.blocked);
    expect(stage.board.countsOf(0)).toEqual({ held: 0, sold: 0, blocked: 1 });
  });

  it('leaves a seat blocked that was blocked while it was sold', () => {
    const { stage, end } = aTicket();
    stage.ask(block([0]));
    expect(stage.board.codeOf(0)).toBe(SEAT.blockedSold);
    stage.ask(end());
    expect(stage.board.codeOf(0)).toBe(SEAT.blocked);
    expect(stage.board.countsOf(0)).toEqual({ held: 0, sold: 0, blocked: 1 });
  });

  it('owes the price of a refunded one, once', () => {
    const { stage, sale, ticket_id, end, changes } = aTicket();
    stage.ask(end({ status: 'refunded' }));
    expect(changes()[1]).toEqual({
      ...{ kind: 'refund_due', refund_id: expect.any(String), attempt_id: null, ticket_id },
      ...{ checkout_id: sale.checkout_id, amount_cents: 1_000, currency: 'ZAR' },
      reason: 'ticket_refunded',
    });
  });

  it.each<[string, Partial<TicketRecord>]>([
    ['was free', { price_cents: 0 }],
    ['is owed already', { owed: true }],
    ['has been paid back', { paid_back: true }],
  ])('owes nothing for one that %s', (_, known) => {
    const { stage, know, end, changes } = aTicket();
    know(known);
    stage.ask(end({ status: 'refunded' }));
    expect(changes().map(({ kind }) => kind)).toEqual(['ticket_ended']);
  });

  it('gives a place back to the zone that it was sold in', () => {
    const { stage, end } = aTicket([places(PIT, 2)]);
    stage.ask(end());
    const counts = [0, 1, PIT].map((zone) => stage.board.countsOf(zone).sold);
    expect(counts).toEqual([0, 0, 1]);
  });

  it('happens once: a repeat changes nothing, and what was refunded is not voided', () => {
    const { stage, know, end } = aTicket();
    know({ status: 'refunded' });
    const { revision } = stage.board;
    expect(stage.ask(end({ status: 'refunded' }))).toMatchObject({ kind: 'ticket_ended' });
    const refused = { kind: 'refused', code: 'ticket_ended', details: { status: 'refunded' } };
    expect(stage.ask(end())).toMatchObject(refused);
    know({ status: 'voided' });
    expect(stage.ask(end())).toMatchObject({ kind: 'ticket_ended', status: 'voided' });
    expect(stage.board.revision).toBe(revision);
  });

  it('of a voided one that is refunded later owes its price and takes nobody’s seat', () => {
    const { stage, know, end, changes } = aTicket();
    stage.ask(end());
    know({ status: 'voided' });
    stage.ask(hold(BOB, [seat(0)]));
    stage.ask(end({ status: 'refunded' }));
    expect(changes().map(({ kind }) => kind)).toEqual(['ticket_ended', 'refund_due']);
    expect(stage.board.holdOfSeat(0)?.user_id).toBe(BOB);
    expect(stage.complaints).toEqual([]);
  });

  it('of a voided one does not need the seat that it had', () => {
    const { stage, know, end, changes } = aTicket();
    know({ status: 'voided', seat_id: seatId(99) });
    stage.ask(end({ status: 'refunded' }));
    expect(changes()[0]).toMatchObject({ ordinal: -1, zone: 0, vacates: false });
  });

  it('needs a ticket, and waits when the same flush has changed it', () => {
    const { stage, end } = aTicket();
    expect(code(stage.ask(end({ ticket_id: 'none' })))).toBe('ticket_not_found');
    expect(stage.flush(end(), end()).map(code)).toEqual(['ticket_ended', 'again']);
  });
});

describe('another seat for a ticket', () => {
  it('takes it and frees the old one, in one commit', () => {
    const { stage, ticket_id, reseat } = aTicket();
    const moved = as(stage.ask(reseat(9)), 'reseated');
    expect(moved).toMatchObject({ ticket_id, place: { seat: { label: 'A-10' } } });
    expect([stage.board.codeOf(0), stage.board.codeOf(9)]).toEqual([SEAT.available, SEAT.sold]);
    expect([0, 1].map((zone) => stage.board.countsOf(zone).sold)).toEqual([0, 1]);
    expect(stage.complaints).toEqual([]);
  });

  it('that it has already changes nothing', () => {
    const { stage, reseat } = aTicket();
    const { revision } = stage.board;
    expect(as(stage.ask(reseat(0)), 'reseated').place.seat?.label).toBe('A-1');
    expect(stage.board.revision).toBe(revision);
  });

  it('has to be there and free', () => {
    const { stage, reseat } = aTicket([seat(0)], { sold: [4], blocked: [5] });
    stage.ask(hold(BOB, [seat(6)]));
    const { until_ms } = stage.board.holdOfSeat(6) ?? {};
    const why = (ordinal: number) => {
      const outcome = stage.ask(reseat(ordinal));
      return outcome.kind === 'refused' ? outcome.items[0] : outcome.kind;
    };
    const none = { code: 'seat_not_available' };
    expect(why(99)).toEqual({ seat_id: seatId(99), code: 'seat_not_found' });
    expect(why(4)).toMatchObject({ ...none, label: 'A-5', current_status: 'sold' });
    expect(why(5)).toMatchObject({ ...none, label: 'A-6', current_status: 'blocked' });
    expect(why(6)).toMatchObject({ code: 'seat_held_by_another_user', until_ms, label: 'A-7' });
    expect(stage.board.codeOf(0)).toBe(SEAT.sold);
  });

  it('is none that staff have closed and the work has not reached', () => {
    const count = 3 * TASK_PIECE;
    const wish = { seats: Array<number>(count).fill(0), zones: [aZone(0)] };
    const { stage, reseat } = aTicket([seat(0)], wish);
    stage.ask(block(Array.from({ length: count - 1 }, (_, index) => index + 1)));
    const last = count - 1;
    expect([stage.board.codeOf(last), stage.board.isClosing(last)]).toEqual([0, true]);
    expect(stage.ask(reseat(last))).toMatchObject({
      code: 'seat_not_available',
      items: [{ current_status: 'blocked' }],
    });
  });

  it('is for good tickets with a seat', () => {
    const standing = aTicket([places(PIT, 1)]);
    expect(code(standing.stage.ask(standing.reseat(3)))).toBe('ticket_ended');
    const voided = aTicket();
    voided.know({ status: 'voided' });
    expect(voided.stage.ask(voided.reseat(3))).toMatchObject({
      code: 'ticket_ended',
      details: { status: 'voided' },
    });
    expect(code(voided.stage.ask(voided.reseat(3, 'none')))).toBe('ticket_not_found');
  });

  it('waits for a seat that another ticket has left in the same flush', () => {
    const { stage, ids, reseat } = aTicket([seat(0), seat(1)]);
    const outcomes = stage.flush(reseat(5), reseat(0, ids[1]));
    expect(outcomes.map(code)).toEqual(['reseated', 'again']);
    expect(code(stage.ask(reseat(0, ids[1])))).toBe('reseated');
  });
});

describe('money for the tickets of an event that is called off', () => {
  const owe = (ticket_ids: readonly string[]): Command => ({ kind: 'owe_tickets', ticket_ids });

  it('is owed once for each that is good', () => {
    const { stage, sale, ids, know, changes } = aTicket([places(PIT, 4)]);
    stage.ask(CANCEL);
    know({ owed: true }, ids[1]);
    know({ paid_back: true }, ids[2]);
    know({ status: 'voided' }, ids[3]);
    expect(stage.ask(owe([...ids, 'none']))).toEqual({ kind: 'tickets_owed', tickets: 1 });
    expect(changes()).toEqual([
      {
        ...{ kind: 'refund_due', refund_id: expect.any(String), ticket_id: ids[0] },
        ...{ checkout_id: sale.checkout_id, attempt_id: null, amount_cents: 1_000 },
        ...{ currency: 'ZAR', reason: 'event_cancelled' },
      },
    ]);
  });

  it('is not owed twice in one flush, nor while the event takes place', () => {
    const { stage, ids } = aTicket([places(PIT, 2)]);
    expect(stage.ask(owe(ids))).toEqual({ kind: 'tickets_owed', tickets: 0 });
    stage.ask(CANCEL);
    expect(stage.flush(owe(ids), owe(ids))).toMatchObject([{ tickets: 2 }, { tickets: 0 }]);
  });
});

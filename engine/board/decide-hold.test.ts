import { describe, expect, it } from 'vitest';
import type { Membership, Role } from '#accounts';
import type { AccessMode, SeatingPolicy } from '#policies';
import type { Outcome } from './board.ts';
import {
  aBoard,
  aZone,
  type BoardWish,
  hold,
  MINUTE_MS,
  ON_SALE,
  places,
  release,
  START_MS,
  seat,
  seatId,
  zoneId,
} from './test-boards.ts';
import { Stage } from './test-stage.ts';

const said = (outcome: Outcome | undefined) =>
  outcome?.kind === 'refused' ? outcome.code : outcome?.kind;

describe('a wish', () => {
  it('is all or nothing, and says of each part why it failed', () => {
    const stage = new Stage(aBoard({ sold: [1] }));
    stage.flush(hold('ann', [seat(0)]));
    const items = [seat(4), seat(0), seat(1), seat(99), places(2, 9), places(1, 1)];
    const outcome = stage.ask(hold('bob', items));
    const until_ms = START_MS + 10 * MINUTE_MS;
    expect(outcome).toMatchObject({
      code: 'seat_held_by_another_user',
      items: [
        { seat_id: seatId(0), label: 'A-1', code: 'seat_held_by_another_user', until_ms },
        { seat_id: seatId(1), code: 'seat_not_available', current_status: 'sold' },
        { seat_id: seatId(99), code: 'seat_not_found' },
        { zone_id: zoneId(1), code: 'zone_not_found' },
        { zone_id: zoneId(2), code: 'block_at_capacity' },
      ],
    });
    expect(stage.rows).toHaveLength(1);
  });

  it('for a mixed cart is one wish: two seats and two zones are four holds', () => {
    const zones = [aZone(0), aZone(1, { has_seats: false }), aZone(2, { has_seats: false })];
    const stage = new Stage(aBoard({ seats: [0, 0], zones }));
    const outcome = stage.ask(hold('ann', [places(2, 1), seat(1), places(1, 2), seat(0)]));
    if (outcome.kind !== 'held') throw new Error('it is held');
    const found = outcome.holds.map(({ ordinal, zone, quantity }) => [ordinal, zone, quantity]);
    expect(found).toEqual([
      [-1, 2, 1],
      [1, 0, 1],
      [-1, 1, 2],
      [0, 0, 1],
    ]);
    expect(new Set(outcome.holds.map(({ cart_token }) => cart_token)).size).toBe(1);
  });

  it('for places twice needs room for both', () => {
    const stage = new Stage(aBoard());
    const twice = hold('ann', [places(2, 4), places(2, 5)]);
    expect(stage.ask(twice)).toMatchObject({ code: 'block_at_capacity' });
    expect(stage.ask(hold('ann', [places(2, 4), places(2, 4)]))).toMatchObject({ kind: 'held' });
    expect(stage.board.countsOf(2).held).toBe(8);
  });

  it('for places has the room that is left by holds, tickets and blocks', () => {
    const ask = (quantity: number) => {
      const counts = { 2: { sold: 3, blocked: 2 } };
      const stage = new Stage(aBoard({ counts }));
      stage.flush(hold('bob', [places(2, 1)]));
      return said(stage.ask(hold('ann', [places(2, quantity)])));
    };
    expect([ask(2), ask(3)]).toEqual(['held', 'block_at_capacity']);
  });

  it('for places of a closed zone is refused', () => {
    const zones = [aZone(0), aZone(1, { has_seats: false, disabled: true })];
    const stage = new Stage(aBoard({ seats: [0], zones }));
    expect(stage.ask(hold('ann', [places(1, 1)]))).toMatchObject({ code: 'block_at_capacity' });
  });

  it('lasts as long as the request, the demo or the policy says', () => {
    const lasts = (hold_seconds: number | null, demoHoldSeconds: number | null) => {
      const stage = new Stage(aBoard(), { facts: { demoHoldSeconds } });
      stage.flush(hold('ann', [seat(0)], { hold_seconds }));
      return ((stage.board.holdOfSeat(0)?.until_ms ?? 0) - START_MS) / 1_000;
    };
    expect([lasts(null, null), lasts(90, null), lasts(null, 7)]).toEqual([600, 90, 7]);
  });

  it('carries who made it, from where and why', () => {
    const stage = new Stage(aBoard());
    const more = { ip: 'hash', made_by: 'staff', notes: 'by phone', source: 'box_office' } as const;
    stage.flush(hold('ann', [seat(0)], more));
    expect(stage.board.holdOfSeat(0)).toMatchObject(more);
  });
});

describe('carts', () => {
  it('are kept: the next seat goes where the last one went', () => {
    const stage = new Stage(aBoard());
    stage.flush(hold('ann', [seat(0)], { cart_token: 'one' }));
    stage.flush(hold('ann', [seat(1)], { cart_token: 'two' }));
    expect(stage.ask(hold('ann', [seat(2)]))).toMatchObject({ cart_token: 'two' });
    stage.flush(release({ user_id: 'ann' }));
    const outcome = stage.ask(hold('ann', [seat(2)]));
    expect(outcome.kind === 'held' && outcome.cart_token).not.toBe('two');
  });

  it('do not exchange what is in them', () => {
    const stage = new Stage(aBoard());
    stage.flush(hold('ann', [seat(0)], { cart_token: 'one' }));
    const outcome = stage.ask(hold('ann', [seat(0), seat(1)], { cart_token: 'two' }));
    expect(outcome).toMatchObject({
      existing: false,
      cart_token: 'two',
      holds: [{ cart_token: 'one' }, { cart_token: 'two' }],
    });
  });
});

describe('the sale', () => {
  const ask = (event: BoardWish['event'], wanted = {}, organizationActive = true) => {
    const stage = new Stage(aBoard({ event: { ...ON_SALE, ...event } }), {
      facts: { organizationActive },
    });
    return said(stage.ask(hold('ann', [seat(0)], wanted)));
  };
  const staff = { made_by: 'staff' };

  it('has a window, which staff may ignore', () => {
    const early = { sale_opens_ms: START_MS + 1 };
    const late = { sale_closes_ms: START_MS - 1 };
    expect([ask(early), ask(late)]).toEqual(['event_sales_closed', 'event_sales_closed']);
    expect([ask(early, staff), ask(late, staff)]).toEqual(['held', 'held']);
    const exact = { sale_opens_ms: START_MS, sale_closes_ms: START_MS };
    expect(ask(exact)).toBe('held');
  });

  it('is only of events that sell, by organizations that may', () => {
    const states = ['draft', 'ended', 'cancelled', 'archived'] as const;
    for (const status of states) expect(ask({ status }, staff)).toBe('event_not_available');
    expect(ask({ status: 'postponed', rescheduled: false })).toBe('event_not_available');
    expect(ask({ status: 'postponed', rescheduled: true })).toBe('held');
    expect(ask({ status: 'live' })).toBe('held');
    expect(ask({}, staff, false)).toBe('event_not_available');
    const ended = new Stage(aBoard({ event: { ...ON_SALE, status: 'ended' } }));
    expect(ended.ask(hold('ann', [seat(0)]))).toMatchObject({ details: { status: 'ended' } });
  });
});

describe('limits', () => {
  const over = (policy: Partial<SeatingPolicy>, ...wishes: readonly ReturnType<typeof hold>[]) => {
    const stage = new Stage(aBoard({ policy }));
    return wishes.map((wish) => {
      const outcome = stage.ask(wish);
      return outcome.kind === 'refused' ? outcome.details : outcome.kind;
    });
  };

  it('are per booking, per user and per address, and count places', () => {
    const two = hold('ann', [seat(0), places(2, 1)], { ip: 'home', cart_token: 'one' });
    const third = hold('ann', [seat(1)], { ip: 'home', cart_token: 'one' });
    const other = { ...third, cart_token: 'two' };
    const foreign = { ...third, user_id: 'bob' };
    const most = { most: 2, held: 2 };
    expect(over({ max_seats_per_booking: 2 }, two, third, other, foreign)).toEqual([
      'held',
      { limit: 'max_seats_per_booking', ...most },
      { limit: 'max_seats_per_booking', ...most },
      'held',
    ]);
    expect(over({ max_holds_per_user: 2 }, two, other, foreign)).toEqual([
      'held',
      { limit: 'max_holds_per_user', ...most },
      'held',
    ]);
    expect(over({ max_holds_per_ip: 2 }, two, foreign, { ...foreign, ip: null })).toEqual([
      'held',
      { limit: 'max_holds_per_ip', ...most },
      'held',
    ]);
  });

  it('say whose they are, how many there are and how many were asked for', () => {
    const saidOf = (policy: Partial<SeatingPolicy>, user: string) => {
      const stage = new Stage(aBoard({ policy }));
      stage.ask(hold('ann', [seat(0), seat(1)], { ip: 'home' }));
      const outcome = stage.ask(hold(user, [seat(2)], { ip: 'home' }));
      return outcome.kind === 'refused' ? outcome.message : outcome.kind;
    };
    expect(saidOf({ max_holds_per_user: 2 }, 'ann')).toBe(
      'You may hold 2 seats of this event at a time: you hold 2, and you asked for 1 more.',
    );
    const others = 'seats of this event at a time: they hold 2, and you asked for 1 more.';
    expect(saidOf({ max_holds_per_ip: 2 }, 'bob')).toBe(
      `Buyers at your internet address may hold 2 ${others}`,
    );
  });

  it('do not stop staff, nor somebody who asks for what they have', () => {
    const first = hold('ann', [seat(0)]);
    const more = hold('ann', [seat(1), seat(2)], { made_by: 'staff' });
    const outcomes = over({ max_holds_per_user: 1 }, first, first, more, first);
    expect(outcomes).toEqual(['held', 'held', 'held', 'held']);
  });

  it('hold guests of one address to forty where the policy says nothing', () => {
    const guests = Array.from({ length: 6 }, (_, n) =>
      hold(`guest ${n}`, [places(0, 8)], { ip: 'hall', guest: true }),
    );
    const zones = [aZone(0, { has_seats: false })];
    const stage = new Stage(aBoard({ seats: [], zones }));
    const outcomes = stage.flush(...guests).map(said);
    expect(outcomes).toEqual(['held', 'held', 'held', 'held', 'held', 'hold_limit_reached']);
  });
});

describe('a restricted zone', () => {
  const member = (role: Role, active = true, tier: string | null = null): Membership => ({
    role,
    tier,
    active,
  });

  function ask(
    zone: Parameters<typeof aZone>[1],
    membership: Membership | null | undefined,
    wanted: { role?: Role; made_by?: string } = {},
  ) {
    const memberships = new Map(membership === undefined ? [] : [['ann', membership]]);
    const board = aBoard({ seats: [0], zones: [aZone(0, zone)] });
    const stage = new Stage(board, { facts: { memberships } });
    return said(stage.ask(hold('ann', [seat(0)], wanted)));
  }

  it('asks who this is, once', () => {
    const zone = { access_mode: 'role_based', allowed_roles: ['staff'] } as const;
    expect(ask(zone, undefined)).toBe('needs_membership');
    expect(ask({ access_mode: 'public' }, undefined)).toBe('held');
    expect(ask(zone, undefined, { made_by: 'staff' })).toBe('held');
  });

  it('is for roles: the lower of what is claimed and what is true', () => {
    const zone = { access_mode: 'role_based', allowed_roles: ['staff'] } as const;
    const claims = { role: 'staff' } as const;
    expect(ask(zone, null, claims)).toBe('held');
    expect(ask(zone, null)).toBe('zone_access_denied');
    expect(ask(zone, member('staff'), claims)).toBe('held');
    expect(ask(zone, member('staff', false), claims)).toBe('zone_access_denied');
    expect(ask(zone, member('customer'), claims)).toBe('zone_access_denied');
  });

  it('is for tiers: only an active membership has one', () => {
    const zone = { access_mode: 'membership_tier', membership_tier: 'gold' } as const;
    expect(ask(zone, member('customer', true, 'gold'))).toBe('held');
    expect(ask(zone, member('customer', true, 'silver'))).toBe('zone_access_denied');
    expect(ask(zone, member('customer', false, 'gold'))).toBe('zone_access_denied');
    expect(ask(zone, null)).toBe('zone_access_denied');
  });

  it('of a kind that is not known lets nobody in', () => {
    const access_mode = 'a new one' as AccessMode;
    expect(ask({ access_mode }, member('owner'))).toBe('zone_access_denied');
  });
});

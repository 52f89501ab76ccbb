import { describe, expect, it } from 'vitest';
import { type BestRequest, Draft, type HoldCommand, judgeCart, type Outcome } from './board.ts';
import type { BoardState } from './board-state.ts';
import {
  aBoard,
  aZone,
  type BoardWish,
  block,
  hold,
  MINUTE_MS,
  places,
  release,
  START_MS,
  seat,
  zoneId,
} from './test-boards.ts';
import { BEST } from './test-commands.ts';
import { type Parts, Stage } from './test-stage.ts';

const STRICT = { orphan_avoidance_strict: true } as const;

/** One row of ten seats, as the specification draws it; those that are not named are sold. */
function aRow(free: readonly number[], wanted: BoardWish = {}, parts: Partial<Parts> = {}): Stage {
  const seats = Array<number>(10).fill(0);
  const sold = seats.map((_, ordinal) => ordinal).filter((one) => !free.includes(one + 1));
  const policy = { ...STRICT, ...wanted.policy };
  return new Stage(
    aBoard({ seats, zones: [aZone(0, { capacity: 10 })], sold, ...wanted, policy }),
    parts,
  );
}

function best(user: string, quantity: number, wanted: Partial<BestRequest> = {}): HoldCommand {
  return hold(user, [], {
    best: { ...BEST, quantity, ...wanted },
  });
}

const labels = (outcome: Outcome | undefined): string[] => {
  if (outcome?.kind !== 'held') return [`not held: ${JSON.stringify(outcome)}`];
  return outcome.places.map(({ seat: one, zone_name }) => one?.label ?? zone_name);
};

const picks = (...numbers: number[]) => numbers.map((number) => seat(number - 1));

describe('best available on a board', () => {
  it('takes 3 and 4 of the specification’s row, because nobody is left alone', () => {
    const stage = aRow([1, 3, 4, 6, 7, 8, 10]);
    const outcome = stage.ask(best('ann', 2));
    expect(labels(outcome)).toEqual(['A-3', 'A-4']);
    expect(outcome).toMatchObject({
      existing: false,
      offer: { adjacent: true, message: '2 together in row A', orphans: [], quantity: 2 },
    });
  });

  it('serves everybody of one flush, each on what the one before has left', () => {
    const stage = aRow([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const asked = Array.from({ length: 6 }, (_, user) => best(`user ${user}`, 2));
    const outcomes = stage.flush(...asked);
    const held = outcomes.flatMap(labels);
    expect(new Set(held.slice(0, 10)).size).toBe(10);
    expect(outcomes[5]).toMatchObject({ kind: 'refused', code: 'no_available_seats' });
    expect(stage.complaints).toEqual([]);
  });

  it('refuses a pair of singles where groups must sit together, else says how they sit', () => {
    const strict = aRow([1, 3, 5], { policy: { ...STRICT, group_adjacency_strict: true } });
    expect(strict.ask(best('ann', 2))).toMatchObject({
      code: 'no_adjacent_seats',
      message: 'No suitable seat pairs available.',
    });
    const effort = aRow([1, 3, 5]).ask(best('ann', 2));
    expect(effort).toMatchObject({
      kind: 'held',
      offer: { adjacent: false, message: '2 not together in row A' },
    });
    const asked = aRow([1, 3, 5]).ask(best('ann', 2, { together: true }));
    expect(asked).toMatchObject({ code: 'no_adjacent_seats' });
  });

  it('lets a party grow beside the seats it has', () => {
    const stage = aRow([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    stage.ask(hold('ann', picks(9, 10)));
    const grown = stage.ask(best('ann', 2));
    expect(labels(grown)).toEqual(['A-7', 'A-8']);
    expect(grown).toMatchObject({ offer: { adjacent: true, message: '4 together in row A' } });
    // Another cart is another party.
    const other = { ...best('ann', 2), cart_token: 'another' };
    expect(labels(stage.ask(other))).toEqual(['A-1', 'A-2']);
  });

  it('counts the whole party by the orphan rule, as the checkout will', () => {
    const stage = aRow([1, 2, 3, 4, 5, 6]);
    stage.ask(hold('ann', picks(5), { orphans: 'tell' }));
    const outcome = stage.ask(best('ann', 1));
    // Beside 5 sits 6, whom nobody would sit beside otherwise.
    expect(labels(outcome)).toEqual(['A-6']);
    expect(outcome).not.toHaveProperty('orphans');
  });

  it('refuses like any other wish: closed, too many, zones that are not there or not open', () => {
    const closed = new Stage(aBoard({ event: { status: 'cancelled' } }));
    expect(closed.ask(best('ann', 2))).toMatchObject({ code: 'event_not_available' });
    const stage = new Stage(
      aBoard({
        policy: { max_seats_per_booking: 4 },
        zones: [
          aZone(0, { capacity: 8, access_mode: 'whitelist' }),
          aZone(1, { capacity: 4, price_cents: 2_000 }),
          aZone(2, { has_seats: false, capacity: 8 }),
        ],
      }),
    );
    expect(stage.ask(best('ann', 5))).toMatchObject({ code: 'hold_limit_reached' });
    const nowhere = best('ann', 1, { zone_ids: [zoneId(7)] });
    expect(stage.ask(nowhere)).toMatchObject({ code: 'zone_not_found' });
    const listed = best('ann', 1, { zone_ids: [zoneId(0)] });
    expect(stage.ask(listed)).toMatchObject({ code: 'zone_access_denied' });
    expect(labels(stage.ask(best('ann', 4)))).toEqual(['A-9', 'A-10', 'A-11', 'A-12']);
    // Only who says that places will do gets places.
    expect(stage.ask(best('bob', 1))).toMatchObject({ code: 'no_available_seats' });
    const anywhere = stage.ask(best('bob', 2, { general_admission: true }));
    expect(labels(anywhere)).toEqual(['Zone 2']);
    expect(anywhere).toMatchObject({ offer: { message: '2 places without a seat in Zone 2' } });
  });

  it('asks who somebody is before it looks at a zone for members', () => {
    const zones = [
      aZone(0, { access_mode: 'membership_tier', membership_tier: 'gold' }),
      aZone(1),
      aZone(2, { has_seats: false }),
    ];
    const unknown = new Stage(aBoard({ zones }));
    expect(unknown.ask(best('ann', 1))).toEqual({ kind: 'needs_membership', user_id: 'ann' });
    const gold = { role: 'customer', tier: 'gold', active: true } as const;
    const known = new Stage(aBoard({ zones }), {
      facts: { memberships: new Map([['ann', gold]]) },
    });
    expect(known.ask(best('ann', 1, { zone_ids: [zoneId(0)] }))).toMatchObject({ kind: 'held' });
  });
});

describe('the orphan rule on picks', () => {
  const TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

  it('names what would be left alone and offers legal choices of the same size', () => {
    const outcome = aRow(TEN).ask(hold('ann', picks(2, 3)));
    expect(outcome).toMatchObject({
      code: 'orphan_rule',
      message: 'This choice would leave seat A-1 alone.',
      details: { orphans: ['A-1'] },
    });
    const details = outcome.kind === 'refused' ? outcome.details : {};
    const alternatives = details?.alternatives as unknown[];
    expect(alternatives).toHaveLength(3);
    expect(alternatives[0]).toMatchObject({ message: '2 together in row A' });
    for (const one of alternatives as { seats: { seat_id: string }[] }[]) {
      const again = hold('ann', one.seats);
      expect(aRow(TEN).ask(again)).toMatchObject({ kind: 'held' });
    }
  });

  it('is lifted by a buyer who insists, where the policy permits it', () => {
    const insists = hold('ann', picks(2, 3), { orphans: 'allow' });
    expect(aRow(TEN).ask(insists)).toMatchObject({
      kind: 'held',
      orphans: { labels: ['A-1'], reason: 'asked' },
    });
    const forbidden = { ...STRICT, allow_orphan_on_request: false };
    expect(aRow(TEN, { policy: forbidden }).ask(insists)).toMatchObject({ code: 'orphan_rule' });
  });

  it('only tells who picks seat by seat, and whoever buys through the box office', () => {
    const stage = aRow(TEN);
    const first = stage.ask(hold('ann', picks(2), { orphans: 'tell' }));
    expect(first).toMatchObject({ kind: 'held', orphans: { labels: ['A-1'], reason: 'told' } });
    const second = stage.ask(hold('ann', picks(1), { orphans: 'tell' }));
    expect(second).not.toHaveProperty('orphans');
    expect(stage.ask(hold('bob', picks(4, 5), { made_by: 'staff' }))).toMatchObject({
      kind: 'held',
      orphans: { labels: ['A-3'] },
    });
  });

  it('judges what is in the cart with what is picked', () => {
    const stage = aRow(TEN);
    stage.ask(hold('ann', picks(1, 2)));
    expect(stage.ask(hold('ann', picks(4)))).toMatchObject({
      code: 'orphan_rule',
      details: { orphans: ['A-3'] },
    });
    expect(stage.ask(hold('ann', picks(3, 4)))).toMatchObject({ kind: 'held' });
  });

  it('lets a sale through when the rule itself fails, and says so', () => {
    const troubles: string[] = [];
    class Broken extends Draft {
      override get free(): never {
        throw new Error('the index is upside down');
      }
    }
    const stage = aRow(
      TEN,
      {},
      {
        draft: (below: BoardState, at_ms: number) => new Broken(below, at_ms),
        facts: { trouble: (rule, error) => troubles.push(`${rule}: ${error}`) },
      },
    );
    expect(stage.ask(hold('ann', picks(2, 3)))).toMatchObject({ kind: 'held' });
    expect(troubles).toEqual(['orphans: Error: the index is upside down']);
  });
});

describe('a cart at its checkout', () => {
  const TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const cartOf = (stage: Stage, user: string) => stage.board.holdsOfUser(user);

  it('is refused for what it leaves alone, unless the buyer may insist', () => {
    const stage = aRow(TEN);
    stage.ask(hold('ann', picks(2), { orphans: 'tell' }));
    const judged = judgeCart(stage.board, cartOf(stage, 'ann'), { orphans: undefined });
    expect(judged).toMatchObject({ code: 'orphan_rule', details: { orphans: ['A-1'] } });
    const cart = cartOf(stage, 'ann');
    expect(judgeCart(stage.board, cart, { orphans: 'allow' })).toBeNull();
    stage.ask(hold('ann', picks(1), { orphans: 'tell' }));
    expect(judgeCart(stage.board, cartOf(stage, 'ann'), { orphans: undefined })).toBeNull();
  });

  it('is refused for a companion seat whose wheelchair space was given back', () => {
    const stage = aRow(TEN, { pairs: [[2, 3]] });
    const held = stage.ask(hold('ann', picks(3, 4)));
    const [space] = held.kind === 'held' ? held.holds : [];
    const judge = () => judgeCart(stage.board, cartOf(stage, 'ann'), { orphans: undefined });
    expect(judge()).toBeNull();
    stage.ask(release({ hold_ids: [space?.hold_id ?? ''] }, 'ann'));
    expect(judge()).toMatchObject({ code: 'companion_reserved', items: [{ label: 'A-4' }] });
  });
});

describe('wheelchair spaces and their companions', () => {
  const PAIR: BoardWish['pairs'] = [[2, 3]];
  const TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

  it('are given by best available to those who ask, and to nobody else', () => {
    const stage = aRow(TEN, { pairs: PAIR });
    const ordinary = stage.ask(best('bob', 8));
    expect(labels(ordinary)).not.toContain('A-3');
    expect(labels(ordinary)).not.toContain('A-4');
    expect(labels(stage.ask(best('ann', 2, { accessible: 1 })))).toEqual(['A-3', 'A-4']);
    const second = stage.ask(best('cat', 1, { accessible: 1 }));
    expect(second).toMatchObject({ code: 'no_available_seats' });
    const many = aRow(TEN, {
      pairs: [
        [2, 3],
        [5, 6],
      ],
    });
    const greedy = many.ask(best('ann', 2, { accessible: 2 }));
    expect(greedy).toMatchObject({ code: 'wheelchair_limit' });
  });

  it('may be held alone; the companion seat may not, and is kept while the space is held', () => {
    const stage = aRow(TEN, { pairs: PAIR });
    const alone = stage.ask(hold('bob', picks(4)));
    expect(alone).toMatchObject({ code: 'companion_reserved', items: [{ label: 'A-4' }] });
    expect(stage.ask(hold('ann', picks(3)))).toMatchObject({ kind: 'held' });
    const other = stage.ask(hold('bob', picks(4)));
    expect(other).toMatchObject({ code: 'companion_reserved' });
    expect(stage.ask(hold('ann', picks(4)))).toMatchObject({ kind: 'held' });
    expect(stage.complaints).toEqual([]);
  });

  it('count against the limit of a booking, and staff may go beyond it', () => {
    const stage = aRow(TEN, {
      pairs: [
        [2, 3],
        [5, 6],
      ],
    });
    expect(stage.ask(hold('ann', picks(3)))).toMatchObject({ kind: 'held' });
    expect(stage.ask(hold('ann', picks(6)))).toMatchObject({
      code: 'wheelchair_limit',
      details: { most: 1 },
    });
    expect(stage.ask(hold('ann', picks(6), { made_by: 'staff' }))).toMatchObject({ kind: 'held' });
    const free = aRow(TEN, { pairs: [[2, 3]], policy: { enforce_accessibility_rules: false } });
    expect(free.ask(hold('bob', picks(4, 5)))).toMatchObject({ kind: 'held' });
  });

  it('give their companion seats to everybody from 85 percent on, and back at 80', () => {
    const seats = Array<number>(20).fill(0);
    const zones = [aZone(0, { capacity: 20 })];
    const policy = { max_seats_per_booking: 100 };
    const stage = new Stage(aBoard({ seats, zones, pairs: [[18, 19]], policy }));
    const taken = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => seat(from + index));
    stage.flush(hold('many', taken(0, 16)));
    expect(stage.board.isReleased(0)).toBe(false);
    expect(stage.ask(hold('bob', [seat(19)]))).toMatchObject({ code: 'companion_reserved' });
    stage.flush(hold('one', [seat(16)]));
    expect(stage.board.isReleased(0)).toBe(true);
    expect(stage.rows.at(-1)?.changes).toContainEqual({
      kind: 'companions',
      zone: 0,
      released: true,
    });
    expect(stage.ask(hold('bob', [seat(19)]))).toMatchObject({ kind: 'held' });
    // One hold that comes and goes does not close them again.
    stage.flush(release({ user_id: 'one' }));
    expect(stage.board.isReleased(0)).toBe(true);
    stage.flush(release({ user_id: 'bob' }));
    expect(stage.board.isReleased(0)).toBe(false);
    expect(stage.ask(hold('cat', [seat(19)]))).toMatchObject({ code: 'companion_reserved' });
    expect(stage.complaints).toEqual([]);
  });

  it('count seats that are left: blocked ones are nobody’s, and expiry gives back', () => {
    const stage = aRow(TEN, { pairs: PAIR, policy: { max_seats_per_booking: 100 } });
    stage.flush(block([0, 1, 4, 5, 6, 7, 8]));
    stage.flush(hold('ann', picks(3, 10)));
    expect(stage.board.isReleased(0)).toBe(false);
    stage.flush(hold('ann', picks(4)));
    expect(stage.board.isReleased(0)).toBe(true);
    stage.now_ms = START_MS + 11 * MINUTE_MS;
    stage.flush();
    expect(stage.board.isReleased(0)).toBe(false);
    expect(stage.complaints).toEqual([]);
  });
});

describe('a zone for members', () => {
  const gold = { role: 'customer', tier: 'gold', active: true } as const;
  const facts = {
    memberships: new Map([
      ['ann', gold],
      ['bea', gold],
      ['cat', null],
    ]),
  };
  const zones = [
    aZone(0, { access_mode: 'membership_tier', membership_tier: 'gold', whitelist: ['dan'] }),
    aZone(1),
    aZone(2, { has_seats: false, access_mode: 'whitelist', whitelist: ['ann', 'bea'] }),
  ];
  const stage = () => new Stage(aBoard({ zones }), { facts });
  const forPerson = (ordinal: number, person: string) => ({ ...seat(ordinal), people: [person] });

  it('has one seat for the buyer, and more for friends who may enter too', () => {
    const one = stage();
    expect(one.ask(hold('ann', [seat(0), seat(1)]))).toMatchObject({
      code: 'zone_access_denied',
      details: { unnamed: 1 },
    });
    const both = hold('ann', [seat(0), forPerson(1, 'bea'), forPerson(2, 'dan')]);
    expect(one.ask(both)).toMatchObject({ kind: 'held' });
    expect(one.board.holdOfSeat(1)?.people).toEqual(['bea']);
    expect(one.ask(hold('ann', [seat(3)]))).toMatchObject({ code: 'zone_access_denied' });
    const again = one.ask(hold('ann', [forPerson(3, 'bea')]));
    expect(again).toMatchObject({ code: 'zone_access_denied' });
    expect(one.complaints).toEqual([]);
  });

  it('refuses friends who are no members, and asks about those whom nobody knows', () => {
    expect(stage().ask(hold('ann', [seat(0), forPerson(1, 'cat')]))).toMatchObject({
      code: 'zone_access_denied',
      details: { people: ['cat'] },
    });
    const stranger = stage().ask(hold('ann', [forPerson(1, 'eve')]));
    expect(stranger).toEqual({ kind: 'needs_membership', user_id: 'eve' });
  });

  it('without seats counts its places the same way', () => {
    const two = { ...places(2, 2), people: ['bea'] };
    expect(stage().ask(hold('ann', [places(2, 2)]))).toMatchObject({ code: 'zone_access_denied' });
    expect(stage().ask(hold('ann', [two]))).toMatchObject({ kind: 'held' });
  });

  it('is open to best available with the names of everybody', () => {
    const here = { zone_ids: [zoneId(0)] };
    expect(stage().ask(best('ann', 2, here))).toMatchObject({ code: 'zone_access_denied' });
    const named = stage();
    expect(named.ask(best('ann', 2, { ...here, people: ['bea'] }))).toMatchObject({ kind: 'held' });
    const people = named.board.holdsOfUser('ann').map((one) => one.people ?? []);
    expect(people).toEqual([[], ['bea']]);
  });
});

it('decides the same on every node', () => {
  const decided = [1, 2].map(() => {
    const stage = aRow([1, 3, 4, 6, 7, 8, 10]);
    stage.flush(best('ann', 1), best('bob', 2), best('cat', 2));
    return JSON.stringify(stage.rows);
  });
  expect(decided[0]).toBe(decided[1]);
});

import { describe, expect, it } from 'vitest';
import type { HoldCommand, HoldItem } from './commands.ts';
import {
  aBoard,
  aZone,
  boardFrom,
  hold,
  MINUTE_MS,
  places,
  START_MS,
  seat,
} from './test-boards.ts';
import { ANN, as } from './test-checkouts.ts';
import { Stage } from './test-stage.ts';

const UNTIL_MS = START_MS + 10 * MINUTE_MS;

/** What the log says of a command, and the ids of the holds that it has made. */
function written(items: readonly HoldItem[], wanted: Partial<HoldCommand> = {}) {
  const zones = [
    aZone(0, { capacity: 8 }),
    aZone(1, { capacity: 4 }),
    aZone(2, { has_seats: false, access_mode: 'whitelist', whitelist: [ANN, 'bea'] }),
  ];
  const stage = new Stage(aBoard({ zones, policy: { orphan_avoidance_strict: true } }));
  const { holds } = as(stage.ask(hold(ANN, items, { cart_token: 'cart', ...wanted })), 'held');
  return { changes: stage.rows.at(-1)?.changes, ids: holds.map(({ hold_id }) => hold_id) };
}

const HELD = {
  ...{ kind: 'held', user_id: ANN, cart_token: 'cart', until_ms: UNTIL_MS, source: 'web' },
};

describe('what the log says of holds', () => {
  it('is who, which cart, until when and which seats, and nothing that is not so', () => {
    const { changes, ids } = written([seat(0), seat(1)]);
    expect(changes).toEqual([
      {
        ...HELD,
        seats: [
          [ids[0], 0],
          [ids[1], 1],
        ],
      },
    ]);
  });

  it('is places with the people they are for', () => {
    const { changes, ids } = written([{ ...places(2, 2), people: ['bea'] }]);
    const [id] = ids;
    expect(changes).toEqual([{ ...HELD, places: [[id, 2, 2]], people: [[id, ['bea']]] }]);
  });

  it('is who made it for a caller, from where and why', () => {
    const about = { made_by: 'staff', ip: 'address', notes: 'by phone' };
    const { changes, ids } = written([seat(0)], { ...about, orphans: 'tell' });
    expect(changes).toEqual([{ ...HELD, ...about, seats: [[ids[0], 0]] }]);
  });

  it('is that nobody has judged a seat that was taken alone', () => {
    const { changes, ids } = written([seat(1)], { orphans: 'tell' });
    expect(changes).toEqual([{ ...HELD, seats: [[ids[0], 1]], unjudged: true }]);
  });

  it('is how many seats the cart had when the buyer insisted', () => {
    const { changes, ids } = written([seat(1)], { orphans: 'allow' });
    expect(changes).toEqual([{ ...HELD, seats: [[ids[0], 1]], settled: 1 }]);
  });

  it('is only what is new of a command', () => {
    const stage = new Stage(aBoard());
    stage.ask(hold(ANN, [seat(0)]));
    const { holds } = as(stage.ask(hold(ANN, [seat(0), seat(1)])), 'held');
    const seats = stage.rows.flatMap(({ changes }) =>
      changes.map((one) => (one.kind === 'held' ? one.seats : one.kind)),
    );
    expect(seats).toEqual([[[holds[0]?.hold_id, 0]], [[holds[1]?.hold_id, 1]]]);
  });
});

it('the next seat goes into the cart of the youngest hold, on every node the same', () => {
  const first = new Stage(aBoard());
  first.ask(hold(ANN, [seat(0)], { cart_token: 'old' }));
  first.now_ms += 1;
  first.flush(
    hold(ANN, [seat(1)], { cart_token: 'one' }),
    hold(ANN, [seat(2)], { cart_token: 'other' }),
    hold(ANN, [seat(3)], { cart_token: 'third' }),
  );
  const { plan } = first.board;
  const content = first.board.content();
  const [a, b, c, d] = content.holds;
  const orders = [
    [a, b, c, d],
    [d, c, b, a],
    [b, a, d, c],
    [c, d, a, b],
  ].map((holds) => holds.flatMap((one) => one ?? []));
  const carts = orders.map((holds) => {
    const stage = new Stage(boardFrom(plan, { ...content, holds }));
    return as(stage.ask(hold(ANN, [seat(5)])), 'held').cart_token;
  });
  const young = content.holds.filter(({ cart_token }) => cart_token !== 'old');
  const last = young.reduce((one, other) => (one.hold_id > other.hold_id ? one : other));
  expect(new Set(carts)).toEqual(new Set([last.cart_token]));
});

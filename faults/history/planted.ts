import type { History } from './check-history.ts';
import type { HoldRow } from './final-state.ts';
import type { Operation } from './operations.ts';

type Mutable<Value> = Value extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : Value extends object
    ? { -readonly [Key in keyof Value]: Mutable<Value[Key]> }
    : Value;

export type Draft = Mutable<History>;

const ZONE = 'zone-seats';
const FLOOR = 'zone-floor';
/** Time of day is this much ahead of the monotonic clock. */
const OFFSET_MS = 1_000_000;

/** A run without a fault, to plant one in: two users, a group, an extension, a release. */
export function aGoodHistory(): Draft {
  const holds = [
    hold('h1', 'w1', 'ann', { seat_id: 's1', created_ms: 1_000, until_ms: 4_000 }),
    hold('h2', 'w1', 'ann', { seat_id: 's2', created_ms: 1_000, until_ms: 3_000 }),
    hold('h3', 'w2', 'bob', { seat_id: 's2', created_ms: 1_900, until_ms: 3_900 }),
    hold('h4', 'w5', 'bob', { zone_id: FLOOR, quantity: 2, created_ms: 2_000, until_ms: 4_000 }),
  ];
  end(holds[1], 1_500, 'user_cancelled');
  const seats = ['s1', 's2', 's3'].map((seat_id) => {
    const owner = holds.find((one) => one.seat_id === seat_id && one.status === 'active');
    return {
      seat_id,
      zone_id: ZONE,
      status: owner ? 'held' : 'available',
      seat_hold_id: owner?.hold_id ?? null,
      until_ms: owner?.until_ms ?? null,
    };
  });
  const history: History = {
    operations: operations(),
    state: {
      revision: 6,
      head: 'hash6',
      holds,
      seats,
      zones: [
        { zone_id: ZONE, has_seats: true, capacity: 3, held: 2, sold: 0, blocked: 0 },
        { zone_id: FLOOR, has_seats: false, capacity: 3, held: 2, sold: 0, blocked: 0 },
      ],
      log: log(),
      trail: trail(),
      trailProblem: null,
      checkouts: [],
      attempts: [],
      messages: [],
      tickets: [],
      refunds: [],
      loaded: 'a board',
      replayed: 'a board',
      loadedDigest: 'digest',
    },
    boards: [{ node: 'one', revision: 6, digest: 'digest' }],
    wall_offset_ms: OFFSET_MS,
  };
  return structuredClone(history) as Draft;
}

function hold(
  hold_id: string,
  cart_token: string,
  user_id: string,
  more: Partial<HoldRow> & { created_ms: number; until_ms: number },
): Mutable<HoldRow> {
  return {
    hold_id,
    user_id,
    cart_token,
    seat_id: null,
    zone_id: null,
    quantity: 1,
    status: 'active',
    end_reason: null,
    ended_ms: null,
    checkout_id: null,
    ...more,
    created_ms: OFFSET_MS + more.created_ms,
    until_ms: OFFSET_MS + more.until_ms,
  };
}

function end(row: Mutable<HoldRow> | undefined, at_ms: number, reason: string): void {
  if (!row) return;
  row.status = 'cancelled';
  row.end_reason = reason;
  row.ended_ms = OFFSET_MS + at_ms;
}

type Told = Pick<Operation, 'wish' | 'asked' | 'user' | 'revision' | 'holds'>;

/** A wish that was fulfilled; it took 10 ms. */
export function done(number: number, invoked_ms: number, told: Told): Mutable<Operation> {
  const times = { node: 'one', number, invoked_ms, returned_ms: invoked_ms + 10 };
  const key = `key-${told.wish}`;
  const operation = { ...times, key, outcome: 'done', code: null, replayed: false, ...told };
  return structuredClone(operation) as Mutable<Operation>;
}

export function reported(hold_id: string, seat_id: string, until_ms: number) {
  return { hold_id, seat_id, zone_id: null, quantity: 1, until_ms: OFFSET_MS + until_ms };
}

function operations(): Operation[] {
  const [h1, h2] = [reported('h1', 's1', 3_000), reported('h2', 's2', 3_000)];
  const group = [{ seat_id: 's1' }, { seat_id: 's2' }];
  const places = { hold_id: 'h4', seat_id: null, zone_id: FLOOR, quantity: 2 };
  return [
    done(1, 1_000, told('w1', 'ann', { op: 'hold', items: group }, 2, [h1, h2])),
    done(2, 1_490, told('w3', 'ann', { op: 'release', hold_ids: ['h2'] }, 3, [h2])),
    done(
      3,
      1_900,
      told('w2', 'bob', { op: 'hold', items: [{ seat_id: 's2' }] }, 4, [
        reported('h3', 's2', 3_900),
      ]),
    ),
    done(
      4,
      1_950,
      told('w4', 'ann', { op: 'extend', hold_id: 'h1' }, 5, [{ ...h1, until_ms: 1_004_000 }]),
    ),
    done(
      5,
      2_000,
      told('w5', 'bob', { op: 'hold', items: [{ zone_id: FLOOR, quantity: 2 }] }, 6, [
        { ...places, until_ms: OFFSET_MS + 4_000 },
      ]),
    ),
  ];
}

function told(
  wish: string,
  user: string,
  asked: Operation['asked'],
  revision: number,
  holds: Operation['holds'],
): Told {
  return { wish, user, asked, revision, holds };
}

function log(): History['state']['log'] {
  const held = (user_id: string, cart_token: string) =>
    ({ kind: 'held', user_id, cart_token, until_ms: 0, source: 'web' }) as const;
  const changes = [
    [{ kind: 'planned', layout_id: null, version: 0 }],
    [
      {
        ...held('ann', 'w1'),
        seats: [
          ['h1', 0],
          ['h2', 1],
        ],
      },
    ],
    [{ kind: 'ended', reason: 'user_cancelled', holds: ['h2'] }],
    [{ ...held('bob', 'w2'), seats: [['h3', 1]] }],
    [{ kind: 'extended', holds: [['h1', OFFSET_MS + 4_000]] }],
    [{ ...held('bob', 'w5'), places: [['h4', 1, 2]] }],
  ] as unknown as History['state']['log'][number]['changes'][];
  return changes.map((some, index) => ({
    revision: index + 1,
    hash: `hash${index + 1}`,
    changes: some,
  }));
}

function trail(): History['state']['trail'] {
  return [
    { action: 'seat_reserved', hold_id: 'h1' },
    { action: 'seat_reserved', hold_id: 'h2' },
    { action: 'seat_released', hold_id: 'h2' },
    { action: 'seat_reserved', hold_id: 'h3' },
    { action: 'seat_hold_extended', hold_id: 'h1' },
    { action: 'seat_reserved', hold_id: 'h4' },
  ];
}

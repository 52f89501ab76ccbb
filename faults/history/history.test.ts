import { describe, expect, it } from 'vitest';
import { checkHistory, HistoryReader } from './history.ts';
import { aGoodHistory, type Draft, done, reported } from './planted.ts';

/** Which invariants a planted fault breaks. */
function found(plant: (history: Draft) => unknown): string[] {
  const history = aGoodHistory();
  plant(history);
  const violations = checkHistory(history as Parameters<typeof checkHistory>[0]);
  return [...new Set(violations.map(({ invariant }) => invariant))].sort();
}

function get<Item>(items: readonly Item[], index: number): Item {
  const item = items.at(index);
  if (item === undefined) throw new Error(`the good history has an item ${index}`);
  return item;
}

/** Somebody is told that they have a seat, by a hold that is in the database like any other. */
function hold(history: Draft, seat_id: string, at_ms: number, wish = 'w9'): void {
  const told = {
    wish,
    user: 'eve',
    asked: { op: 'hold', items: [{ seat_id }] },
    revision: 6,
    holds: [reported('h9', seat_id, at_ms + 2_000)],
  } as const;
  history.operations.push(done(9, at_ms, told));
}

describe('a good history', () => {
  it('has no violation', () => {
    expect(found(() => {})).toEqual([]);
  });

  it('may have unknown outcomes, whether they worked or not', () => {
    expect(
      found(({ operations }) => {
        const operation = get(operations, 2);
        operations.push({ ...operation, number: 7, invoked_ms: 2_500, replayed: true });
        operation.outcome = 'unknown';
        operation.holds = [];
      }),
    ).toEqual([]);
    expect(
      found(({ operations }) => {
        const { user } = get(operations, 0);
        const asked = { op: 'hold' as const, items: [{ seat_id: 's3' }] };
        const lost = { wish: 'w8', user, asked, revision: null, holds: [] };
        operations.push({ ...done(8, 2_000, lost), key: null, outcome: 'unknown' });
      }),
    ).toEqual([]);
  });

  it('may have a seat taken over the moment its time is over', () => {
    expect(found((history) => hold(history, 's1', 4_000))).not.toContain('I1');
  });
});

describe('I1: two owners', () => {
  it('of a seat, also for a moment', () => {
    expect(found((history) => hold(history, 's1', 2_500))).toContain('I1');
    expect(found((history) => hold(history, 's1', 3_900))).toContain('I1');
  });

  it('of a seat whose release was sent too late', () => {
    expect(
      found(({ operations }) => {
        get(operations, 1).invoked_ms = 1_950;
      }),
    ).toContain('I1');
  });

  it('of a place', () => {
    expect(
      found(({ operations }) => {
        const first = get(operations, 4);
        const [places] = first.holds;
        if (!places) throw new Error('places were held');
        const asked = { op: 'hold' as const, items: [{ zone_id: 'zone-floor', quantity: 2 }] };
        const holds = [{ ...places, hold_id: 'h9' }];
        operations.push(done(9, 2_500, { wish: 'w9', user: 'eve', asked, revision: 6, holds }));
      }),
    ).toContain('I1');
  });
});

describe('I2: something acknowledged is lost', () => {
  it('a hold', () => {
    expect(found(({ state }) => state.holds.splice(2, 1))).toContain('I2');
  });

  it('an extension', () => {
    expect(
      found(({ state }) => {
        get(state.holds, 0).until_ms -= 1_000;
      }),
    ).toContain('I2');
  });

  it('a release', () => {
    expect(
      found(({ state }) => {
        Object.assign(get(state.holds, 1), { end_reason: 'ttl_expired', status: 'expired' });
      }),
    ).toContain('I2');
  });

  it('everything after a revision', () => {
    expect(
      found(({ state }) => {
        state.revision = 5;
        state.log.pop();
      }),
    ).toContain('I2');
  });
});

describe('I3: something that nobody asked for', () => {
  it('a hold', () => {
    expect(
      found(({ state }) => {
        get(state.holds, 2).cart_token = 'somebody else’s';
      }),
    ).toContain('I3');
  });

  it.each([2, 3, 1])('what was said to have failed (operation %i)', (index) => {
    expect(
      found(({ operations }) => {
        Object.assign(get(operations, index), { outcome: 'failed', holds: [] });
      }),
    ).toContain('I3');
  });
});

describe('I4: a wish with two effects', () => {
  it('two answers to one key', () => {
    expect(
      found(({ operations }) => {
        const first = get(operations, 2);
        const holds = first.holds.map((one) => ({ ...one, hold_id: 'h9' }));
        operations.push({ ...first, number: 7, invoked_ms: 2_100, holds });
      }),
    ).toContain('I4');
  });

  it('two holds of one wish', () => {
    expect(
      found(({ state }) => {
        state.holds.push({ ...get(state.holds, 3), hold_id: 'h9' });
      }),
    ).toContain('I4');
  });

  it('two extensions for one', () => {
    expect(
      found(({ state }) => {
        get(state.log, 5).changes.push(get(get(state.log, 4).changes, 0));
      }),
    ).toContain('I4');
  });

  it('an unknown outcome that nobody asked about', () => {
    expect(
      found(({ operations }) => {
        Object.assign(get(operations, 4), { outcome: 'unknown', holds: [] });
      }),
    ).toEqual(['I4']);
  });
});

it('I6: half a group', () => {
  expect(
    found(({ operations }) => {
      const { asked } = get(operations, 0);
      if (asked.op === 'hold') asked.items.push({ seat_id: 's3' });
    }),
  ).toEqual(['I6']);
});

describe('I7: a hold that does not end once', () => {
  it('ends twice in the trail, or not at all', () => {
    const twice = { action: 'seat_hold_expired', hold_id: 'h2' };
    expect(found(({ state }) => state.trail.push(twice))).toEqual(['I7']);
    expect(found(({ state }) => state.trail.splice(2, 1))).toEqual(['I7']);
  });

  it('comes back after its end', () => {
    const again = { kind: 'extended' as const, holds: [['h2', 1]] as [string, number][] };
    expect(found(({ state }) => get(state.log, 5).changes.push(again))).toContain('I7');
  });

  it('has an altered trail', () => {
    expect(
      found(({ state }) => {
        state.trailProblem = 'row 3 is altered';
      }),
    ).toEqual(['I7']);
  });
});

describe('I8: counters', () => {
  it('of a zone', () => {
    for (const zone of [0, 1]) {
      expect(
        found(({ state }) => {
          get(state.zones, zone).held++;
        }),
      ).toEqual(['I8']);
    }
  });

  it('of a seat that is shown free, or held without a hold', () => {
    expect(
      found(({ state }) => {
        get(state.seats, 0).status = 'available';
      }),
    ).toEqual(['I8']);
    expect(
      found(({ state }) => {
        get(state.seats, 2).status = 'held';
      }),
    ).toEqual(['I8']);
  });
});

describe('I9: the log', () => {
  it('has a gap, or a row twice', () => {
    expect(found(({ state }) => state.log.splice(0, 1))).toEqual(['I9']);
    expect(found(({ state }) => state.log.splice(0, 0, get(state.log, 0)))).toEqual(['I9']);
  });

  it('ends elsewhere, or replays to something else', () => {
    expect(
      found(({ state }) => {
        state.head = 'another hash';
      }),
    ).toEqual(['I9']);
    expect(
      found(({ state }) => {
        state.replayed = 'another board';
      }),
    ).toEqual(['I9']);
  });
});

it('I10: a node with another board', () => {
  expect(
    found(({ boards }) => {
      get(boards, 0).digest = 'another digest';
    }),
  ).toEqual(['I10']);
  expect(
    found(({ boards }) => {
      get(boards, 0).revision = 5;
    }),
  ).toEqual(['I10']);
});

it('a history file is read as it grows, also when its writer was killed', () => {
  const reader = new HistoryReader();
  const { returned_ms, outcome, code, replayed, revision, holds, ...invoked } = get(
    aGoodHistory().operations,
    0,
  );
  const { node, number } = invoked;
  const returned = { node, number, returned_ms, outcome, code, replayed, revision, holds };
  const lines = [
    { kind: 'invoked', ...invoked },
    { kind: 'returned', ...returned },
    { kind: 'invoked', ...invoked, number: 2 },
  ].map((line) => `${JSON.stringify(line)}\n`);
  const text = `${lines.join('')}{"kind":"retur`;
  reader.add(text.slice(0, 50)).add(text.slice(50));
  expect(reader.operations).toMatchObject([
    { number: 1, outcome: 'done', returned_ms: 1_010 },
    { number: 2, outcome: 'unknown', returned_ms: null },
  ]);
});

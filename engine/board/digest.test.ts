import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Checkout } from '#checkouts';
import { type BoardContent, SEAT } from './board.ts';
import { BoardDigest, digestOfHolds } from './digest.ts';
import { aContent, boardFrom, hold, places, release, START_MS, seat } from './test-boards.ts';
import { as, start } from './test-checkouts.ts';
import { BEST } from './test-commands.ts';
import { Stage } from './test-stage.ts';

function aHeldContent() {
  const { plan, content } = aContent({ sold: [3], blocked: [7] });
  const stage = new Stage(boardFrom(plan, content));
  stage.flush(hold('ann', [seat(0), seat(1)]), hold('bob', [places(2, 3)]));
  return { plan, content: stage.board.content() };
}

/** The contents that differ from the given one in a single thing. */
function variants(content: BoardContent): BoardContent[] {
  const codes = [...content.codes].flatMap((code, ordinal) =>
    Object.values(SEAT)
      .filter((other) => other !== code)
      .map((other) => content.codes.with(ordinal, other)),
  );
  const untils = content.holds.flatMap((one, index) =>
    [1, -1, 2 ** 32].map((more) =>
      content.holds.with(index, { ...one, until_ms: one.until_ms + more }),
    ),
  );
  const fewer = content.holds.map((one) => content.holds.filter((other) => other !== one));
  const counts = content.counts.flatMap((one, zone) =>
    (['held', 'sold', 'blocked'] as const).map((name) =>
      content.counts.with(zone, { ...one, [name]: one[name] + 1 }),
    ),
  );
  const settled = content.holds.flatMap((one, index) =>
    [1, 2].map((seats) => content.holds.with(index, { ...one, settled: seats })),
  );
  return [
    ...codes.map((one) => ({ ...content, codes: one })),
    ...[...untils, ...fewer, ...settled].map((holds) => ({ ...content, holds })),
    ...counts.map((one) => ({ ...content, counts: one })),
  ];
}

describe('the digest', () => {
  it('differs when a single seat, hold, end or counter differs', () => {
    const { plan, content } = aHeldContent();
    const all = [content, ...variants(content)];
    const digests = all.map((one) => boardFrom(plan, one).digest);
    expect(new Set(digests).size).toBe(all.length);
  });

  it('tells a seat with a ticket under its block from one without', () => {
    const { plan, content } = aContent();
    const digests = [SEAT.blocked, SEAT.blockedSold].map((code) => {
      return boardFrom(plan, { ...content, codes: content.codes.with(0, code) }).digest;
    });
    expect(digests[0]).not.toBe(digests[1]);
  });

  it('tells who has bought a wheelchair space, where the board knows it', () => {
    const { plan, content } = aContent({ sold: [3], pairs: [[3, 4]] });
    const owners = [[], [[3, 'ann']], [[3, 'bob']]] as const;
    const boards = owners.map((known) => boardFrom(plan, { ...content, owners: [...known] }));
    expect(new Set(boards.map(({ digest }) => digest)).size).toBe(3);
    const bare = boards.map((board) => board.digestOf({ owners: false }));
    // A snapshot that is older than owners has what the others have without them.
    const { owners: _, ...older } = content;
    expect([...new Set(bare)]).toEqual([boardFrom(plan, older).digest]);
  });

  it('tells a checkout of which something was given back from one as it was begun', () => {
    const { plan, content } = aContent();
    const stage = new Stage(boardFrom(plan, content));
    stage.flush(hold('ann', [seat(0)]));
    stage.ask(start('ann'));
    const after = stage.board.content();
    const [checkout] = after.checkouts;
    const other = { ...after, checkouts: [{ ...checkout, given_back: true }] } as BoardContent;
    expect(boardFrom(plan, other).digest).not.toBe(stage.board.digest);
  });

  it('compares with a snapshot of 0.1.0 what that says, also after later rows', () => {
    const { plan, content } = aContent();
    const stage = new Stage(boardFrom(plan, content));
    stage.flush(hold('ann', [], { best: { ...BEST, quantity: 3 } }));
    stage.ask(start('ann'));
    const [given] = stage.board.holdsOfUser('ann');
    const hold_ids = [given?.hold_id ?? ''];
    as(stage.ask(release({ hold_ids }, 'ann', 'user_cancelled')), 'released');
    const { owners: _, ...after } = stage.board.content();
    expect(after.holds).toMatchObject([{ settled: 3 }, { settled: 3 }]);
    expect(after.checkouts).toMatchObject([{ given_back: true }]);
    const older = boardFrom(plan, {
      ...after,
      holds: after.holds.map(({ settled: __, ...one }) => one),
      checkouts: after.checkouts.map((one) => ({ ...one, given_back: false })),
    });
    const bare = () => stage.board.digestOf({ owners: false });
    expect(older.digest).toBe(bare());
    expect(older.digest).not.toBe(stage.board.digest);
    stage.ask(hold('bob', [], { best: { ...BEST, quantity: 2 } }));
    stage.ask(start('ann', { allow_orphan: true }));
    for (const row of stage.rows.slice(-2)) older.advance(row);
    expect(older.digest).toBe(bare());
    stage.ask(hold('cat', [seat(11)]));
    expect(older.digest).not.toBe(bare());
  });

  it('does not depend on the order of the holds', () => {
    const { plan, content } = aHeldContent();
    const shuffled = fc.shuffledSubarray([...content.holds], { minLength: content.holds.length });
    fc.assert(
      fc.property(shuffled, (holds) => {
        const digest = boardFrom(plan, content).digest;
        expect(boardFrom(plan, { ...content, holds }).digest).toBe(digest);
      }),
      { numRuns: 10 },
    );
  });

  it('of a board without anything is zero', () => {
    const { plan, content } = aContent();
    expect(boardFrom(plan, content).digest).toBe('0'.repeat(16));
  });

  it('is the same number in every version, because nodes of two versions compare theirs', () => {
    const digest = new BoardDigest();
    const seen: string[] = [];
    const after = (toggle: () => void) => {
      toggle();
      seen.push(digest.hex);
    };
    after(() => digest.toggleSeat(0, SEAT.held));
    after(() => digest.toggleSeat(99_999, SEAT.blockedSold));
    after(() => digest.toggleCounts(0, 1, 0, 0));
    after(() => digest.toggleCounts(3, 40, 500, 6));
    after(() => digest.toggleReleased(2));
    after(() => digest.toggleHold('0190-a', START_MS));
    after(() => digest.toggleHold('0190-b', START_MS + 600_000, 3));
    after(() => digest.toggleCheckout(PAYING));
    after(() => digest.toggleOwner(4, 'ann'));
    seen.push(digest.of({ owners: true }), digest.of({ owners: false }));
    expect(seen).toEqual([
      '514e28b79176eb1b',
      'ad83af09cfb855e1',
      'e17890a096606a47',
      '3ec137536b41845e',
      '14f226eeed3c3fa4',
      '8a89d79bc47e312b',
      'cccbf00bc0739f36',
      '61088a887b478010',
      '61088a887b478010',
      '5070ed021b834a37',
      '881d136b623e96a6',
    ]);
    expect(digestOfHolds([{ hold_id: '0190-a', until_ms: START_MS }])).toBe('9e7bf17529420e8f');
  });
});

const PAYING = {
  ...{ checkout_id: 'c', status: 'paying', declined: false, given_back: true },
  items: [{ hold_id: 'h', price_cents: 5 }],
  attempts: [{ attempt_id: 't', status: 'pending' }],
} as unknown as Checkout;

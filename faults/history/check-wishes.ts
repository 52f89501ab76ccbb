import type { History } from './check-history.ts';
import { type HoldRow, type HoldStory, storiesOf } from './final-state.ts';
import {
  isDone,
  mayHaveWorked,
  type ReportedHold,
  type WishHistory,
  wishesOf,
} from './operations.ts';
import { type Violation, violation } from './violation.ts';

/** I4: a wish has one effect, however often it was sent. I6: a group has all of it or nothing. */
export function checkWishes({ operations, state }: History): Violation[] {
  const wishes = [...wishesOf(operations).values()];
  const stories = storiesOf(state.log);
  const rows = new Map(state.holds.map((hold) => [hold.hold_id, hold]));
  const byCart = Map.groupBy(state.holds, ({ cart_token }) => cart_token);
  const byUser = Map.groupBy(state.holds, ({ user_id }) => user_id);
  return [
    ...wishes.flatMap((wish) => differentAnswers(wish, rows)),
    ...wishes.flatMap(leftUnknown),
    ...wishes.flatMap((wish) =>
      checkGroup(wish, byCart.get(wish.wish) ?? [], byUser.get(wish.user) ?? [], stories),
    ),
    ...checkExtensions(wishes, stories),
  ];
}

/** With a key all copies that were fulfilled get the same answer. */
function differentAnswers(
  { wish, key, asked, copies }: WishHistory,
  rows: ReadonlyMap<string, HoldRow>,
): Violation[] {
  if (key === null) return [];
  // Whoever had all of it already made nothing, and what made nothing is not kept with its key.
  const made = ({ hold_id }: ReportedHold) => (rows.get(hold_id)?.cart_token ?? wish) === wish;
  const answers = new Set(
    copies
      .filter(isDone)
      .filter(({ holds }) => (asked.op === 'hold' ? holds.some(made) : holds.length > 0))
      .map(({ holds, revision }) => JSON.stringify([revision, holds])),
  );
  if (answers.size <= 1) return [];
  return [violation('I4', `wish ${wish} was fulfilled in ${answers.size} different ways`)];
}

/** Whoever has a key and does not know can ask again; the run has to. */
function leftUnknown({ wish, key, copies }: WishHistory): Violation[] {
  if (key === null || copies.at(-1)?.outcome !== 'unknown') return [];
  return [violation('I4', `nobody found out how wish ${wish} ended`)];
}

function checkGroup(
  { wish, asked, copies }: WishHistory,
  made: readonly HoldRow[],
  ofUser: readonly HoldRow[],
  stories: ReadonlyMap<string, HoldStory>,
): Violation[] {
  if (asked.op !== 'hold' || made.length === 0) return [];
  const found: Violation[] = [];
  const revisions = new Set(made.flatMap(({ hold_id }) => stories.get(hold_id)?.made ?? []));
  if (revisions.size > 1) {
    found.push(violation('I4', `wish ${wish} was carried out ${revisions.size} times`));
  }
  const [first] = made;
  const missing = asked.items.filter(
    (item) => !made.some((row) => isFor(item, row)) && !hadBefore(item, first, ofUser, stories),
  );
  if (missing.length > 0) {
    const message = `wish ${wish} has ${made.length} of ${asked.items.length} parts`;
    found.push(violation('I6', message));
  }
  if (made.length > asked.items.length) {
    const message = `wish ${wish} of ${asked.items.length} parts has ${made.length} holds`;
    found.push(violation('I4', `${message} after ${copies.length} copies`));
  }
  return found;
}

type Item = (WishHistory['asked'] & { op: 'hold' })['items'][number];

function isFor(item: Item, row: HoldRow): boolean {
  if ('seat_id' in item) return row.seat_id === item.seat_id;
  return row.zone_id === item.zone_id && row.quantity === item.quantity;
}

/** A seat that the user had already stays what it was and in the cart where it was. */
function hadBefore(
  item: Item,
  made: HoldRow | undefined,
  ofUser: readonly HoldRow[],
  stories: ReadonlyMap<string, HoldStory>,
): boolean {
  if (!made || !('seat_id' in item)) return false;
  const at = stories.get(made.hold_id)?.made[0] ?? 0;
  return ofUser.some(({ hold_id, seat_id }) => {
    const story = stories.get(hold_id);
    // What ends in the same commit has ended before anything is made in it.
    const ended = story?.ended[0]?.revision ?? Number.POSITIVE_INFINITY;
    return seat_id === item.seat_id && (story?.made[0] ?? at + 1) <= at && ended > at;
  });
}

type Bounds = Map<string, { least: number; most: number }>;

function allow(bounds: Bounds, holdId: string): void {
  const { least, most } = bounds.get(holdId) ?? { least: 0, most: 0 };
  bounds.set(holdId, { least, most: most + 1 });
}

/** Each extension that was acknowledged is there once, and no other but those in doubt. */
function checkExtensions(
  wishes: readonly WishHistory[],
  stories: ReadonlyMap<string, HoldStory>,
): Violation[] {
  const bounds: Bounds = new Map();
  for (const { asked, copies } of wishes) {
    // A checkout makes its holds longer once, if there is anything to gain.
    if (asked.op === 'checkout' && copies.some(mayHaveWorked)) {
      for (const id of asked.hold_ids) allow(bounds, id);
    }
    if (asked.op !== 'extend') continue;
    const { least, most } = bounds.get(asked.hold_id) ?? { least: 0, most: 0 };
    bounds.set(asked.hold_id, {
      least: least + (copies.some(isDone) ? 1 : 0),
      most: most + (copies.some(mayHaveWorked) ? 1 : 0),
    });
  }
  return [...bounds].flatMap(([holdId, { least, most }]) => {
    const count = stories.get(holdId)?.extended.length ?? 0;
    if (count >= least && count <= most) return [];
    const message = `hold ${holdId} was extended ${count} times, not ${least} to ${most} times`;
    return [violation('I4', message)];
  });
}

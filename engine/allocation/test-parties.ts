import { STANDING } from './run-seats.ts';
import type { SeatingView } from './seating-view.ts';

/** Every party with so many spaces and their companions along: what could have been offered. */
export function* partiesOf(
  view: SeatingView,
  size: number,
  accessible: number,
): Generator<number[]> {
  const { plan } = view.free;
  const all = Array.from({ length: plan.seatCount }, (_, seat) => seat);
  const spaces = all.filter((seat) => plan.isSpace(seat) && view.free.isOpen(seat));
  const pool = all.filter((seat) => view.free.standingOf(seat) === STANDING.pool);
  for (const chosen of choose(spaces, accessible)) {
    const along = chosen.flatMap((space) =>
      (plan.companions.get(space) ?? []).filter((seat) => view.free.isOpen(seat)),
    );
    for (const companions of choose(along, Math.min(along.length, size - accessible))) {
      const own = [...chosen, ...companions];
      for (const others of choose(pool, size - own.length)) yield [...own, ...others];
    }
  }
}

export function* choose(from: readonly number[], size: number, start = 0): Generator<number[]> {
  if (size === 0) yield [];
  for (let index = start; size > 0 && index <= from.length - size; index++) {
    for (const rest of choose(from, size - 1, index + 1)) yield [from[index] ?? 0, ...rest];
  }
}

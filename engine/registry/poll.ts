import type { Board } from '#board';
import type { BoardHead } from './ports.ts';
import type { BoardSlot } from './slot.ts';

/** A board in memory, as it was when the store was asked for its head. */
export type Polled = Readonly<{ slot: BoardSlot; before: Board; revision: number }>;

export function polled(slot: BoardSlot): Polled[] {
  const { board } = slot;
  return board ? [{ slot, before: board, revision: board.revision }] : [];
}

/** Compares boards with the heads of their logs, which were asked for at `asked_ms`. */
export function compareHeads(
  boards: readonly Polled[],
  heads: readonly BoardHead[],
  asked_ms: number,
  follow: (slot: BoardSlot) => void,
): void {
  const byEvent = new Map(heads.map((head) => [head.eventId, head]));
  for (const { slot, before, revision } of boards) {
    const { board } = slot;
    if (!board || board !== before) continue;
    const head = byEvent.get(slot.event.eventId);
    // A head that was passed before it was asked for is another history.
    if (!head || head.revision < revision) slot.discard();
    else if (head.revision > board.revision) follow(slot);
    // A board that has gone on meanwhile was not compared: whoever moved it knows more.
    else if (head.revision < board.revision) continue;
    else if (head.hash === board.hash) slot.confirm(asked_ms);
    else slot.discard();
  }
}

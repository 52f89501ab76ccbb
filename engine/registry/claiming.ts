import type { HoldCommand } from '#board';
import { isOperatingError } from '#kit';
import type { Claim, Claims, SeenHold } from './ports.ts';
import type { BoardSlot } from './slot.ts';
import type { Answer, Wish } from './wish.ts';
import type { EventWriter } from './writer.ts';

type Entry = { readonly writer: EventWriter; pins: number };

/**
 * What happens to a wish for seats before it queues: its seats are claimed, so that other nodes
 * know that somebody is at it. It is always before this wish's own flush and so never between a
 * lock and its commit. Whatever is claimed or not, the board decides; a seat that somebody is said
 * to hold makes this node catch up with the log, and the board then refuses by itself or does not.
 */
export class Claiming {
  readonly #claims: Claims;
  readonly #running = new Set<Promise<unknown>>();

  constructor(claims: Claims) {
    this.#claims = claims;
  }

  /** Null: there is nothing to claim, and the wish goes straight to the writer. */
  submit(entry: Entry, wish: Wish): Promise<Answer> | null {
    const { writer } = entry;
    const { board, event } = writer.slot;
    const { command } = wish;
    if (command.kind !== 'hold' || !board || !hasSeats(command)) return null;
    const refusal = writer.refuse(wish);
    if (refusal) return Promise.resolve(refusal);
    const claimed = this.#claims.claim(event, board, command);
    if (!claimed) return null;
    // Nobody forgets the board while its wishes are on their way to it.
    entry.pins++;
    const answer = this.#go(writer, wish, board.revision, claimed).finally(() => {
      entry.pins--;
      this.#running.delete(answer);
    });
    this.#running.add(answer);
    return answer;
  }

  /** Resolves when no wish is on its way any more. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#running]);
  }

  async #go(
    writer: EventWriter,
    wish: Wish,
    screened: number,
    claiming: NonNullable<ReturnType<Claims['claim']>>,
  ): Promise<Answer> {
    const claimed = await claiming;
    if (claimed.kind === 'held') {
      await this.#confirm(writer.slot, claimed.seen);
      return writer.submit(wish);
    }
    const { claim } = claimed;
    try {
      // Nothing was committed meanwhile: then it need not be looked at again.
      const answer = await writer.submit(wish, screened);
      if (claim && !hasHeld(answer)) this.#claims.giveBack(writer.slot.event, claim);
      return answer;
    } catch (error) {
      if (claim) this.#giveBackUnlessUnknown(writer.slot, claim, error);
      throw error;
    }
  }

  /** It may have been committed: then the claim becomes a hold, else it ends by itself. */
  #giveBackUnlessUnknown({ event }: BoardSlot, claim: Claim, error: unknown): void {
    if (isOperatingError(error) && error.code === 'outcome_unknown') return;
    this.#claims.giveBack(event, claim);
  }

  /** Catches up with what was seen; what the board then does not know is not so. */
  async #confirm(slot: BoardSlot, seen: SeenHold): Promise<void> {
    const isBehind = (slot.board?.revision ?? 0) < seen.revision;
    if (isBehind) {
      const followed = await slot.followAnew().then(
        () => true,
        () => false,
      );
      // Without Postgres nobody can say: the wish queues and learns it there.
      if (!followed) return;
    }
    const { board } = slot;
    const ordinal = board?.plan.ordinalOf(seen.seatId);
    if (!board || ordinal === undefined) return;
    const isKnown = board.holdOfSeat(ordinal)?.hold_id === seen.holdId;
    if (!isKnown) this.#claims.heal(slot.event, seen);
  }
}

function hasSeats({ items }: HoldCommand): boolean {
  return items.some((item) => 'seat_id' in item);
}

/** New holds take the place of their claims. */
function hasHeld(answer: Answer): boolean {
  if (answer.kind !== 'done' || answer.replayed) return false;
  return answer.outcome.kind === 'held' && !answer.outcome.existing;
}

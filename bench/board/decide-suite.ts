import {
  type Board,
  Draft,
  decide,
  type Facts,
  type HoldCommand,
  LOG_FORMAT,
  NO_SALES,
} from '@voelgoed/engine/board';
import { systemClock, systemRandom, uuidv7 } from '@voelgoed/engine/kit';
import { type Figure, figureOf, threadMilliseconds } from '#measure';

const SUITE = 'decide';
/** As many as one flush takes. */
const BATCH = 256;
const TARGET = { below: 20 };

type Sizes = Readonly<{ batches: number; rounds: number }>;

/** Holds on a full-size board as a flush decides them: a draft for the batch, one for each wish. */
export function decideSuite(board: Board, seatIds: readonly string[], quick: boolean): Figure[] {
  const sizes = { batches: quick ? 4 : 10, rounds: quick ? 3 : 7 };
  let next = 0;
  const take = (count: number) => {
    next += count;
    return seatIds.slice(next - count, next);
  };
  measure(board, take, 1, { batches: 8, rounds: 1 });
  measure(board, take, 4, { batches: 4, rounds: 1 });
  return [1, 4].flatMap((seats) => {
    const { decided, applied } = measure(board, take, seats, sizes);
    const name = `a hold of ${seats} seat${seats > 1 ? 's' : ''}`;
    return [
      figureOf(decided, { suite: SUITE, name: `${name}, decided`, unit: 'µs', target: TARGET }),
      figureOf(applied, { suite: SUITE, name: `${name}, applied`, unit: 'µs' }),
    ];
  });
}

function measure(
  board: Board,
  take: (count: number) => string[],
  seats: number,
  { batches, rounds }: Sizes,
): { decided: number[]; applied: number[] } {
  const decided: number[] = [];
  const applied: number[] = [];
  for (let round = 0; round < rounds; round++) {
    let deciding_ms = 0;
    let applying_ms = 0;
    for (let batch = 0; batch < batches; batch++) {
      const commands = Array.from({ length: BATCH }, () => holdOf(take(seats)));
      const started = threadMilliseconds();
      const draft = decideBatch(board, commands);
      deciding_ms += threadMilliseconds() - started;
      const merging = threadMilliseconds();
      advance(board, draft);
      applying_ms += threadMilliseconds() - merging;
    }
    decided.push((deciding_ms * 1_000) / (batches * BATCH));
    applied.push((applying_ms * 1_000) / (batches * BATCH));
  }
  return { decided, applied };
}

function decideBatch(board: Board, commands: readonly HoldCommand[]): Draft {
  const facts = factsOf(board);
  const draft = new Draft(board, facts.now_ms);
  for (const command of commands) {
    const nested = new Draft(draft, facts.now_ms);
    const outcome = decide(nested, command, facts, () => board.holds());
    if (outcome.kind !== 'held') throw new Error(`a hold was ${JSON.stringify(outcome)}`);
    draft.record(...nested.changes);
  }
  return draft;
}

function advance(board: Board, { changes }: Draft): void {
  board.advance({
    revision: board.revision + 1,
    flush_id: newId(),
    at_ms: board.at_ms,
    format: LOG_FORMAT,
    changes,
    keyed: [],
    hash: board.hash,
  });
}

function factsOf(board: Board): Facts {
  return {
    now_ms: Math.max(systemClock.now(), board.at_ms),
    newId,
    organizationActive: true,
    memberships: new Map(),
    owned: new Map(),
    demoHoldSeconds: null,
    ...NO_SALES,
  };
}

export function newId(): string {
  return uuidv7({ clock: systemClock, random: systemRandom });
}

/** A buyer of their own for every wish, as on the first day of a sale. */
export function holdOf(seatIds: readonly string[], user_id: string = newId()): HoldCommand {
  return {
    kind: 'hold',
    user_id,
    items: seatIds.map((seat_id) => ({ seat_id })),
    cart_token: null,
    source: 'web',
    ip: null,
    role: 'customer',
    guest: false,
    made_by: null,
    hold_seconds: null,
    notes: null,
  };
}

import { systemClock } from '@voelgoed/engine/kit';
import type { EventRef } from '@voelgoed/engine/registry';
import { boardAt, type Engine } from '@voelgoed/engine/workflows';
import { aHold } from '@voelgoed/testkit/builders';
import { type Figure, figureOf, timed } from '#measure';
import { newEvent, seatIdsOf } from '#stage';
import type { Bench } from '#writer';
import { forgetSnapshots } from './replay.sql.ts';

const SUITE = 'replay';
const COMMITS = 10_000;
const SECOND = { below: 1_000 };
const ROUNDS = 3;

/** A long sale of a large hall, replayed to its end. */
export async function replaySuite(
  { engine, stadium, stage }: Bench,
  buyers: readonly string[],
  quick: boolean,
): Promise<Figure[]> {
  const event = await newEvent(engine, stadium);
  const commits = quick ? COMMITS / 10 : COMMITS;
  await sell(engine, event, buyers, commits);
  const near = await replays(engine, event);
  await stage.asSuperuser(forgetSnapshots(event.eventId));
  const far = await replays(engine, event);
  const seats = stadium.seats.toLocaleString('en');
  const line = (name: string, { took_ms, rows, blocked_ms }: Replays, target?: typeof SECOND) =>
    figureOf(took_ms, {
      suite: SUITE,
      name: `${seats} seats, ${name}`,
      unit: 'ms',
      note: `${rows} rows; the loop was busy for ${Math.max(...blocked_ms).toFixed(0)} ms at most`,
      ...(target ? { target } : {}),
    });
  return [line('from the last snapshot', near), line('from the first one', far, SECOND)];
}

/** Each wish is a commit: somebody takes a seat, or gives it back. */
async function sell(engine: Engine, event: EventRef, buyers: readonly string[], commits: number) {
  const board = await engine.registry.board(event);
  if (!board) throw new Error('the event is on sale');
  const seats = seatIdsOf(board);
  for (let count = 0; count < commits; count++) {
    const user = buyers[count % buyers.length] ?? '';
    const answer = await engine.registry.submit(event, {
      command: aHold(user, [{ seat_id: seats[count] ?? '' }]),
      actor: { kind: 'system', id: null, role: null },
      context: null,
      key: null,
      deadline_ms: systemClock.monotonic() + 10_000,
    });
    if (answer.kind !== 'done') throw new Error('a free seat can be held');
  }
}

type Replays = { took_ms: number[]; blocked_ms: number[]; rows: number };

async function replays(engine: Engine, event: EventRef): Promise<Replays> {
  const seen: Replays = { took_ms: [], blocked_ms: [], rows: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const { result, took_ms, blocked_ms } = await timed(() => boardAt(engine, event, {}));
    if (result.kind !== 'board' || !result.matches) throw new Error('the log gives another board');
    seen.took_ms.push(took_ms);
    seen.blocked_ms.push(blocked_ms);
    seen.rows = result.rows;
  }
  return seen;
}

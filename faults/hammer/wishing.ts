import type { Board, Command, Hold, Outcome } from '@voelgoed/engine/board';
import { hashBody } from '@voelgoed/engine/idempotency';
import { type Clock, OperatingError, reasonOf } from '@voelgoed/engine/kit';
import type { Answer, EventRef, SeatRegistry } from '@voelgoed/engine/registry';
import type { Operation, ReportedHold } from '#history';
import type { Again } from './messages.ts';
import type { Recorder } from './recorder.ts';

type Returned = Pick<Operation, 'outcome' | 'code' | 'replayed' | 'revision' | 'holds'>;

/** As a request has. */
const DEADLINE_MS = 3_000;

/** Sends wishes to the registry and writes down what came of them. */
export class Wisher {
  readonly #registry: SeatRegistry;
  readonly #event: EventRef;
  readonly #clock: Clock;
  readonly #recorder: Recorder;
  #board: Board | null = null;

  constructor(tools: {
    registry: SeatRegistry;
    event: EventRef;
    clock: Clock;
    recorder: Recorder;
  }) {
    this.#registry = tools.registry;
    this.#event = tools.event;
    this.#clock = tools.clock;
    this.#recorder = tools.recorder;
  }

  /** Learns the names of seats and zones, so that no answer has to wait for them. */
  async prepare(): Promise<void> {
    this.#board = await this.#registry.board(this.#event);
  }

  send(wish: Again): Promise<Returned> {
    return this.#recorder.record(wish, () => this.#submit(wish));
  }

  async #submit(wish: Again): Promise<Returned> {
    const { asked, user, key } = wish;
    const bodyHash = hashBody(asked.op, asked);
    try {
      const answer = await this.#registry.submit(this.#event, {
        command: commandOf(wish),
        actor: { kind: 'user', id: user, role: 'customer' },
        context: null,
        key: key === null ? null : { userId: user, route: asked.op, key, bodyHash },
        deadline_ms: this.#clock.monotonic() + DEADLINE_MS,
      });
      return this.#returned(answer);
    } catch (error) {
      return failed(error);
    }
  }

  #returned(answer: Answer): Returned {
    if (answer.kind !== 'done') {
      return { ...NOTHING, outcome: 'refused', code: answer.kind };
    }
    const { outcome, revision, replayed } = answer;
    if (outcome.kind === 'refused') {
      return { ...NOTHING, outcome: 'refused', code: outcome.code, revision };
    }
    const board = this.#board;
    const holds = holdsOf(outcome).map((hold): ReportedHold => {
      const { hold_id, ordinal, zone, quantity, until_ms } = hold;
      const seat_id = ordinal >= 0 ? (board?.plan.seatIdOf(ordinal) ?? null) : null;
      const zone_id = ordinal >= 0 ? null : (board?.config.zones[zone]?.zone_id ?? null);
      return { hold_id, seat_id, zone_id, quantity, until_ms };
    });
    return { outcome: 'done', code: null, replayed, revision, holds };
  }
}

const NOTHING = { code: null, replayed: false, revision: null, holds: [] } as const;

function commandOf({ asked, user, wish }: Again): Command {
  const actor = { kind: 'user', id: user, role: 'customer' } as const;
  switch (asked.op) {
    case 'hold':
      return {
        kind: 'hold',
        user_id: user,
        items: asked.items,
        cart_token: wish,
        source: 'web',
        ip: null,
        role: 'customer',
        guest: false,
        made_by: null,
        hold_seconds: null,
        notes: null,
      };
    case 'extend':
      return { kind: 'extend', user_id: user, hold_id: asked.hold_id };
    case 'release': {
      const which = { hold_ids: asked.hold_ids };
      return { kind: 'release', which, owner: user, reason: 'user_cancelled', note: null, actor };
    }
    default:
      throw new Error(`the hammer does not ${asked.op}`);
  }
}

function holdsOf(outcome: Outcome): readonly Hold[] {
  if (outcome.kind === 'held') return outcome.holds;
  if (outcome.kind === 'extended') return [outcome.hold];
  if (outcome.kind !== 'released') return [];
  return outcome.holds.flatMap((one) => (one.outcome === 'released' && one.hold) || []);
}

/** Only what is called unknown is unknown: every other error promises that nothing was done. */
function failed(error: unknown): Returned {
  const code = error instanceof OperatingError ? error.code : `fault: ${reasonOf(error)}`;
  return { ...NOTHING, outcome: code === 'outcome_unknown' ? 'unknown' : 'failed', code };
}

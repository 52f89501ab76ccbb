import type { AuditAction } from '#audit';
import type { BoardConfig, ConfigChange } from '#board';
import { type EventRow, findEvent } from '#events';
import { OperatingError } from '#kit';
import type { Statement, Transaction } from '#postgres';
import type { Scope } from '#scope';
import type { Caller, Done, Engine, KeyReused } from './change.ts';
import type { EventRefusal } from './events.ts';
import { readAfterwards, wishFor } from './wish.ts';

/** What an author makes of what is there: a change of the board, or a reason why not. */
type Planned =
  | Readonly<{
      kind: 'change';
      changes: ConfigChange;
      entry: { action: AuditAction; changes: Readonly<Record<string, unknown>> };
      also: readonly Statement<unknown>[];
    }>
  | EventRefusal;

/** Others may change the same event meanwhile; after so many times somebody fights us. */
const TRIES = 5;

/**
 * Changes what the board of an event on sale decides by. The change is planned on what can be read
 * and made only if that is still so, else planned again.
 */
export async function changeConfig<Answer>(
  engine: Engine,
  caller: Caller,
  event: EventRow,
  plan: (transaction: Transaction, config: BoardConfig) => Promise<Planned>,
  answer: (transaction: Transaction) => Promise<Answer>,
): Promise<Done<Answer> | EventRefusal | KeyReused> {
  const { scope } = caller;
  const { event_id: eventId, status } = event;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const board = await engine.registry.board({ scope, eventId });
    if (!board) return { kind: 'wrong_state', status };
    const { config } = board;
    const planned = await engine.postgres.transaction(scope, { name: 'event.plan' }, (one) =>
      plan(one, config),
    );
    if (planned.kind !== 'change') return planned;
    const { changes, entry, also } = planned;
    const command = { kind: 'change_config', expected: config.version, changes, entry } as const;
    const done = await wishFor(engine, caller, eventId, command, () => also);
    if (done.kind === 'key_reused') return done;
    if (done.kind === 'not_on_sale') return { kind: 'wrong_state', status };
    if (done.outcome.kind === 'refused') continue;
    const answered = await readAfterwards(() =>
      engine.postgres.transaction(scope, { name: 'event.read' }, answer),
    );
    return { kind: 'done', answer: answered, replayed: done.replayed };
  }
  throw new OperatingError('event_busy', 'the event is changed by others', { retryable: true });
}

export async function eventRow(
  engine: Engine,
  scope: Scope,
  eventId: string,
): Promise<EventRow | null> {
  const [row] = await engine.postgres.ask(scope, findEvent(scope.organizationId, eventId));
  return row ?? null;
}

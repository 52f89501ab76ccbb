import { createHash } from 'node:crypto';
import type { Command, Hold, HoldCommand, HoldItem, ReleaseCommand } from '@voelgoed/engine/board';
import { systemClock } from '@voelgoed/engine/kit';
import type { Answer, Wish } from '@voelgoed/engine/registry';
import { aHold } from '#builders';

const SYSTEM = { kind: 'system', id: null, role: null } as const;

/** A command as somebody wishes for it who waits three seconds. */
export function aWish(command: Command, differently: Partial<Wish> = {}): Wish {
  const userId = 'user_id' in command ? command.user_id : null;
  const actor = userId ? ({ kind: 'user', id: userId, role: 'customer' } as const) : SYSTEM;
  const deadline_ms = systemClock.monotonic() + 3_000;
  return { command, actor, context: null, key: null, deadline_ms, ...differently };
}

/** Seats by id, or places as `[zone, quantity]`. */
export function holdOf(
  user_id: string,
  wanted: readonly (string | readonly [zone: string, quantity: number])[],
  differently: Partial<HoldCommand> = {},
): HoldCommand {
  const items: HoldItem[] = wanted.map((one) =>
    typeof one === 'string' ? { seat_id: one } : { zone_id: one[0], quantity: one[1] },
  );
  return aHold(user_id, items, { guest: false, ...differently });
}

export function extendOf(user_id: string, hold_id: string): Command {
  return { kind: 'extend', user_id, hold_id };
}

export function releaseOf(
  which: ReleaseCommand['which'],
  differently: Partial<ReleaseCommand> = {},
): ReleaseCommand {
  return {
    kind: 'release',
    note: null,
    which,
    owner: null,
    reason: 'user_cancelled',
    actor: SYSTEM,
    ...differently,
  };
}

export function blockOf(seat_ids: readonly string[], kind: 'block' | 'unblock' = 'block'): Command {
  return { kind, seat_ids, reason: 'repairs', actor: SYSTEM };
}

export function keyOf(userId: string, key: string, body: unknown = 'the same') {
  const bodyHash = createHash('sha256').update(JSON.stringify(body)).digest();
  return { userId, route: 'holds', key, bodyHash };
}

/** The holds of an answer that must have made or found some. */
export function holdsIn(answer: Answer): readonly Hold[] {
  if (answer.kind === 'done' && answer.outcome.kind === 'held') return answer.outcome.holds;
  throw new Error(`expected holds, not ${JSON.stringify(answer)}`);
}

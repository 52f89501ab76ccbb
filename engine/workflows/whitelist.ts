import { type EventRow, findEvent } from '#events';
import type { Transaction } from '#postgres';
import type { Problem } from '#reading';
import {
  type Caller,
  change,
  changed,
  type Done,
  type Engine,
  type KeyReused,
  replayOf,
} from './change.ts';
import { changeConfig, eventRow } from './event-config.ts';
import { chosenBase } from './event-layout.ts';
import type { EventRefusal } from './events.ts';
import { clearWhitelist, fillWhitelist, findUnknownUsers, listWhitelist } from './whitelist.sql.ts';

type Outcome = Done<{ user_ids: string[] }> | EventRefusal | { kind: 'zone_not_found' } | KeyReused;

/** Null: there is no such event. */
export function readWhitelist(
  engine: Engine,
  { scope }: Pick<Caller, 'scope'>,
  eventId: string,
  zoneId: string,
): Promise<string[] | null> {
  const { organizationId } = scope;
  return engine.postgres.transaction(scope, { name: 'whitelist.read' }, async (transaction) => {
    const [event] = await transaction.query(findEvent(organizationId, eventId));
    if (!event) return null;
    const rows = await transaction.query(listWhitelist(organizationId, eventId, zoneId));
    return rows.map(({ user_id }) => user_id);
  });
}

/** Names everybody who may enter a zone. On sale it counts from the next wish on. */
export async function setWhitelist(
  engine: Engine,
  caller: Caller,
  eventId: string,
  zoneId: string,
  userIds: readonly string[],
): Promise<Outcome> {
  const { scope } = caller;
  const { organizationId } = scope;
  const ids = [...new Set(userIds.map((id) => id.toLowerCase()))];
  const event = await eventRow(engine, scope, eventId);
  if (!event) return { kind: 'not_found' };
  if (event.status !== 'draft') {
    const earlier = await replayOf<{ user_ids: string[] }>(engine, caller);
    return earlier ?? setOnSale(engine, caller, event, zoneId, ids);
  }
  return change(engine, caller, 'event.whitelist', async (transaction) => {
    const chosen = await chosenBase(transaction, scope, eventId);
    if (!chosen?.base.zones.some(({ zone_id }) => zone_id === zoneId)) {
      return { kind: 'zone_not_found' as const };
    }
    const problems = await judgeUsers(transaction, organizationId, ids);
    if (problems.length > 0) return { kind: 'invalid' as const, problems };
    await transaction.query(clearWhitelist(organizationId, eventId, zoneId));
    await transaction.query(fillWhitelist(organizationId, eventId, zoneId, ids));
    const changes = { zone_id: zoneId, users: ids.length };
    const entry = {
      action: 'zone_whitelist_set',
      entityType: 'event',
      entityId: eventId,
      changes,
    } as const;
    return changed({ user_ids: ids }, [entry]);
  });
}

async function setOnSale(
  engine: Engine,
  caller: Caller,
  event: EventRow,
  zoneId: string,
  ids: readonly string[],
): Promise<Outcome> {
  const { organizationId } = caller.scope;
  const { event_id: eventId } = event;
  const board = await engine.registry.board({ scope: caller.scope, eventId });
  if (board && !board.config.zones.some(({ zone_id }) => zone_id === zoneId)) {
    return { kind: 'zone_not_found' };
  }
  return changeConfig(
    engine,
    caller,
    event,
    async (transaction, config) => {
      const { status } = config.event;
      if (!['published', 'live', 'postponed'].includes(status)) {
        return { kind: 'wrong_state' as const, status };
      }
      const problems = await judgeUsers(transaction, organizationId, ids);
      if (problems.length > 0) return { kind: 'invalid' as const, problems };
      const zones = config.zones.map((zone) =>
        zone.zone_id === zoneId ? { ...zone, whitelist: ids } : zone,
      );
      return {
        kind: 'change' as const,
        changes: { zones },
        entry: { action: 'zone_whitelist_set', changes: { zone_id: zoneId, users: ids.length } },
        also: [
          clearWhitelist(organizationId, eventId, zoneId),
          fillWhitelist(organizationId, eventId, zoneId, ids),
        ],
      };
    },
    async () => ({ user_ids: [...ids] }),
  );
}

async function judgeUsers(
  transaction: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<Problem[]> {
  const unknown = await transaction.query(findUnknownUsers(organizationId, ids));
  return unknown.map(({ user_id }) => ({
    path: `user_ids[${ids.indexOf(user_id)}]`,
    code: 'unknown_id',
    message: 'The organization knows no such user.',
  }));
}

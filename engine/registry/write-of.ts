import { NIL_ID } from '#kit';
import type { Statement } from '#postgres';
import type { FlushPart } from './flush-write.sql.ts';
import type { Flush } from './ports.ts';
import { type FlushValues, writeFlush } from './write-flush.ts';

/** The statement that writes a flush: the parts that it has, and their values. */
export function writeOf(organizationId: string, eventId: string, flush: Flush): Statement<object> {
  const { row, auditHead, text } = flush;
  const values: Record<string, unknown> = {
    organization: organizationId,
    event: eventId,
    expected: row.revision - 1,
    revision: row.revision,
    flush_id: row.flush_id,
    at: row.at_ms,
    format: row.format,
    hash: Buffer.from(row.hash, 'hex'),
    audit_count: auditHead.count,
    audit_head: auditHead.hash,
    changes: text,
  };
  const parts: FlushPart[] = [];
  const add = (part: FlushPart, rows: readonly unknown[], of: (flush: Flush) => FlushValues) => {
    if (rows.length === 0) return;
    parts.push(part);
    Object.assign(values, of(flush));
  };
  add('zones', flush.zones, zoneValues);
  add('seats', flush.seats, seatValues);
  add('ended', flush.endedHolds, endedValues);
  add('changed', flush.changedHolds, changedValues);
  add('made', flush.newHolds, madeValues);
  add('keys', flush.keys, keyValues);
  add('contexts', flush.contexts, contextValues);
  add('trail', flush.audit, trailValues);
  return writeFlush(parts, values);
}

function zoneValues({ zones }: Flush): FlushValues {
  return {
    zone_ids: list(zones, ({ zone_id }) => zone_id),
    zone_held: list(zones, ({ held }) => held),
    zone_sold: list(zones, ({ sold }) => sold),
    zone_blocked: list(zones, ({ blocked }) => blocked),
  };
}

function seatValues({ seats }: Flush): FlushValues {
  return {
    ordinals: list(seats, ({ ordinal }) => ordinal),
    seat_versions: list(seats, ({ expected_version }) => expected_version),
    expected_holds: list(seats, ({ expected_hold }) => expected_hold),
    seat_statuses: list(seats, ({ status }) => status),
    seat_holds: list(seats, ({ hold }) => hold?.hold_id ?? null),
    seat_until: list(seats, ({ hold }) => hold?.until_ms ?? null),
    seat_since: list(seats, ({ hold }) => hold?.created_ms ?? null),
    seat_tickets: list(seats, ({ ticket }) => (ticket === undefined ? NIL_ID : ticket)),
  };
}

function endedValues({ endedHolds }: Flush): FlushValues {
  return {
    ended_ids: list(endedHolds, ({ hold_id }) => hold_id),
    ended_statuses: list(endedHolds, ({ end }) => end.status),
    ended_reasons: list(endedHolds, ({ end }) => end.reason),
  };
}

function changedValues({ changedHolds }: Flush): FlushValues {
  return {
    changed_ids: list(changedHolds, ({ hold_id }) => hold_id),
    changed_until: list(changedHolds, ({ until_ms }) => until_ms),
    changed_checkouts: list(changedHolds, ({ checkout_id }) => checkout_id),
    changed_quantities: list(changedHolds, ({ quantity }) => quantity),
  };
}

function madeValues({ newHolds }: Flush): FlushValues {
  return {
    made_ids: list(newHolds, ({ hold }) => hold.hold_id),
    made_seats: list(newHolds, ({ seat_id }) => seat_id),
    made_zones: list(newHolds, ({ zone_id }) => zone_id),
    made_quantities: list(newHolds, ({ hold }) => hold.quantity),
    made_users: list(newHolds, ({ hold }) => hold.user_id),
    made_carts: texts(newHolds, ({ hold }) => hold.cart_token),
    made_statuses: list(newHolds, ({ end }) => end?.status ?? 'active'),
    made_sources: texts(newHolds, ({ hold }) => hold.source),
    made_until: list(newHolds, ({ hold }) => hold.until_ms),
    made_reasons: texts(newHolds, ({ end }) => end?.reason ?? null),
    made_by: list(newHolds, ({ hold }) => hold.made_by),
    made_notes: texts(newHolds, ({ hold }) => hold.notes),
    made_ips: texts(newHolds, ({ hold }) => hold.ip),
    made_checkouts: list(newHolds, ({ hold }) => hold.checkout_id),
    made_unjudged: list(newHolds, ({ hold }) => (hold.unjudged ? 't' : 'f')),
    made_settled: list(newHolds, ({ hold }) => hold.settled ?? null),
  };
}

function keyValues({ keys }: Flush): FlushValues {
  return {
    key_users: list(keys, ({ userId }) => userId),
    key_routes: texts(keys, ({ route }) => route),
    keys: texts(keys, ({ key }) => key),
    key_bodies: list(keys, ({ bodyHash }) => bodyHash.toString('hex')),
    key_answers: jsons(keys, ({ answer }) => answer),
  };
}

function contextValues({ contexts }: Flush): FlushValues {
  return {
    context_ids: list(contexts, ({ id }) => id),
    context_users: list(contexts, ({ userId }) => userId),
    context_ips: texts(contexts, ({ ip }) => ip),
    context_agents: texts(contexts, ({ userAgent }) => userAgent),
  };
}

function trailValues({ audit, auditHead }: Flush): FlushValues {
  return {
    trail_before: auditHead.count - audit.length,
    trail_kinds: list(audit, ({ actor_kind }) => actor_kind),
    trail_actors: list(audit, ({ actor_id }) => actor_id),
    trail_roles: texts(audit, ({ actor_role }) => actor_role),
    trail_actions: texts(audit, ({ action }) => action),
    trail_types: texts(audit, ({ entity_type }) => entity_type),
    trail_entities: list(audit, ({ entity_id }) => entity_id),
    trail_changes: jsons(audit, ({ changes }) => JSON.stringify(changes)),
    trail_contexts: list(audit, ({ context_id }) => context_id),
    trail_hashes: list(audit, ({ hash }) => hash.toString('hex')),
  };
}

/**
 * A list of ids, numbers, hex digits or words of our own as Postgres reads lists. The driver would
 * look for quotes and backslashes in each of them.
 */
function list<Row>(rows: readonly Row[], of: (row: Row) => string | number | null): string {
  let text = '{';
  for (const row of rows) text += `${text === '{' ? '' : ','}${of(row) ?? 'NULL'}`;
  return `${text}}`;
}

const TO_ESCAPE = /["\\]/;

/** The same for texts of others, which may have anything in them. */
function texts<Row>(rows: readonly Row[], of: (row: Row) => string | null): string {
  return list(rows, (row) => {
    const text = of(row);
    if (text === null) return null;
    return `"${TO_ESCAPE.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;
  });
}

/** The same for JSON, which has no characters that its own way to quote would spell otherwise. */
function jsons<Row>(rows: readonly Row[], of: (row: Row) => string): string {
  return list(rows, (row) => JSON.stringify(of(row)));
}

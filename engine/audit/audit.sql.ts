import { statement } from '#postgres';
import type { AuditRow } from './chain.ts';

/** Takes the organization's chain: who appends next waits for this transaction to end. */
export const lockOrganizationChain = statement<
  { audit_count: number; audit_head: Buffer; at: string },
  [organizationId: string]
>(
  'audit.lock_organization',
  `select audit_count, audit_head,
     to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
   from organizations where organization_id = $1 for no key update`,
);

export const moveOrganizationChain = statement<
  object,
  [organizationId: string, count: number, head: Buffer]
>(
  'audit.move_organization',
  `update organizations set audit_count = $2, audit_head = $3 where organization_id = $1`,
);

export const insertAuditRows = statement<object, [organizationId: string, rows: string]>(
  'audit.insert',
  `insert into audit_log (organization_id, chain_id, sequence, at, actor_kind, actor_id,
     actor_role, action, entity_type, entity_id, changes, context_id, hash)
   select $1, r.chain_id, r.sequence, r.at, r.actor_kind, r.actor_id, r.actor_role, r.action,
     r.entity_type, r.entity_id, r.changes, r.context_id, decode(r.hash, 'hex')
   from jsonb_to_recordset($2::jsonb) as r (chain_id uuid, sequence bigint, at timestamptz,
     actor_kind text, actor_id uuid, actor_role text, action text, entity_type text,
     entity_id uuid, changes jsonb, context_id uuid, hash text)`,
);

export const insertContext = statement<
  object,
  [
    organizationId: string,
    contextId: string,
    userId: string | null,
    ip: string | null,
    agent: string | null,
  ]
>(
  'audit.insert_context',
  `insert into audit_context (organization_id, context_id, user_id, ip_address, user_agent)
   values ($1, $2, $3, $4, $5)`,
);

const AUDIT_COLUMNS = `chain_id, sequence,
     to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
     actor_kind, actor_id, actor_role, action, entity_type, entity_id, changes, context_id`;

/** One page of a chain in order, for the verifier. */
export const readChain = statement<
  AuditRow & { hash: Buffer },
  [organizationId: string, chainId: string, after: number, most: number]
>(
  'audit.read_chain',
  `select ${AUDIT_COLUMNS}, hash from audit_log
   where organization_id = $1 and chain_id = $2 and sequence > $3
   order by sequence limit $4`,
);

export const readOrganizationHead = statement<
  { audit_count: number; audit_head: Buffer },
  [organizationId: string]
>(
  'audit.organization_head',
  `select audit_count, audit_head from organizations where organization_id = $1`,
);

/** The chain of one event has its head and length on the event's board. */
export const readEventHead = statement<
  { audit_count: number; audit_head: Buffer },
  [organizationId: string, eventId: string]
>(
  'audit.event_head',
  `select audit_count, audit_head from event_boards
   where organization_id = $1 and event_id = $2`,
);

type TrailConditions = [
  actorIds: readonly string[] | null,
  action: string | null,
  entityId: string | null,
  before: number | null,
  from: string | null,
  to: string | null,
  most: number,
];

const TRAIL_COLUMNS = AUDIT_COLUMNS.replace('context_id', 'log.context_id');

/** Entries with where they came from, newest first; every condition is optional. */
const TRAIL = `select ${TRAIL_COLUMNS}, host(c.ip_address) as ip_address, c.user_agent
   from audit_log log
   left join audit_context c
     on c.organization_id = log.organization_id and c.context_id = log.context_id
   where log.organization_id = $1
     and chain_id = $2 and ($3::uuid[] is null or actor_id = any ($3))
     and ($4::text is null or action = $4) and ($5::uuid is null or entity_id = $5)
     and ($6::bigint is null or sequence < $6)
     and ($7::timestamptz is null or at >= $7) and ($8::timestamptz is null or at < $8)`;
const NEWEST = 'order by sequence desc limit $9';

type TrailRow = AuditRow & { ip_address: string | null; user_agent: string | null };

/** The audit log for people. */
export const readTrailPage = statement<
  TrailRow,
  [organizationId: string, chainId: string, ...TrailConditions]
>('audit.trail', `${TRAIL} ${NEWEST}`);

/** The same of entries that were found by what they are about. */
export const readTrailRows = statement<
  TrailRow,
  [organizationId: string, chainId: string, ...TrailConditions, sequences: readonly number[]]
>('audit.trail_rows', `${TRAIL} and sequence = any ($10::bigint[]) ${NEWEST}`);

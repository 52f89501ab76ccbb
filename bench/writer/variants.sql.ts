/** A part of the schema that can be taken away, to see what it costs a row of a hot table. */
export type Variant = Readonly<{
  name: string;
  table: 'seat_holds' | 'audit_log';
  apply: string;
}>;

type Table = Variant['table'];

/** Rows as a flush writes them. */
export const insertTrail = `insert into audit_log (organization_id, chain_id, sequence, at,
    actor_kind, actor_id, actor_role, action, entity_type, entity_id, changes, context_id, hash)
  select $1::uuid, $2::uuid, 1000000 + $3::int + d.place, now(), 'user', d.user_id, 'customer',
    'seat_reserved', 'seat_hold', d.hold_id,
    jsonb_build_object('seat_id', d.hold_id, 'status', 'active', 'held_until', now(), 'source',
      'web', 'user_id', d.user_id), null, sha256(uuid_send(d.hold_id))
  from unnest($4::uuid[], $5::uuid[]) with ordinality as d (user_id, hold_id, place)`;

export const insertHolds = `insert into seat_holds (organization_id, event_id, hold_id, seat_id,
    quantity, user_id, cart_token, status, source, created_at, held_until)
  select $1::uuid, $2::uuid, d.hold_id, d.seat_id, 1, d.user_id, d.hold_id::text, 'active', 'web',
    now(), now() + interval '10 minutes'
  from unnest($3::uuid[], $4::uuid[], $5::uuid[]) as d (hold_id, seat_id, user_id)`;

function withoutIndex(table: Table, name: string): Variant {
  return { table, name: `without index ${name}`, apply: `drop index ${table}_${name}` };
}

/** References that there were once, and what they would cost. */
function withKey(table: Table, column: string, parent: string): Variant {
  const columns = column === '' ? 'organization_id' : `organization_id, ${column}`;
  const apply = `alter table ${table} add foreign key (${columns}) references ${parent} not valid`;
  return { table, name: `with a foreign key to ${parent}`, apply };
}

function withoutPolicy(table: Table): Variant {
  const apply = `alter table ${table} disable row level security`;
  return { table, name: 'without row level security', apply };
}

/** What the others are compared with. */
export const UNCHANGED: readonly Variant[] = [
  { table: 'seat_holds', name: 'as it is', apply: 'select 1' },
  { table: 'audit_log', name: 'as it is', apply: 'select 1' },
];

export const VARIANTS: readonly Variant[] = [
  withoutIndex('seat_holds', 'one_active'),
  withoutIndex('seat_holds', 'due'),
  withoutIndex('seat_holds', 'of_user'),
  withKey('seat_holds', 'user_id', 'users'),
  withKey('seat_holds', 'event_id', 'event_boards'),
  withoutPolicy('seat_holds'),
  {
    table: 'seat_holds',
    name: 'with fillfactor 100',
    apply: 'alter table seat_holds set (fillfactor = 100)',
  },
  withoutIndex('audit_log', 'blocks'),
  withoutIndex('audit_log', 'entity'),
  withoutIndex('audit_log', 'begun_on'),
  withoutIndex('audit_log', 'staff'),
  withoutIndex('audit_log', 'moves'),
  {
    table: 'audit_log',
    name: 'without the indexes of the search',
    apply: `drop index audit_log_entity, audit_log_begun_on, audit_log_staff, audit_log_moves`,
  },
  withKey('audit_log', '', 'organizations'),
  withoutPolicy('audit_log'),
];

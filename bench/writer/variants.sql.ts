/** A part of the schema that can be taken away and put back, to see what it costs. */
export type Variant = Readonly<{ name: string; apply: string; revert: string }>;

function withoutIndex(name: string, definition: string): Variant {
  return { name: `without index ${name}`, apply: `drop index ${name}`, revert: definition };
}

function withoutKey(table: string, name: string, definition: string): Variant {
  return {
    name: `without foreign key ${name}`,
    apply: `alter table ${table} drop constraint ${name}`,
    revert: `alter table ${table} add constraint ${name} foreign key ${definition} not valid`,
  };
}

function withoutPolicies(name: string, tables: readonly string[]): Variant {
  const all = (words: string) => tables.map((table) => `alter table ${table} ${words};`).join(' ');
  return {
    name,
    apply: all('disable row level security'),
    revert: all('enable row level security'),
  };
}

/** Everything a flush writes to. */
const HOT = ['event_boards', 'event_zones', 'event_seats', 'seat_holds', 'seat_changes'];

export const VARIANTS: readonly Variant[] = [
  { name: 'as it is', apply: 'select 1', revert: 'select 1' },
  withoutIndex(
    'audit_log_timeline',
    'create index audit_log_timeline on audit_log (organization_id, at desc)',
  ),
  withoutIndex(
    'audit_log_actor',
    'create index audit_log_actor on audit_log (organization_id, actor_id, at desc)',
  ),
  withoutIndex(
    'audit_log_action',
    'create index audit_log_action on audit_log (organization_id, action, at desc)',
  ),
  {
    name: 'without all three of audit_log',
    apply: 'drop index audit_log_timeline, audit_log_actor, audit_log_action',
    revert: `create index audit_log_timeline on audit_log (organization_id, at desc);
      create index audit_log_actor on audit_log (organization_id, actor_id, at desc);
      create index audit_log_action on audit_log (organization_id, action, at desc)`,
  },
  withoutIndex(
    'seat_holds_due',
    `create index seat_holds_due on seat_holds (held_until) where status = 'active'`,
  ),
  withoutIndex(
    'seat_holds_user',
    `create index seat_holds_user on seat_holds (organization_id, user_id)
     where status = 'active'`,
  ),
  withoutIndex(
    'seat_holds_one_active',
    `create unique index seat_holds_one_active on seat_holds (organization_id, event_id, seat_id)
     where status = 'active'`,
  ),
  withoutKey(
    'seat_holds',
    'seat_holds_organization_id_user_id_fkey',
    '(organization_id, user_id) references users',
  ),
  withoutKey(
    'seat_holds',
    'seat_holds_organization_id_event_id_fkey',
    '(organization_id, event_id) references event_boards',
  ),
  withoutKey(
    'seat_changes',
    'seat_changes_organization_id_event_id_fkey',
    '(organization_id, event_id) references event_boards',
  ),
  withoutKey(
    'audit_log',
    'audit_log_organization_id_fkey',
    '(organization_id) references organizations',
  ),
  withoutPolicies('without row level security', [...HOT, 'audit_log', 'audit_context']),
  {
    name: 'changes compressed (storage extended)',
    apply: 'alter table seat_changes alter column changes set storage extended',
    revert: 'alter table seat_changes alter column changes set storage external',
  },
  {
    name: 'changes in line (storage main)',
    apply: 'alter table seat_changes alter column changes set storage main',
    revert: 'alter table seat_changes alter column changes set storage external',
  },
];

import { scopesOf } from '#accounts';
import { type EventOverrides, findEventLayout, NO_OVERRIDES } from '#events';
import { assert } from '#kit';
import {
  changePolicy,
  DEFAULT_POLICY,
  effectivePolicy,
  findPolicy,
  lockPolicy,
  type PolicyAuthor,
  permittedOverrides,
  putPolicy,
  readPolicy,
  type SeatingPolicy,
} from '#policies';
import type { Transaction } from '#postgres';
import type { Problem } from '#reading';
import { setPolicyAt } from '#registry';
import type { Scope } from '#scope';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';
import { wishFor } from './wish.ts';

/** The organization's policy; the defaults where it has said nothing. */
export function readSeatingPolicy(
  engine: Engine,
  caller: Pick<Caller, 'scope'>,
): Promise<SeatingPolicy> {
  return engine.postgres.transaction(caller.scope, { name: 'policy.read' }, (transaction) =>
    policyOf(transaction, caller.scope),
  );
}

export async function policyOf(transaction: Transaction, scope: Scope): Promise<SeatingPolicy> {
  const [row] = await transaction.query(findPolicy(scope.organizationId));
  if (!row) return DEFAULT_POLICY;
  const read = readPolicy(row.policy);
  assert(read.kind === 'policy', 'a stored policy is readable');
  return read.policy;
}

/** Changes the fields that are named. Only the platform locks fields and changes locked ones. */
export function changeSeatingPolicy(
  engine: Engine,
  caller: Caller,
  changes: unknown,
  author: PolicyAuthor,
): Promise<Done<SeatingPolicy> | { kind: 'refused'; problems: readonly Problem[] } | KeyReused> {
  const { organizationId } = caller.scope;
  return change(engine, caller, 'policy.change', async (transaction) => {
    await transaction.query(lockPolicy(organizationId));
    const before = await policyOf(transaction, caller.scope);
    const outcome = changePolicy(before, changes, author);
    if (outcome.kind === 'refused') return { kind: 'refused' as const, problems: outcome.problems };
    const { policy } = outcome;
    await transaction.query(putPolicy(organizationId, JSON.stringify(policy)));
    const entry = {
      action: 'policy_changed',
      entityType: 'seating_policy',
      entityId: organizationId,
      changes: differences(before, policy),
    } as const;
    return changed(policy, [entry]);
  });
}

/**
 * Gives an event on sale the organization's policy of now, with the event's own overrides as far as
 * they are still permitted.
 */
export async function adoptPolicy(engine: Engine, scope: Scope, eventId: string): Promise<void> {
  const { organizationId } = scope;
  const read = await engine.postgres.transaction(scope, { name: 'policy.adopt' }, async (one) => {
    const [row] = await one.query(findPolicy(organizationId));
    const [chosen] = await one.query(findEventLayout(organizationId, eventId));
    return { row, policy: await policyOf(one, scope), chosen };
  });
  const overrides = (read.chosen?.overrides ?? NO_OVERRIDES) as EventOverrides;
  const { kept } = permittedOverrides(read.policy, overrides.seating_overrides);
  const effective = effectivePolicy(read.policy, kept);
  if (!read.row || effective.kind === 'refused') return;
  const { changed_at } = read.row;
  const { policy } = effective;
  const command = {
    kind: 'change_config',
    expected: null,
    changes: { policy },
    entry: { action: 'event_policy_adopted', changes: { changed_at } },
  } as const;
  await wishFor(engine, systemCaller(scope), eventId, command, () => [
    setPolicyAt(organizationId, eventId, changed_at),
  ]);
}

function systemCaller(scope: Scope): Caller {
  return {
    scope,
    actor: { kind: 'system', id: null, role: null },
    role: 'owner',
    scopes: scopesOf('owner'),
    ip: null,
    userAgent: null,
    idempotency: null,
  };
}

function differences(before: SeatingPolicy, after: SeatingPolicy): Record<string, unknown> {
  const names = Object.keys(after) as (keyof SeatingPolicy)[];
  const differ = names.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(differ.map((name) => [name, { from: before[name], to: after[name] }]));
}

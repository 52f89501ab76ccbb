import { statement } from '#postgres';

export const findPolicy = statement<
  { policy: unknown; changed_at: string },
  [organizationId: string]
>('policies.find', `select policy, changed_at from seating_policies where organization_id = $1`);

/** Held until the transaction ends, also when the organization has no policy of its own yet. */
export const lockPolicy = statement<object, [organizationId: string]>(
  'policies.lock',
  `select from organizations where organization_id = $1 for no key update`,
);

export const putPolicy = statement<object, [organizationId: string, policy: string]>(
  'policies.put',
  `insert into seating_policies (organization_id, policy) values ($1, $2)
   on conflict (organization_id) do update
   set policy = excluded.policy, changed_at = now()`,
);

import { lookupOrganizations } from '#accounts';
import type { Postgres } from '#postgres';
import { scopeOf } from '#scope';
import { pruneDeliveries } from '#webhooks';
import { pruneKeys, pruneRefusals } from './jobs.sql.ts';

const PAGE = 500;
/** A portion that no buyer notices; the next follows at once. */
const PORTION = 5_000;

/**
 * Takes away what nobody asks for any more: answers after a day, refusals and deliveries after a
 * month.
 */
export async function pruneOnce({ postgres }: { postgres: Postgres }): Promise<void> {
  for (let after = ''; ; ) {
    const page = await postgres.ask(null, lookupOrganizations(after, PAGE), { pool: 'jobs' });
    for (const { organization_id } of page) await pruneOrganization(postgres, organization_id);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.slug;
  }
}

async function pruneOrganization(postgres: Postgres, organizationId: string): Promise<void> {
  const options = { name: 'jobs.prune', pool: 'jobs' } as const;
  const scope = scopeOf(organizationId);
  for (const prune of [pruneKeys, pruneRefusals, pruneDeliveries]) {
    let pruned = PORTION;
    while (pruned === PORTION) {
      const [row] = await postgres.transaction(scope, options, (transaction) =>
        transaction.query(prune(organizationId, PORTION)),
      );
      pruned = row?.pruned ?? 0;
    }
  }
}

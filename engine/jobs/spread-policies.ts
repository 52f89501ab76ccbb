import { reasonOf } from '#kit';
import { scopeOf } from '#scope';
import { adoptPolicy, type Engine } from '#workflows';
import { stalePolicies } from './jobs.sql.ts';

const MOST_EVENTS = 100;

/** Sends an organization's new policy to its events, each by a command of its own. */
export async function spreadPolicies(engine: Engine): Promise<void> {
  const stale = await engine.postgres.ask(null, stalePolicies(MOST_EVENTS), { pool: 'jobs' });
  for (const { organization_id, event_id } of stale) {
    // An event that cannot be changed keeps no other from it.
    await adoptPolicy(engine, scopeOf(organization_id), event_id).catch((error) => {
      const about = { reason: reasonOf(error), ids: { organization_id, event_id } };
      engine.telemetry.emit({ kind: 'job.failed', job: 'policies', ...about });
    });
  }
}

import { reasonOf } from '#kit';
import type { Postgres } from '#postgres';
import { type Scope, scopeOf } from '#scope';
import type { Telemetry } from '#telemetry';
import { addPageViews } from './page-views.sql.ts';

type PageViewTools = Readonly<{ postgres: Postgres; telemetry: Telemetry }>;

/**
 * How often the public page of each event was looked at: where the funnel begins. Counted in memory
 * and added to the minute by a job, because a look must never cost a commit. It knows no visitor.
 */
export class PageViews {
  readonly #tools: PageViewTools;
  /** By organization and event: there are as many as public events. */
  #counted = new Map<string, Map<string, number>>();

  constructor(tools: PageViewTools) {
    this.#tools = tools;
  }

  note({ organizationId }: Scope, eventId: string): void {
    const ofTenant = this.#counted.get(organizationId) ?? new Map<string, number>();
    this.#counted.set(organizationId, ofTenant);
    ofTenant.set(eventId, (ofTenant.get(eventId) ?? 0) + 1);
  }

  /** Writes what has gathered; what cannot be written is lost, and said so. */
  async flush(): Promise<void> {
    const counted = this.#counted;
    this.#counted = new Map();
    for (const [organization_id, ofTenant] of counted) {
      const rows = [...ofTenant].map(([event_id, views]) => ({ event_id, views }));
      const options = { name: 'page_views.write', pool: 'jobs' } as const;
      await this.#tools.postgres
        .transaction(scopeOf(organization_id), options, (transaction) =>
          transaction.query(addPageViews(organization_id, JSON.stringify(rows))),
        )
        .catch((error) => {
          const reason = `views of ${rows.length} events were not written: ${reasonOf(error)}`;
          const about = { reason, ids: { organization_id } };
          this.#tools.telemetry.emit({ kind: 'job.failed', job: 'page_views', ...about });
        });
    }
  }
}

import { isUuid, uuidOf } from '#kit';
import type { Postgres } from '#postgres';
import { type Scope, scopeOf } from '#scope';
import type { OrganizationStatus } from './organization.ts';
import type { Membership } from './roles.ts';
import { admitUsers } from './users.sql.ts';

/** What a credential's owner is, at this moment, in their organization. */
export type Standing = Readonly<{
  organization: OrganizationStatus;
  user: 'active' | 'disabled';
  membership: Membership | null;
}>;

/**
 * The user that a subject stands for. A platform's own ids stay what they are when they are UUIDs;
 * any other text gets one that is the same on every node.
 */
export function userIdOf(organizationId: string, subject: string): string {
  return isUuid(subject) ? subject.toLowerCase() : uuidOf('user', organizationId, subject);
}

type Waiter = { resolve: (standing: Standing | null) => void; reject: (error: unknown) => void };
type Gathering = Map<string, { subject: string; waiters: Waiter[] }>;

const ADMIT = { name: 'users.admit', pool: 'logins' } as const;
/** More would only make one statement long; the next ones go into the next. */
const BATCH = 500;

/**
 * Makes users known before they are used, and tells their standing. All who arrive within one turn
 * of the event loop share one statement per organization: a thousand new buyers cost a few.
 */
export class Admission {
  readonly #postgres: Postgres;
  #gathering = new Map<string, Gathering>();

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Null when there is no such organization. */
  admit(organizationId: string, subject: string): Promise<Standing | null> {
    return new Promise((resolve, reject) => {
      if (this.#gathering.size === 0) setImmediate(() => this.#flush());
      const organization = this.#gathering.get(organizationId) ?? new Map();
      this.#gathering.set(organizationId, organization);
      const userId = userIdOf(organizationId, subject);
      const user = organization.get(userId) ?? { subject, waiters: [] };
      organization.set(userId, user);
      user.waiters.push({ resolve, reject });
    });
  }

  #flush(): void {
    const gathered = this.#gathering;
    this.#gathering = new Map();
    for (const [organizationId, users] of gathered) {
      const all = [...users];
      for (let from = 0; from < all.length; from += BATCH) {
        void this.#admitBatch(scopeOf(organizationId), new Map(all.slice(from, from + BATCH)));
      }
    }
  }

  async #admitBatch(scope: Scope, users: Gathering): Promise<void> {
    // In one order everywhere: two batches with the same users must not wait for each other.
    const ids = [...users.keys()].sort();
    const subjects = ids.map((id) => users.get(id)?.subject ?? '');
    try {
      const rows = await this.#postgres.transaction(scope, ADMIT, (one) =>
        one.query(admitUsers(ids, subjects)),
      );
      const standings = new Map(rows.map((row) => [row.user_id, standingOf(row)]));
      for (const [id, { waiters }] of users) {
        for (const { resolve } of waiters) resolve(standings.get(id) ?? null);
      }
    } catch (error) {
      for (const { waiters } of users.values()) for (const { reject } of waiters) reject(error);
    }
  }
}

function standingOf(row: {
  organization_status: OrganizationStatus;
  user_status: 'active' | 'disabled';
  role: Membership['role'] | null;
  tier: string | null;
  active: boolean | null;
}): Standing {
  return Object.freeze({
    organization: row.organization_status,
    user: row.user_status,
    membership: row.role && { role: row.role, tier: row.tier, active: row.active ?? false },
  });
}

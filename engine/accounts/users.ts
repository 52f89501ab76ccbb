import { isUuid, uuidOf } from '#kit';
import type { Postgres } from '#postgres';
import { type Scope, scopeOf } from '#scope';
import type { OrganizationStatus } from './organization.ts';
import type { Membership } from './roles.ts';
import { admitUsers, readStandingVersions } from './users.sql.ts';

/** What a credential's owner is, at this moment, in their organization. */
export type Standing = Readonly<{
  organization: OrganizationStatus;
  user: 'active' | 'disabled';
  membership: Membership | null;
  /** It is the same until this number of the organization changes, … */
  version: number;
  /** … or until the membership is over; null: it has no end. */
  left_ms: number | null;
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

const ADMIT = { pool: 'logins' } as const;
/** More would only make one statement long; the next ones go into the next. */
const BATCH = 500;

/**
 * Makes users known before they are used, and tells their standing. One statement per organization
 * is under way at a time; who arrives meanwhile goes into the next one together. When a sale opens,
 * thousands of new buyers then cost a few statements and not all connections.
 */
export class Admission {
  readonly #postgres: Postgres;
  readonly #gathering = new Map<string, Gathering>();
  readonly #working = new Set<string>();

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Null when there is no such organization. */
  admit(organizationId: string, subject: string): Promise<Standing | null> {
    return new Promise((resolve, reject) => {
      const users = this.#gathering.get(organizationId) ?? new Map();
      this.#gathering.set(organizationId, users);
      const userId = userIdOf(organizationId, subject);
      const user = users.get(userId) ?? { subject, waiters: [] };
      users.set(userId, user);
      user.waiters.push({ resolve, reject });
      if (this.#working.has(organizationId)) return;
      this.#working.add(organizationId);
      setImmediate(() => void this.#work(organizationId));
    });
  }

  /** How often standings have changed in these organizations, by their ids. */
  async versions(organizationIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#postgres.ask(null, readStandingVersions(organizationIds), ADMIT);
    return new Map(rows.map(({ organization_id, version }) => [organization_id, version]));
  }

  async #work(organizationId: string): Promise<void> {
    const scope = scopeOf(organizationId);
    for (;;) {
      const users = this.#gathering.get(organizationId);
      if (!users) break;
      const batch = new Map([...users].slice(0, BATCH));
      for (const id of batch.keys()) users.delete(id);
      if (users.size === 0) this.#gathering.delete(organizationId);
      await this.#admitBatch(scope, batch);
    }
    this.#working.delete(organizationId);
  }

  async #admitBatch(scope: Scope, users: Gathering): Promise<void> {
    // In one order everywhere: two batches with the same users must not wait for each other.
    const ids = [...users.keys()].sort();
    const subjects = ids.map((id) => users.get(id)?.subject ?? '');
    try {
      const rows = await this.#postgres.ask(scope, admitUsers(ids, subjects), ADMIT);
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
  version: number;
  user_status: 'active' | 'disabled';
  role: Membership['role'] | null;
  tier: string | null;
  active: boolean | null;
  left_ms: number | null;
}): Standing {
  return Object.freeze({
    organization: row.organization_status,
    user: row.user_status,
    membership: row.role && { role: row.role, tier: row.tier, active: row.active ?? false },
    version: row.version,
    // What is over already does not end once more.
    left_ms: row.active ? row.left_ms : null,
  });
}

import type { Admission, Standing } from '@voelgoed/engine/accounts';
import type { Clock } from '@voelgoed/engine/kit';
import { BoundedCache } from './bounded-cache.ts';

/** A revoked member or a suspended organization is noticed within this time, on every node. */
const NOTICED_MS = 5_000;
/** Older than this, somebody asks whether anything has changed; nobody waits for it yet. */
const ASKED_MS = 1_000;
/** However sure we are: what a number cannot tell (a database that lost commits) heals by then. */
const KEPT_MS = 60_000;
const STANDINGS = 50_000;
const TENANTS = 10_000;

/** How often standings had changed in an organization when that was asked last. */
type Tenant = {
  readonly organizationId: string;
  version: number;
  asked_ms: number;
  /** Somebody came since it was asked about: it is of the next question. */
  isUsed: boolean;
  /** The question that is under way for it, or about to be. */
  answer: Promise<void> | null;
};

/** Null: there is no such organization. */
export type Found = Readonly<{ standing: Standing | null; tenant: Tenant; until_ms: number }>;

/**
 * What was found about people, for as long as it is right. Nodes do not ask about everybody again
 * and again: each organization counts its changes, one question a second asks for these numbers,
 * and while they are the same so is everybody's standing.
 */
export class Standings {
  readonly #admission: Admission;
  readonly #clock: Clock;
  readonly #found = new BoundedCache<Promise<Found>>(STANDINGS);
  readonly #tenants = new BoundedCache<Tenant>(TENANTS);
  #used: Tenant[] = [];
  /** One question at a time; who comes meanwhile is of the next one, which waits for it. */
  #asked: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(admission: Admission, clock: Clock) {
    this.#admission = admission;
    this.#clock = clock;
  }

  async of(organizationId: string, subject: string): Promise<Found> {
    const name = `${organizationId} ${subject}`;
    const earlier = this.#found.get(name);
    const known = await earlier;
    if (known && (this.isGood(known) || (await this.#isGoodAfterAll(known)))) return known;
    const meanwhile = this.#found.get(name);
    if (meanwhile !== undefined && meanwhile !== earlier) return meanwhile;
    const found = this.#ask(organizationId, subject);
    this.#found.set(name, found);
    found.catch(() => this.#found.delete(name));
    return found;
  }

  /** Is it still so? Answered from memory. */
  isGood({ standing, tenant, until_ms }: Found): boolean {
    const now_ms = this.#clock.monotonic();
    if (now_ms >= until_ms || standing === null) return now_ms < until_ms;
    if (standing.version !== tenant.version) return false;
    if (!tenant.isUsed) {
      tenant.isUsed = true;
      this.#used.push(tenant);
    }
    const age_ms = now_ms - tenant.asked_ms;
    if (age_ms >= ASKED_MS) tenant.answer ??= this.#question();
    return age_ms < NOTICED_MS;
  }

  /** Nobody has asked for a while: perhaps nothing has changed. */
  async #isGoodAfterAll(found: Found): Promise<boolean> {
    const { standing, tenant, until_ms } = found;
    if (standing?.version !== tenant.version || this.#clock.monotonic() >= until_ms) return false;
    await tenant.answer;
    return this.isGood(found);
  }

  async #ask(organizationId: string, subject: string): Promise<Found> {
    const asked_ms = this.#clock.monotonic();
    const standing = await this.#admission.admit(organizationId, subject);
    const tenant = this.#tenantOf(organizationId);
    if (!standing) return { standing, tenant, until_ms: asked_ms + NOTICED_MS };
    hear(tenant, standing.version, asked_ms);
    const kept_ms = Math.min(KEPT_MS, standing.left_ms ?? KEPT_MS);
    return { standing, tenant, until_ms: asked_ms + kept_ms };
  }

  #tenantOf(organizationId: string): Tenant {
    const known = this.#tenants.get(organizationId);
    if (known) return known;
    const tenant = { organizationId, version: -1, asked_ms: -1, isUsed: false, answer: null };
    this.#tenants.set(organizationId, tenant);
    return tenant;
  }

  /** The next question, which is about everybody who was used since the last one. */
  #question(): Promise<void> {
    if (this.#next) return this.#next;
    const next: Promise<void> = this.#asked.then(() => {
      this.#next = null;
      return this.#askAll(next);
    });
    this.#next = next;
    this.#asked = next;
    return next;
  }

  /** Whoever cannot be asked leaves everybody in doubt, who then ask for themselves. */
  async #askAll(answer: Promise<void>): Promise<void> {
    const tenants = this.#used;
    this.#used = [];
    for (const tenant of tenants) {
      tenant.isUsed = false;
      tenant.answer = answer;
    }
    const asked_ms = this.#clock.monotonic();
    const ids = tenants.map(({ organizationId }) => organizationId);
    const versions = await this.#admission.versions(ids).catch(() => new Map<string, number>());
    for (const tenant of tenants) {
      tenant.answer = null;
      const version = versions.get(tenant.organizationId);
      if (version !== undefined) hear(tenant, version, asked_ms);
    }
  }
}

/** Of two answers the one counts whose question was asked later. */
function hear(tenant: Tenant, version: number, asked_ms: number): void {
  if (asked_ms < tenant.asked_ms) return;
  tenant.version = version;
  tenant.asked_ms = asked_ms;
}

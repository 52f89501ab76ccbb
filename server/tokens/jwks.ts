import type { IssuerRow } from '@voelgoed/engine/accounts';
import { type Clock, isOperatingError } from '@voelgoed/engine/kit';
import { jwtVerify } from 'jose';
import { BoundedCache } from './bounded-cache.ts';
import { SKEW_SECONDS } from './hs256.ts';
import { KeySet } from './key-set.ts';

const ISSUERS = 1_000;
/** How long a list of issuers is used before the database is asked again. */
const LIST_MS = 5_000;

export type IssuerSource = (organizationId: string) => Promise<IssuerRow[]>;

export type IssuerProof = Readonly<{ issuerId: string; payload: Record<string, unknown> }>;

/**
 * Tokens that others sign. Only an issuer that is registered for the organization in the token
 * counts, only with the algorithms that were registered, and a key comes from its own key set
 * alone.
 */
export class IssuerTokens {
  readonly #clock: Clock;
  readonly #issuers: IssuerSource;
  readonly #allowInternal: boolean;
  readonly #lists = new BoundedCache<{ at: number; rows: Promise<IssuerRow[]> }>(ISSUERS);
  readonly #keySets = new BoundedCache<KeySet>(ISSUERS);

  constructor(options: { clock: Clock; issuers: IssuerSource; allowInternal: boolean }) {
    this.#clock = options.clock;
    this.#issuers = options.issuers;
    this.#allowInternal = options.allowInternal;
  }

  /** What a registered issuer says; `claimed` is what the token says about itself, unproven. */
  async verify(
    token: string,
    claimed: { organizationId: string; issuer: string },
  ): Promise<IssuerProof | null> {
    const rows = await this.#list(claimed.organizationId);
    const row = rows.find(({ issuer }) => issuer === claimed.issuer);
    if (!row) return null;
    try {
      const { payload } = await jwtVerify(token, this.#keySet(row).find, {
        issuer: row.issuer,
        audience: row.audience,
        algorithms: row.algorithms,
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(this.#clock.now()),
        requiredClaims: ['exp', 'sub', 'org'],
      });
      return { issuerId: row.issuer_id, payload };
    } catch (error) {
      // That we cannot know is not the caller's fault.
      if (isOperatingError(error)) throw error;
      return null;
    }
  }

  /** Still registered? Asked also for tokens that were verified before. */
  async isRegistered(organizationId: string, issuerId: string): Promise<boolean> {
    return (await this.#list(organizationId)).some((row) => row.issuer_id === issuerId);
  }

  #list(organizationId: string): Promise<IssuerRow[]> {
    const now = this.#clock.monotonic();
    const known = this.#lists.get(organizationId);
    if (known && now - known.at < LIST_MS) return known.rows;
    const rows = this.#issuers(organizationId);
    this.#lists.set(organizationId, { at: now, rows });
    rows.catch(() => this.#lists.delete(organizationId));
    return rows;
  }

  #keySet({ issuer_id, jwks_uri }: IssuerRow): KeySet {
    const id = `${issuer_id} ${jwks_uri}`;
    const known = this.#keySets.get(id);
    if (known) return known;
    const keySet = new KeySet(jwks_uri, this.#clock, this.#allowInternal);
    this.#keySets.set(id, keySet);
    return keySet;
  }
}

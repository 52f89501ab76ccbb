import type { IssuerRow } from '@voelgoed/engine/accounts';
import type { Clock } from '@voelgoed/engine/kit';
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { fetchOutside } from '#outgoing';
import { BoundedCache } from './bounded-cache.ts';

const SKEW_SECONDS = 30;
const FETCH_MS = 3_000;
/**
 * An unknown key id makes us fetch again, but not more often than this: attackers can invent ids.
 */
const COOLDOWN_MS = 30_000;
const KEEP_MS = 600_000;
const BODY_BYTES = 256 * 1024;
const ISSUERS = 1_000;
/** How long a list of issuers is used before the database is asked again. */
const LIST_MS = 5_000;

export type IssuerSource = (organizationId: string) => Promise<IssuerRow[]>;

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
  readonly #keySets = new BoundedCache<JWTVerifyGetKey>(ISSUERS);

  constructor(options: { clock: Clock; issuers: IssuerSource; allowInternal: boolean }) {
    this.#clock = options.clock;
    this.#issuers = options.issuers;
    this.#allowInternal = options.allowInternal;
  }

  /** The payload if a registered issuer signed it; `claimed` is what the token says, unproven. */
  async verify(
    token: string,
    claimed: { organizationId: string; issuer: string },
  ): Promise<Record<string, unknown> | null> {
    const rows = await this.#list(claimed.organizationId);
    const row = rows.find(({ issuer }) => issuer === claimed.issuer);
    if (!row) return null;
    try {
      const { payload } = await jwtVerify(token, this.#keySet(row), {
        issuer: row.issuer,
        audience: row.audience,
        algorithms: row.algorithms,
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(this.#clock.now()),
        requiredClaims: ['exp', 'sub', 'org'],
      });
      return payload;
    } catch {
      return null;
    }
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

  #keySet(row: IssuerRow): JWTVerifyGetKey {
    const id = `${row.issuer_id} ${row.jwks_uri}`;
    const known = this.#keySets.get(id);
    if (known) return known;
    const keySet = createRemoteJWKSet(new URL(row.jwks_uri), {
      timeoutDuration: FETCH_MS,
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: KEEP_MS,
      [customFetch]: (url, options) => this.#fetch(url, options),
    });
    this.#keySets.set(id, keySet);
    return keySet;
  }

  async #fetch(url: string, options: { signal: AbortSignal }): Promise<Response> {
    const { status, body } = await fetchOutside(url, {
      signal: options.signal,
      body_bytes: BODY_BYTES,
      allowInternal: this.#allowInternal,
    });
    return new Response(new Uint8Array(body), { status });
  }
}

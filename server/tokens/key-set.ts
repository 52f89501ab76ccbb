import { type Clock, OperatingError } from '@voelgoed/engine/kit';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { fetchOutside } from '#outgoing';

/** Shorter than a request's deadline: a login provider that hangs must not look like ours. */
const FETCH_MS = 1_000;
const BODY_BYTES = 256 * 1024;
/** Keys are asked for again after this time. */
const FRESH_MS = 600_000;
/** An unknown key id makes us ask again, but attackers can invent ids: not more often than this. */
const COOLDOWN_MS = 30_000;
/** After a failure a little sooner: real users are waiting. */
const RETRY_MS = 5_000;

/**
 * The public keys of one issuer. Fetched when first needed, by one question at a time, and kept
 * when they cannot be fetched again: an issuer that is away for a while locks nobody out.
 */
export class KeySet {
  readonly #url: string;
  readonly #clock: Clock;
  readonly #allowInternal: boolean;
  #keys: JWTVerifyGetKey | null = null;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #askedAgainAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | null = null;

  constructor(url: string, clock: Clock, allowInternal: boolean) {
    this.#url = url;
    this.#clock = clock;
    this.#allowInternal = allowInternal;
  }

  /** The key for a token; throws an operating error when no key set could ever be had. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    if (this.#clock.monotonic() - this.#fetchedAt > FRESH_MS) await this.#refresh();
    const keys = this.#known();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(await this.#refresh())) throw error;
      return this.#known()(header, token);
    }
  };

  #known(): JWTVerifyGetKey {
    if (this.#keys) return this.#keys;
    throw new OperatingError('unavailable', 'the keys of a token issuer cannot be had', {
      retryable: true,
    });
  }

  /** False when it is too soon to ask again. */
  async #refresh(): Promise<boolean> {
    if (this.#asking === null) {
      if (this.#clock.monotonic() < this.#askedAgainAt) return false;
      this.#asking = this.#fetch().finally(() => {
        this.#asking = null;
      });
    }
    await this.#asking;
    return true;
  }

  async #fetch(): Promise<void> {
    try {
      const { status, body } = await fetchOutside(this.#url, {
        signal: AbortSignal.timeout(FETCH_MS),
        body_bytes: BODY_BYTES,
        allowInternal: this.#allowInternal,
      });
      if (status !== 200) throw new Error(`the key set was answered with ${status}`);
      this.#keys = createLocalJWKSet(JSON.parse(body.toString('utf8')) as JSONWebKeySet);
      this.#fetchedAt = this.#clock.monotonic();
      this.#askedAgainAt = this.#fetchedAt + COOLDOWN_MS;
    } catch {
      this.#askedAgainAt = this.#clock.monotonic() + RETRY_MS;
    }
  }
}

import { createHash } from 'node:crypto';
import {
  type AccessScope,
  Admission,
  effectiveRole,
  type KeyStanding,
  type Membership,
  type OrganizationStatus,
  type Role,
  recordKeyUse,
  roleOfKey,
  scopesOf,
  splitKey,
  standingOfKey,
  userIdOf,
} from '@voelgoed/engine/accounts';
import { type Clock, isUuid } from '@voelgoed/engine/kit';
import type { Postgres } from '@voelgoed/engine/postgres';
import { BoundedCache } from './bounded-cache.ts';
import {
  type Claims,
  decodePart,
  isForUs,
  isInTime,
  readClaims,
  splitToken,
  verifyHs256,
} from './hs256.ts';
import { type IssuerSource, IssuerTokens } from './jwks.ts';
import { type Found, Standings } from './standings.ts';

/** Who is calling, as of at most a few seconds ago. */
export type Principal = Readonly<{
  kind: 'user' | 'key';
  id: string;
  organizationId: string;
  organization: OrganizationStatus;
  /** What counts when roles are handed out; an API key acts as an admin. */
  role: Role;
  scopes: ReadonlySet<AccessScope>;
  membership: Membership | null;
  /** A guest's token is good for this event alone. */
  eventId: string | null;
}>;

/** What a token proved, with what follows from it alone. */
type Verified = Readonly<{
  claims: Claims;
  userId: string;
  issuerId: string | null;
  at: number;
}> & {
  /** Who that was when it was asked last, and what was found then. */
  last: Readonly<{ principal: Principal; found: Found }> | null;
};

const BEARER = 'Bearer '.length;
const KEY = 'vk_';
/** Each with its principal about 1 kB; whoever is forgotten is verified again, in 6 µs. */
const TOKENS = 20_000;
const KEYS = 5_000;
/**
 * A revoked key is noticed within this time, on every node; by an open stream, which asks every
 * 1.5 s, within 4.5 s.
 */
const KEY_MS = 3_000;
const TOKEN_CHARACTERS = 4_096;
/** An issuer may withdraw a key: its tokens are verified again after this time. */
const ISSUER_TOKEN_MS = 60_000;

export class Authenticator {
  readonly #secret: string;
  readonly #postgres: Postgres;
  readonly #clock: Clock;
  readonly #standings: Standings;
  readonly #issuerTokens: IssuerTokens;
  /** By the whole header: it is looked up more than once for a request. */
  readonly #tokens = new BoundedCache<Verified>(TOKENS);
  /** Whose the keys are that were good lately. */
  readonly #keys = new BoundedCache<string>(KEYS);
  readonly #keyStandings = new BoundedCache<{ at: number; standing: Promise<KeyStanding | null> }>(
    KEYS,
  );

  constructor(options: {
    secret: string;
    postgres: Postgres;
    clock: Clock;
    issuers: IssuerSource;
    allowInternalIssuers: boolean;
  }) {
    const { clock, issuers, allowInternalIssuers: allowInternal } = options;
    this.#secret = options.secret;
    this.#postgres = options.postgres;
    this.#clock = clock;
    this.#standings = new Standings(new Admission(options.postgres), clock);
    this.#issuerTokens = new IssuerTokens({ clock, issuers, allowInternal });
  }

  /** Whose credential it is, if it was verified lately; asks nobody. */
  organizationOf(header: string | undefined): string | null {
    if (header === undefined) return null;
    const verified = this.#tokens.get(header);
    if (verified) return verified.claims.organizationId;
    return isKey(header) ? (this.#keys.get(hashOf(header.slice(BEARER))) ?? null) : null;
  }

  /** Who it is, where that is known and still so without asking anybody; undefined: ask. */
  remembered(header: string | undefined): Principal | undefined {
    const verified = header === undefined ? undefined : this.#tokens.get(header);
    if (!verified?.last || verified.issuerId !== null) return undefined;
    const { claims, last } = verified;
    const isGood = isInTime(claims, this.#clock.now()) && this.#standings.isGood(last.found);
    return isGood ? last.principal : undefined;
  }

  /**
   * The time of a token is over, by our clock and without the tolerance that requests have. For
   * streams, which last: one request more or less does not matter, half a minute of people does.
   */
  isOver(header: string | undefined): boolean {
    const verified = header === undefined ? undefined : this.#tokens.get(header);
    return verified !== undefined && verified.claims.expires * 1_000 <= this.#clock.now();
  }

  /** Null: whatever was sent proves nothing. Why is not told, to give nobody a hint. */
  async authenticate(header: string | undefined): Promise<Principal | null> {
    const token = /^Bearer ([\x21-\x7e]+)$/i.exec(header ?? '')?.[1];
    if (!header || !token || token.length > TOKEN_CHARACTERS) return null;
    return token.startsWith(KEY) ? this.#key(token) : this.#user(header, token);
  }

  async #user(header: string, token: string): Promise<Principal | null> {
    const known = await this.#proven(header);
    const verified = known ?? (await this.#verify(token));
    if (!verified || !isInTime(verified.claims, this.#clock.now())) return null;
    if (!known) this.#tokens.set(header, verified);
    const { organizationId, subject } = verified.claims;
    const found = await this.#standings.of(organizationId, subject);
    if (verified.last?.found !== found) verified.last = withPrincipal(verified, found);
    return verified.last?.principal ?? null;
  }

  /** A token that was verified before; an issuer's only while it is registered. */
  async #proven(header: string): Promise<Verified | null> {
    const known = this.#tokens.get(header);
    if (!known || known.issuerId === null) return known ?? null;
    if (this.#clock.monotonic() - known.at > ISSUER_TOKEN_MS) return null;
    const { organizationId } = known.claims;
    const registered = await this.#issuerTokens.isRegistered(organizationId, known.issuerId);
    return registered ? known : null;
  }

  /** HS256 is ours and nothing else is; neither is ever tried as the other. */
  async #verify(token: string): Promise<Verified | null> {
    const parts = splitToken(token);
    const head = parts && decodePart(parts.head);
    if (!parts || !head) return null;
    if (head.alg === 'HS256') {
      const payload = verifyHs256(token, this.#secret);
      const claims = payload && isForUs(payload) ? readClaims(payload) : null;
      return claims && this.#verified(claims, null);
    }
    const { org, iss } = decodePart(parts.payload) ?? {};
    if (typeof org !== 'string' || !isUuid(org) || typeof iss !== 'string') return null;
    const claimed = { organizationId: org.toLowerCase(), issuer: iss };
    const proof = await this.#issuerTokens.verify(token, claimed);
    const claims = proof && readClaims(proof.payload);
    return claims && this.#verified(claims, proof.issuerId);
  }

  #verified(claims: Claims, issuerId: string | null): Verified {
    const userId = userIdOf(claims.organizationId, claims.subject);
    return { claims, userId, issuerId, at: this.#clock.monotonic(), last: null };
  }

  async #key(text: string): Promise<Principal | null> {
    const parts = splitKey(text);
    if (!parts) return null;
    const name = hashOf(text);
    const standing = await this.#recent(name, async () => {
      const found = await standingOfKey(this.#postgres, parts);
      if (found) this.#recordUse(found);
      return found;
    });
    if (!standing || standing.organization === 'archived') return null;
    this.#keys.set(name, standing.organizationId);
    const { keyId: id, organizationId, organization, scopes } = standing;
    return {
      kind: 'key',
      id,
      organizationId,
      organization,
      role: roleOfKey(scopes),
      scopes,
      membership: null,
      eventId: null,
    };
  }

  /** Nobody waits for it, and a failure only makes the note older. */
  #recordUse({ organizationId, keyId }: KeyStanding): void {
    recordKeyUse(this.#postgres, organizationId, [keyId]).catch(() => {});
  }

  /** One question at a time per key, and its answer for a few seconds. */
  #recent(name: string, ask: () => Promise<KeyStanding | null>): Promise<KeyStanding | null> {
    const now = this.#clock.monotonic();
    const known = this.#keyStandings.get(name);
    if (known && now - known.at < KEY_MS) return known.standing;
    const standing = ask();
    this.#keyStandings.set(name, { at: now, standing });
    standing.catch(() => this.#keyStandings.delete(name));
    return standing;
  }
}

/** Null: whoever it is may not come in. */
function withPrincipal({ claims, userId, issuerId }: Verified, found: Found): Verified['last'] {
  const { standing } = found;
  if (!standing || standing.user === 'disabled' || standing.organization === 'archived') {
    return null;
  }
  const { membership } = standing;
  const signedBy = issuerId === null ? 'operator' : 'issuer';
  const role = effectiveRole({ role: claims.role, signedBy, membership });
  const principal: Principal = Object.freeze({
    kind: 'user',
    id: userId,
    organizationId: claims.organizationId,
    organization: standing.organization,
    role,
    scopes: scopesOf(role),
    membership,
    eventId: claims.eventId,
  });
  return { principal, found };
}

function isKey(header: string): boolean {
  return header.startsWith(KEY, BEARER);
}

/** Caches are keyed by it: a heap dump then has no usable key in it. */
function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}

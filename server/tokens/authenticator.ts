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
  type Standing,
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
}>;

const BEARER = 'Bearer '.length;
const KEY = 'vk_';
const TOKENS = 20_000;
const KEYS = 5_000;
const STANDINGS = 50_000;
/** A revoked member, key or suspended organization is noticed within this time, on every node. */
const STANDING_MS = 5_000;
const TOKEN_CHARACTERS = 4_096;
/** An issuer may withdraw a key: its tokens are verified again after this time. */
const ISSUER_TOKEN_MS = 60_000;

export class Authenticator {
  readonly #secret: string;
  readonly #postgres: Postgres;
  readonly #clock: Clock;
  readonly #admission: Admission;
  readonly #issuerTokens: IssuerTokens;
  readonly #tokens = new BoundedCache<Verified>(TOKENS);
  /** Whose the keys are that were good lately. */
  readonly #keys = new BoundedCache<string>(KEYS);
  readonly #standings = new BoundedCache<{ at: number; standing: Promise<unknown> }>(STANDINGS);

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
    this.#admission = new Admission(options.postgres);
    this.#issuerTokens = new IssuerTokens({ clock, issuers, allowInternal });
  }

  /** Whose credential it is, if it was verified lately; asks nobody. */
  organizationOf(header: string | undefined): string | null {
    const token = header?.slice(BEARER);
    if (token === undefined) return null;
    if (token.startsWith(KEY)) return this.#keys.get(hashOf(token)) ?? null;
    return this.#tokens.get(token)?.claims.organizationId ?? null;
  }

  /** Null: whatever was sent proves nothing. Why is not told, to give nobody a hint. */
  async authenticate(header: string | undefined): Promise<Principal | null> {
    const token = /^Bearer ([\x21-\x7e]+)$/i.exec(header ?? '')?.[1];
    if (!token || token.length > TOKEN_CHARACTERS) return null;
    return token.startsWith(KEY) ? this.#key(token) : this.#user(token);
  }

  async #user(token: string): Promise<Principal | null> {
    const verified = (await this.#remembered(token)) ?? (await this.#verify(token));
    if (!verified || !isInTime(verified.claims, this.#clock.now())) return null;
    this.#tokens.set(token, verified);
    const { claims, userId, issuerId } = verified;
    const signedBy = issuerId === null ? 'operator' : 'issuer';
    const { organizationId, subject, eventId } = claims;
    const standing = await this.#recent<Standing | null>(`${organizationId} ${subject}`, () =>
      this.#admission.admit(organizationId, subject),
    );
    if (!standing || standing.user === 'disabled' || standing.organization === 'archived') {
      return null;
    }
    const { membership } = standing;
    const role = effectiveRole({ role: claims.role, signedBy, membership });
    return {
      kind: 'user',
      id: userId,
      organizationId,
      organization: standing.organization,
      role,
      scopes: scopesOf(role),
      membership,
      eventId,
    };
  }

  /** A token that was verified before; an issuer's only while it is registered. */
  async #remembered(token: string): Promise<Verified | null> {
    const known = this.#tokens.get(token);
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
      return claims && this.#proven(claims, null);
    }
    const { org, iss } = decodePart(parts.payload) ?? {};
    if (typeof org !== 'string' || !isUuid(org) || typeof iss !== 'string') return null;
    const claimed = { organizationId: org.toLowerCase(), issuer: iss };
    const proof = await this.#issuerTokens.verify(token, claimed);
    const claims = proof && readClaims(proof.payload);
    return claims && this.#proven(claims, proof.issuerId);
  }

  #proven(claims: Claims, issuerId: string | null): Verified {
    const userId = userIdOf(claims.organizationId, claims.subject);
    return { claims, userId, issuerId, at: this.#clock.monotonic() };
  }

  async #key(text: string): Promise<Principal | null> {
    const parts = splitKey(text);
    if (!parts) return null;
    const name = hashOf(text);
    const standing = await this.#recent<KeyStanding | null>(name, async () => {
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

  /** One question at a time per name, and its answer for a few seconds. */
  #recent<Value>(name: string, ask: () => Promise<Value>): Promise<Value> {
    const now = this.#clock.monotonic();
    const known = this.#standings.get(name);
    if (known && now - known.at < STANDING_MS) return known.standing as Promise<Value>;
    const standing = ask();
    this.#standings.set(name, { at: now, standing });
    standing.catch(() => this.#standings.delete(name));
    return standing;
  }
}

/** Caches are keyed by it: a heap dump then has no usable key in it. */
function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}

import { createClient, isFailure, type Me, type TokenReason } from '@voelgoed/client/client';
import { anybody, keep, recall, settings } from '#shop';

/** As the server names them; whoever lacks one is not shown what it is for. */
export type Scope = Me['scopes'][number];

/** Roles that have something to do at a desk. */
export const DEMO_ROLES = ['owner', 'admin', 'staff', 'viewer', 'scanner'] as const;
type DemoRole = (typeof DEMO_ROLES)[number];

type Kept = Readonly<{ token: string; demo: DemoRole | null }>;
const NAME = 'staff';

/**
 * For this tab alone, unless they said otherwise: a box office is often a shared machine.
 * Another window of the same person has to sign in by itself.
 */
const tab = {
  recall(): Kept | null {
    try {
      return JSON.parse(sessionStorage.getItem(`voelgoed.${NAME}`) ?? 'null');
    } catch {
      return null;
    }
  },
  keep(kept: Kept | null): void {
    try {
      if (kept) sessionStorage.setItem(`voelgoed.${NAME}`, JSON.stringify(kept));
      else sessionStorage.removeItem(`voelgoed.${NAME}`);
    } catch {
      // Then they sign in again after a reload.
    }
  },
};

/** Who works here, and what they may do. */
class Desk {
  me = $state.raw<Me | null>(null);
  /** `unknown` until a kept credential was looked at. */
  status = $state.raw<'unknown' | 'out' | 'in'>('unknown');
  /** Why nobody is signed in any more. */
  failure = $state.raw<unknown>(null);
  #kept: Kept | null = null;
  readonly client = createClient({
    address: location.origin,
    token: (reason) => this.#token(reason),
  });

  /** With what was kept from before, if anything was; also again, after it could not be asked. */
  async resume(): Promise<void> {
    if (this.status !== 'unknown') return;
    const kept = tab.recall() ?? recall<Kept>(NAME);
    if (!kept) {
      this.status = 'out';
      return;
    }
    try {
      await this.#ask(kept);
    } catch (error) {
      // A server that does not answer has refused nobody: what was kept stays kept.
      if (isFailure(error, 'unauthorized', 'forbidden')) this.#leave(error);
      else this.failure = error;
    }
  }

  async signIn(token: string, { isKept }: { isKept: boolean }): Promise<void> {
    await this.#enter({ token: token.trim(), demo: null });
    if (this.status === 'in') this.#keep(isKept);
  }

  async signInAs(role: DemoRole): Promise<void> {
    this.failure = null;
    try {
      await this.#enter({ token: await demoToken(role), demo: role });
    } catch (error) {
      this.#leave(error);
    }
    // Nobody is kept out of a demo, so nothing is lost by keeping it.
    if (this.status === 'in') this.#keep(true);
  }

  signOut(): void {
    this.#leave(null);
  }

  /** Of what is no event's: an event has the clock of its venue. */
  get timeZone(): string | undefined {
    return this.me?.organization.timezone;
  }

  may(scope: Scope): boolean {
    return this.me?.scopes.includes(scope) ?? false;
  }

  async #enter(kept: Kept): Promise<void> {
    try {
      await this.#ask(kept);
    } catch (error) {
      this.#leave(error);
    }
  }

  async #ask(kept: Kept): Promise<void> {
    this.#kept = kept;
    this.failure = null;
    this.me = await this.client.members.me();
    this.status = 'in';
  }

  #leave(failure: unknown): void {
    this.#kept = null;
    this.me = null;
    this.failure = failure;
    this.status = 'out';
    tab.keep(null);
    keep(NAME, null);
  }

  #keep(isForLong: boolean): void {
    tab.keep(isForLong ? null : this.#kept);
    keep(NAME, isForLong ? this.#kept : null);
  }

  /** The demo gives a new one; anybody else has to sign in again, and is told so. */
  async #token(reason: TokenReason): Promise<string | null> {
    if (reason !== 'refused') return this.#kept?.token ?? null;
    const role = this.#kept?.demo;
    if (!role) {
      if (this.status === 'in') this.#leave(REFUSED);
      return null;
    }
    this.#kept = { token: await demoToken(role), demo: role };
    this.#keep(true);
    return this.#kept.token;
  }
}

/** Recognised by the sign-in page: it has a sentence for it. */
const REFUSED = new Error('The credential is not valid any more.');

async function demoToken(role: DemoRole): Promise<string> {
  if (!settings.demo) throw new Error('There is no demo here.');
  return (await anybody.demo.session({ role, user: `demo ${role}` })).token;
}

export const desk = new Desk();

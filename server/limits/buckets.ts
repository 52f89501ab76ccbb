import { createHmac } from 'node:crypto';
import type { BucketRate, Clock, Taken } from '@voelgoed/engine/kit';
import { forgetOldest, type Networks, TokenBuckets } from '@voelgoed/engine/kit';
import { HOMES_IN_A_NETWORK, holdRate, type SeatingPolicy } from '@voelgoed/engine/policies';
import type { BucketName, SharedBuckets } from '@voelgoed/engine/redis';
import type { Caller } from '@voelgoed/engine/workflows';

/** Of each kind, as many as a large sale has users on one node; 100 bytes each. */
const MOST_BUCKETS = 100_000;
/** Somebody who is refused twice a second for a minute is a program. */
const REFUSED: BucketRate = { tokens: 120, seconds: 60, capacity: 120 };
/** The box office sells to a queue of people; a platform's server to all its buyers. */
const STAFF_FACTOR = 100;
const KEY_FACTOR = 10_000;
/** When nodes cannot share, each of them gives half: most installations have a few. */
const ALONE = 0.5;

export type Limits = Readonly<{
  /** Seats a user may hold in a while; null: as many as they like. */
  holds(caller: Caller, policy: SeatingPolicy): Limit | null;
  /** New checkouts of a user in an event; null: as many as they like. */
  checkouts(caller: Caller, eventId: string): Limit | null;
  /** Requests that end in a refusal have a bucket of their own. */
  refusals(caller: Caller): RefusalLimit;
  /** Sessions of guests from an address, and from the networks around it. */
  session(organizationId: string, networks: Networks): Limit;
}>;

export type Limit = Readonly<{
  rate: BucketRate;
  take(count: number): Promise<Taken>;
  /** What is there, as far as this node knows. */
  left(): number;
  /** What is left then, as far as this node knows. */
  giveBack(count: number): number;
}>;

/** Taken before anybody knows, given back when it was not refused. Nobody waits for it. */
export type RefusalLimit = Readonly<{
  rate: BucketRate;
  take(): Taken;
  giveBack(): void;
  /** It was refused: other nodes shall know. */
  tell(): void;
}>;

type Options = Readonly<{
  clock: Clock;
  guestSessionsPerHour: number;
  /** From one new checkout to the next; 0: no limit. */
  checkoutIntervalSeconds: number;
  /** Keys the hashes of addresses. */
  secret: string;
  /** Null: there is no Redis, and every node counts for itself. */
  shared: SharedBuckets | null;
}>;

type Kind = 'holds' | 'checkouts' | 'refused' | 'session';

/** A bucket's name for all nodes, and for this one among those of its kind. */
type Named = BucketName & Readonly<{ kind: Kind; own: string }>;

export function createLimits(options: Options): Limits {
  const buckets = new Buckets(options);
  const sessions = options.guestSessionsPerHour;
  const sessionRate = { tokens: Math.max(sessions, 1), seconds: 3_600, capacity: sessions };
  return {
    holds: (caller, policy) => {
      const rate = rateOf(caller, policy);
      return rate && buckets.limit(nameOf(caller, 'holds'), rate, factorOf(caller) > 1);
    },
    checkouts: (caller, eventId) => {
      const seconds = options.checkoutIntervalSeconds;
      if (seconds === 0) return null;
      const rate = times({ tokens: 1, seconds, capacity: 1 }, factorOf(caller));
      const { who, own, ...name } = nameOf(caller, 'checkouts');
      const inEvent = { ...name, who: `${who} ${eventId}`, own: `${own} ${eventId}` };
      return buckets.limit(inEvent, rate, factorOf(caller) > 1);
    },
    refusals: (caller) => {
      const rate = times(REFUSED, factorOf(caller));
      return buckets.refusals(nameOf(caller, 'refused'), rate, factorOf(caller) > 1);
    },
    session: (organizationId, { address, site, network }) => {
      const limitOf = (text: string, rate: BucketRate) => {
        const who = createHmac('sha256', options.secret).update(text).digest('base64url');
        const own = `${organizationId} ${who}`;
        return buckets.limit({ organizationId, kind: 'session', who, own }, rate, false);
      };
      const alone = limitOf(address, sessionRate);
      if (site === null) return alone;
      const wide = limitOf(network, times(sessionRate, HOMES_IN_A_NETWORK));
      return all([alone, limitOf(site, sessionRate), wide]);
    },
  };
}

/**
 * Everything is taken here and in the buckets that nodes share. Here alone can only be more lenient
 * than together; it counts when Redis cannot be asked, and buyers' buckets then fill half as fast.
 */
class Buckets {
  readonly #local: Readonly<Record<Kind, TokenBuckets>>;
  readonly #clock: Clock;
  readonly #shared: SharedBuckets | null;
  /** Who was refused too often on all nodes together, until when. */
  readonly #stopped = new Map<string, number>();

  constructor({ clock, shared }: Options) {
    this.#clock = clock;
    const some = () => new TokenBuckets(clock, MOST_BUCKETS);
    this.#local = { holds: some(), checkouts: some(), refused: some(), session: some() };
    this.#shared = shared;
  }

  limit(name: Named, rate: BucketRate, staff: boolean): Limit {
    const { own } = name;
    const local = this.#local[name.kind];
    let remaining = 0;
    return {
      rate,
      take: async (count) => {
        const here = local.take(own, this.#rateHere(rate, staff), count);
        const taken = here.ok ? await this.#takeTogether(name, rate, count, here) : here;
        remaining = taken.remaining;
        return taken;
      },
      left: () => local.left(own, this.#rateHere(rate, staff)),
      giveBack: (count) => {
        const here = local.giveBack(own, this.#rateHere(rate, staff), count);
        this.#shared?.giveBack(name, rate, count);
        return this.#shared?.isThere ? Math.min(here, remaining + count) : here;
      },
    };
  }

  refusals(name: Named, rate: BucketRate, staff: boolean): RefusalLimit {
    const { own } = name;
    const local = this.#local[name.kind];
    return {
      rate,
      take: () => {
        const left_ms = (this.#stopped.get(own) ?? 0) - this.#clock.monotonic();
        if (left_ms > 0) {
          return { ok: false, remaining: 0, retry_after_s: Math.ceil(left_ms / 1_000) };
        }
        return local.take(own, this.#rateHere(rate, staff), 1);
      },
      giveBack: () => {
        local.giveBack(own, this.#rateHere(rate, staff), 1);
      },
      tell: () => void this.#tell(name, rate),
    };
  }

  async #takeTogether(name: Named, rate: BucketRate, count: number, here: Taken): Promise<Taken> {
    const together = await this.#shared?.take(name, rate, count);
    if (!together) return here;
    if (!together.ok) this.#local[name.kind].giveBack(name.own, rate, count);
    return together;
  }

  async #tell(name: Named, rate: BucketRate): Promise<void> {
    const together = await this.#shared?.take(name, rate, 1);
    if (!together || together.ok) return;
    this.#stopped.set(name.own, this.#clock.monotonic() + together.retry_after_s * 1_000);
    forgetOldest(this.#stopped, MOST_BUCKETS);
  }

  #rateHere(rate: BucketRate, staff: boolean): BucketRate {
    const isAlone = this.#shared !== null && !this.#shared.isThere && !staff;
    return isAlone ? { ...rate, tokens: rate.tokens * ALONE } : rate;
  }
}

/** Taken from each, or from none; the first that has nothing left is the one that refuses. */
function all(limits: readonly [Limit, ...Limit[]]): Limit {
  const [first] = limits;
  return {
    rate: first.rate,
    take: async (count) => {
      const taken: Limit[] = [];
      let least: Taken | null = null;
      for (const limit of limits) {
        const one = await limit.take(count);
        if (!one.ok) {
          for (const other of taken) other.giveBack(count);
          return one;
        }
        taken.push(limit);
        if (least === null || one.remaining < least.remaining) least = one;
      }
      return least ?? first.take(count);
    },
    left: () => Math.min(...limits.map((limit) => limit.left())),
    giveBack: (count) => Math.min(...limits.map((limit) => limit.giveBack(count))),
  };
}

/** Ids of users and keys are nobody else's: they need neither kind nor organization beside them. */
function nameOf({ scope, actor }: Caller, kind: Kind): Named {
  const { organizationId } = scope;
  return { organizationId, kind, who: `${actor.kind}:${actor.id}`, own: actor.id ?? actor.kind };
}

function rateOf(caller: Caller, policy: SeatingPolicy): BucketRate | null {
  const rate = holdRate(policy);
  if (!rate) return null;
  const { seats, seconds, capacity } = rate;
  return times({ tokens: seats, seconds, capacity }, factorOf(caller));
}

function times({ tokens, seconds, capacity }: BucketRate, factor: number): BucketRate {
  return { tokens: tokens * factor, seconds, capacity: capacity * factor };
}

function factorOf({ actor, scopes }: Caller): number {
  if (actor.kind === 'key') return KEY_FACTOR;
  return scopes.has('holds:write') ? STAFF_FACTOR : 1;
}

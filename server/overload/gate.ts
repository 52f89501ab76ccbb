import type { Clock, Random } from '@voelgoed/engine/kit';
import { admits, LEAST_PLACES, type Load, nextPatience } from './admission-rules.ts';
import { eventIn, type Priority, priorityOf } from './priorities.ts';

export type GateOptions = Readonly<{
  clock: Clock;
  random: Random;
  /** Whose event it is, if that is known without asking anybody. */
  organizationOfEvent(eventId: string): string | null;
  /** Whose credential it is, likewise. */
  organizationOfHeader(authorization: string | undefined): string | null;
  /** How much of the time since it was last asked the node was at work, 0 to 1. */
  use(): number;
  /** Off: everybody is let in. For controls that show what the gate is good for. */
  isOn?: boolean;
}>;

/**
 * A request that was let in. It counts from `begin`, when all of it is here, to `end`, when its
 * answer is made or it has gone; either may be called again. Null: it is not counted.
 */
export type Pass = Readonly<{ place: { begin(): void; end(as: Ending): void } | null }>;

/**
 * `answered` is work done. Whoever was let in and is sent away further inside, or has gone, is not:
 * a node that is quick at giving up would otherwise take itself for a quick one.
 */
type Ending = 'answered' | 'given up';

export type Refused = Readonly<{ priority: Priority; retryAfter_s: number }>;

/** What a node is expected to answer until it has shown what it can. */
const EXPECTED_PER_S = 12_000;
const LEAST_PER_S = 50;
const WINDOW_MS = 250;
/** In each window with a long queue a node expects a little less of itself. */
const FADE = 0.8;
/**
 * One slow moment is no overload: thousands connect as a sale opens, memory is cleaned up. Only a
 * queue that stays long for this time counts.
 */
const FULL_MS = 750;
/**
 * A node that mostly waits has time for everybody. Who waits for a locked event or a slow database
 * stands in another line, which has its own end, and is not in the way of others here.
 */
const BUSY = 0.8;
/** Those whose organization nobody knows yet share one place in the order. */
const UNKNOWN = 'unknown';

const NOTHING: Pass = { place: null };

/** Counts who is under way and how fast they are answered, and decides who may come in. */
export class Gate {
  readonly #options: GateOptions;
  readonly #byOrganization = new Map<string, number>();
  #underWay = 0;
  #answered = 0;
  #perSecond = EXPECTED_PER_S;
  #window_ms: number;
  /** Since when there is more to do than is done; null: there is not. */
  #full_ms: number | null = null;
  /** What is expected if that goes on. */
  #faded = EXPECTED_PER_S;
  /** Turned away in this window. */
  #refused = 0;
  /** When those who are turned away are asked to come back. */
  #patience_s = 1;
  /** One for all who ask: making one for each was 1 % of what a refusal costs. */
  readonly #load = { underWay: 0, perSecond: 0, organizations: 0, ofOrganization: 0 };

  constructor(options: GateOptions) {
    this.#options = options;
    this.#window_ms = options.clock.monotonic();
  }

  get underWay(): number {
    return this.#underWay;
  }

  get perSecond(): number {
    return this.#perSecond;
  }

  enter(method: string, url: string, authorization: string | undefined): Pass | Refused {
    const priority = priorityOf(method, url);
    if (priority === null) return NOTHING;
    this.#roll();
    const organization = this.#organizationOf(url, authorization);
    if (this.#options.isOn !== false && !admits(priority, this.#loadOf(organization))) {
      this.#refused++;
      return { priority, retryAfter_s: this.#retryAfter() };
    }
    // Streams stay for hours: they are let in or not, and nobody waits for them to end.
    return priority === 'stream' ? NOTHING : { place: this.#placeOf(organization) };
  }

  #loadOf(organization: string): Load {
    const load = this.#load;
    load.underWay = this.#underWay;
    load.perSecond = this.#perSecond;
    load.ofOrganization = this.#byOrganization.get(organization) ?? 0;
    load.organizations = this.#byOrganization.size + (load.ofOrganization === 0 ? 1 : 0);
    return load;
  }

  #placeOf(organization: string) {
    let state: 'coming' | 'under way' | 'over' = 'coming';
    return {
      begin: () => {
        if (state !== 'coming') return;
        state = 'under way';
        this.#underWay++;
        this.#byOrganization.set(organization, (this.#byOrganization.get(organization) ?? 0) + 1);
      },
      end: (as: Ending) => {
        if (state === 'under way') this.#end(organization, as);
        state = 'over';
      },
    };
  }

  #end(organization: string, as: Ending): void {
    this.#underWay--;
    if (as === 'answered') this.#answered++;
    const left = (this.#byOrganization.get(organization) ?? 1) - 1;
    if (left > 0) this.#byOrganization.set(organization, left);
    else this.#byOrganization.delete(organization);
  }

  /**
   * While nobody is turned away, what is answered says how much is asked and not how much could be
   * done: the expectation stays. A few that take long are no queue either.
   */
  #roll(): void {
    const now = this.#options.clock.monotonic();
    const passed_ms = now - this.#window_ms;
    if (passed_ms < WINDOW_MS) return;
    const measured = (this.#answered * 1_000) / passed_ms;
    const isLong = this.#refused > 0 || this.#underWay > Math.max(measured, LEAST_PLACES);
    const isFull = this.#options.use() > BUSY && isLong;
    this.#full_ms = isFull ? (this.#full_ms ?? now) : null;
    const least = isFull ? Math.max(this.#faded * FADE, LEAST_PER_S) : EXPECTED_PER_S;
    this.#faded = Math.max(measured, least);
    if (this.#full_ms === null || now - this.#full_ms >= FULL_MS) this.#perSecond = this.#faded;
    const refusedPerSecond = (this.#refused * 1_000) / passed_ms;
    this.#patience_s = nextPatience(this.#patience_s, refusedPerSecond, this.#perSecond);
    this.#answered = 0;
    this.#refused = 0;
    this.#window_ms = now;
  }

  /** Not all at the same moment: between half and one and a half times as long. */
  #retryAfter(): number {
    const spread = 0.5 + this.#options.random.next();
    return Math.max(1, Math.round(this.#patience_s * spread));
  }

  #organizationOf(url: string, authorization: string | undefined): string {
    const eventId = eventIn(url);
    const { organizationOfEvent, organizationOfHeader } = this.#options;
    const known = eventId === null ? null : organizationOfEvent(eventId);
    return known ?? organizationOfHeader(authorization) ?? UNKNOWN;
  }
}

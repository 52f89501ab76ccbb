import { type Clock, NIL_ID, type Random, reasonOf, type Timers } from '#kit';
import type { Postgres, Transaction } from '#postgres';
import type { EventRef, PlanCache } from '#registry';
import { type Scope, scopeOf } from '#scope';
import type { Telemetry } from '#telemetry';
import { lookupBehind, lookupLag, lookupWebhooks } from './courier.sql.ts';
import type { Post } from './post.ts';
import type { WebhookSecrets } from './secrets.ts';
import { Turn, type TurnTools } from './turn.ts';

export type CourierTools = Readonly<{
  postgres: Postgres;
  /** The registry's own: the plan of a large hall is in memory once. */
  plans: PlanCache;
  clock: Clock & Timers;
  random: Random;
  telemetry: Telemetry;
  webhookSecrets: WebhookSecrets;
  post: Post;
}>;

/** Endpoints that this node works for at a time, of all organizations and of one. */
const MOST_TURNS = 32;
const MOST_PER_ORGANIZATION = 4;
const MOST_WEBHOOKS = 10_000;
/** Rounds between two looks at what hints have missed; more if there are many endpoints. */
const ROUNDS_PER_SWEEP = 15;
/**
 * Endpoints that are looked at in one round. With 1,000 events each, twenty took Postgres a quarter
 * of a second (on two busy cores), and all endpoints at once more than a statement may.
 */
const SWEPT_PER_ROUND = 10;
/** A request that is under way when the node stops gets this long. */
const GRACE_MS = 2_000;

type Known = { organizationId: string; webhookId: string; next_ms: number | null };
/** Events that something has happened to; null: look for yourself. */
type Wanted = { known: Known; events: Set<string> | null };

/**
 * Works for the endpoints of all organizations, beside the couriers of other nodes: whoever has an
 * endpoint's lease sends for it, one request at a time. It hears of commits in this node's memory,
 * looks every second at who is due, and every quarter of a minute at who has been forgotten, so
 * that hints may be lost.
 */
export class Courier {
  readonly #tools: CourierTools;
  readonly #turnTools: TurnTools;
  readonly #wanted = new Map<string, Wanted>();
  readonly #running = new Map<string, { organizationId: string; done: Promise<void> }>();
  readonly #stopping = new AbortController();
  readonly #abort = new AbortController();
  #known = new Map<string, Known[]>();
  /** Events of organizations without an endpoint when they were last looked at. */
  #unknown = new Map<string, Set<string>>();
  /** Rounds since the sweep began, where it is, and the oldest thing that it has found. */
  #rounds = 0;
  #sweptTo = NIL_ID;
  #found_ms: number[] = [];
  #oldest_ms: number | null = null;

  constructor(tools: CourierTools) {
    const { plans } = tools;
    this.#tools = tools;
    this.#turnTools = {
      ...tools,
      signal: this.#abort.signal,
      planOf: (scope: Scope, layout, seats) => plans.get(scope, layout, seats),
    };
  }

  /** How long ago the oldest thing happened that has not arrived yet, at the last look. */
  lag_ms(): number {
    return this.#oldest_ms === null ? 0 : Math.max(0, this.#tools.clock.now() - this.#oldest_ms);
  }

  /** Something was committed for this event. Costs nothing where nobody is to be told. */
  hear({ scope, eventId }: EventRef): void {
    const { organizationId } = scope;
    const endpoints = this.#known.get(organizationId);
    if (!endpoints) {
      const events = this.#unknown.get(organizationId) ?? new Set();
      this.#unknown.set(organizationId, events.add(eventId));
      return;
    }
    for (const known of endpoints) this.#hint(known, eventId);
    this.#start();
  }

  /** Whose time has come. To be called every second or so. */
  async round(): Promise<void> {
    const { clock } = this.#tools;
    const heard = this.#unknown;
    this.#unknown = new Map();
    const found = await this.#ask((one) => one.query(lookupWebhooks(MOST_WEBHOOKS)));
    const known = new Map<string, Known[]>();
    for (const { organization_id, webhook_id, next_at, leased } of found) {
      const next_ms = next_at === null ? null : Date.parse(next_at);
      const one = { organizationId: organization_id, webhookId: webhook_id, next_ms };
      known.set(organization_id, [...(known.get(organization_id) ?? []), one]);
      if (next_ms !== null && next_ms <= clock.now() && !leased) this.#want(one, null);
    }
    this.#known = known;
    for (const [organizationId, events] of heard) {
      for (const one of known.get(organizationId) ?? []) {
        for (const eventId of events) this.#hint(one, eventId);
      }
    }
    this.#start();
    if (known.size === 0) this.#oldest_ms = null;
    else await this.#sweepOn();
    this.#start();
  }

  /** Until nobody whom this courier knows to be due is left; for tests. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.all([...this.#running.values()].map(({ done }) => done));
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const over = new AbortController();
    const grace = this.#tools.clock.sleep(GRACE_MS, over.signal).catch(() => {});
    await Promise.race([this.settled(), grace]);
    over.abort();
    this.#abort.abort(new Error('the server is stopping'));
    await this.settled();
  }

  /** An endpoint that does not answer is looked at when its time comes, not with every commit. */
  #hint(known: Known, eventId: string): void {
    if (known.next_ms !== null && known.next_ms > this.#tools.clock.now()) return;
    this.#want(known, eventId);
  }

  #want(known: Known, eventId: string | null): void {
    const wanted = this.#wanted.get(known.webhookId);
    if (!wanted) {
      const events = eventId === null ? null : new Set([eventId]);
      this.#wanted.set(known.webhookId, { known, events });
    } else if (eventId === null) wanted.events = null;
    else wanted.events?.add(eventId);
  }

  #start(): void {
    if (this.#stopping.signal.aborted) return;
    for (const [webhookId, { known, events }] of this.#wanted) {
      if (this.#running.size >= MOST_TURNS) return;
      if (this.#running.has(webhookId) || this.#share(known) >= MOST_PER_ORGANIZATION) continue;
      this.#wanted.delete(webhookId);
      const { organizationId } = known;
      const done = this.#work(known, events).finally(() => {
        this.#running.delete(webhookId);
        this.#start();
      });
      this.#running.set(webhookId, { organizationId, done });
    }
  }

  #share({ organizationId }: Known): number {
    const running = [...this.#running.values()];
    return running.filter((one) => one.organizationId === organizationId).length;
  }

  async #work(known: Known, events: Set<string> | null): Promise<void> {
    try {
      const turn = new Turn(this.#turnTools, scopeOf(known.organizationId), known.webhookId);
      const end = await turn.run(events, this.#stopping.signal);
      // Another node is at it: what we have heard must not be forgotten, so ask again next second.
      if (end === 'taken' && events) {
        const unknown = this.#unknown.get(known.organizationId) ?? new Set();
        for (const eventId of events) unknown.add(eventId);
        this.#unknown.set(known.organizationId, unknown);
      }
    } catch (error) {
      const ids = { organization_id: known.organizationId, webhook_id: known.webhookId };
      const about = { reason: reasonOf(error), ids };
      this.#tools.telemetry.emit({ kind: 'job.failed', job: 'webhooks', ...about });
    }
  }

  /** Looks at the next few endpoints; when it has seen all of them, it waits for its time. */
  async #sweepOn(): Promise<void> {
    const round = this.#rounds++;
    if (this.#sweptTo === NIL_ID && round % ROUNDS_PER_SWEEP !== 0) return;
    const page = await this.#ask((one) => one.query(lookupBehind(this.#sweptTo, SWEPT_PER_ROUND)));
    for (const { organization_id, webhook_id, since } of page) {
      if (since === null) continue;
      this.#found_ms.push(Date.parse(since));
      const known = this.#known.get(organization_id)?.find((one) => one.webhookId === webhook_id);
      if (known) this.#want(known, null);
    }
    this.#sweptTo = (page.length === SWEPT_PER_ROUND && page.at(-1)?.webhook_id) || NIL_ID;
    if (this.#sweptTo !== NIL_ID) return;
    const [lag] = await this.#ask((one) => one.query(lookupLag()));
    if (lag?.happened_at) this.#found_ms.push(Date.parse(lag.happened_at));
    this.#oldest_ms = this.#found_ms.length > 0 ? Math.min(...this.#found_ms) : null;
    this.#found_ms = [];
  }

  #ask<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const options = { name: 'webhooks.lookup', pool: 'jobs' } as const;
    return this.#tools.postgres.transaction(null, options, work);
  }
}

import { appendToOrganization } from '#audit';
import { type Clock, type Random, reasonOf, Semaphore, uuidv7 } from '#kit';
import type { Transaction } from '#postgres';
import type { Scope } from '#scope';
import type { Telemetry } from '#telemetry';
import {
  eventsBehind,
  giveBack,
  type PendingRow,
  readPending,
  recordAttempt,
  takeLease,
} from './courier.sql.ts';
import { peopleFacts } from './facts.sql.ts';
import { userIdsIn } from './messages.ts';
import { headersOf, type Post, type Posted, postOnce } from './post.ts';
import { type Lease, LeaseLost, type QueueTools, queueEvent } from './queue.ts';
import { afterFailure } from './schedule-rules.ts';
import type { WebhookSecrets } from './secrets.ts';

export type TurnTools = Omit<QueueTools, 'lease_s'> &
  Readonly<{
    clock: Clock;
    random: Random;
    telemetry: Telemetry;
    webhookSecrets: WebhookSecrets;
    post: Post;
    /** Aborted when requests that are under way have to end. */
    signal: AbortSignal;
  }>;

/** Longer than a request may take, and the longest pause after a node's sudden death. */
const LEASE_S = 15;
/** Then others who wait get their turn; the endpoint comes back at the end of the line. */
const TURN_MS = 20_000;
const PENDING = 50;
const MOST_EVENTS = 200;
/** Of the four connections that a node has for jobs. */
const TRANSACTIONS = 2;
const WAIT_MS = 30_000;
const places = new Semaphore(TRANSACTIONS);

type End =
  /** Nothing is left, or the first that waits has to wait longer. */
  | 'done'
  /** The time was over before everything was sent. */
  | 'more'
  /** Another courier has it. */
  | 'taken';

const SYSTEM = { kind: 'system', id: null, role: null } as const;

/** One stretch of work for one endpoint: queue from the log, send in order, write down. */
export class Turn {
  readonly #tools: TurnTools;
  readonly #scope: Scope;
  readonly #webhookId: string;
  readonly #leaseId: string;
  /** As it is by now: what arrives in this turn ends it. */
  #failingSince: string | null = null;

  constructor(tools: TurnTools, scope: Scope, webhookId: string) {
    this.#tools = tools;
    this.#scope = scope;
    this.#webhookId = webhookId;
    this.#leaseId = uuidv7(tools);
  }

  async run(hinted: ReadonlySet<string> | null, stopping: AbortSignal): Promise<End> {
    const [organizationId, webhookId, leaseId] = this.#place();
    const since = instant(this.#tools.clock.now());
    const [webhook] = await this.#transact('webhooks.take', (one) =>
      one.query(takeLease(organizationId, webhookId, leaseId, LEASE_S)),
    );
    if (!webhook) return 'taken';
    this.#failingSince = webhook.failing_since;
    const lease: Lease = { scope: this.#scope, leaseId, webhook, since };
    let end: End = 'more';
    try {
      end = await this.#work(lease, hinted, stopping);
    } catch (error) {
      // It is somebody else's now, who goes on where we were.
      if (error instanceof LeaseLost) return 'taken';
      throw error;
    } finally {
      const now = instant(this.#tools.clock.now());
      await this.#transact('webhooks.give_back', (one) =>
        one.query(giveBack(organizationId, webhookId, leaseId, end === 'more', now, since)),
      );
    }
    return end;
  }

  async #work(
    lease: Lease,
    hinted: ReadonlySet<string> | null,
    stopping: AbortSignal,
  ): Promise<End> {
    const { clock } = this.#tools;
    const until_ms = clock.monotonic() + TURN_MS;
    const isOver = () => stopping.aborted || clock.monotonic() > until_ms;
    const events = await this.#eventsFor(lease, hinted);
    while (!isOver()) {
      const pending = await this.#pending();
      if (pending.length > 0) {
        const sent = await this.#sendAll(lease, pending, isOver);
        if (sent !== 'all') return sent === 'waiting' ? 'done' : 'more';
      } else if (!(await this.#queueSome(lease, events, isOver))) return 'done';
    }
    return 'more';
  }

  async #eventsFor({ webhook }: Lease, hinted: ReadonlySet<string> | null): Promise<string[]> {
    const { event_ids } = webhook;
    if (hinted) {
      return [...hinted].filter((id) => event_ids.length === 0 || event_ids.includes(id));
    }
    const { organizationId } = this.#scope;
    const rows = await this.#transact('webhooks.behind', (one) =>
      one.query(eventsBehind(organizationId, this.#webhookId, MOST_EVENTS)),
    );
    return rows.map(({ event_id }) => event_id);
  }

  /** Reads on in the first event that has something to tell; false: none has. */
  async #queueSome(lease: Lease, events: string[], isOver: () => boolean): Promise<boolean> {
    for (let eventId = events[0]; eventId !== undefined; eventId = events[0]) {
      if (isOver()) return true;
      const { queued, more } = await this.#queueOne(lease, eventId);
      if (!more) events.shift();
      if (queued > 0) return true;
    }
    return false;
  }

  /** An event whose log cannot be read must not keep the others waiting; a sweep tries it again. */
  async #queueOne(lease: Lease, eventId: string): Promise<{ queued: number; more: boolean }> {
    try {
      return await inPlace(() => queueEvent({ ...this.#tools, lease_s: LEASE_S }, lease, eventId));
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      const [organization_id, webhook_id] = this.#place();
      const ids = { organization_id, event_id: eventId, webhook_id };
      const about = { reason: reasonOf(error), ids };
      this.#tools.telemetry.emit({ kind: 'job.failed', job: 'webhooks', ...about });
      return { queued: 0, more: false };
    }
  }

  #pending(): Promise<PendingRow[]> {
    const { organizationId } = this.#scope;
    return this.#transact('webhooks.pending', (one) =>
      one.query(readPending(organizationId, this.#webhookId, PENDING)),
    );
  }

  /** In order; the first that does not arrive holds back all that come after it. */
  async #sendAll(
    lease: Lease,
    pending: readonly PendingRow[],
    isOver: () => boolean,
  ): Promise<'all' | 'waiting' | 'over'> {
    const people = await this.#peopleIn(pending);
    for (const delivery of pending) {
      if (isOver()) return 'over';
      const { next_at } = delivery;
      if (next_at !== null && Date.parse(next_at) > this.#tools.clock.now()) return 'waiting';
      const posted = await this.#send(lease, delivery, people);
      // Cut off by ourselves: nobody knows whether it has arrived, so it is sent again.
      if (this.#tools.signal.aborted && !posted.arrived) return 'over';
      if (!(await this.#record(delivery, posted))) return 'waiting';
    }
    return 'all';
  }

  #send(
    { webhook }: Lease,
    { delivery_id, kind, payload, attempts }: PendingRow,
    people: ReadonlyMap<string, object>,
  ): Promise<Posted> {
    const { clock, webhookSecrets, post, signal } = this.#tools;
    const about = userIdsIn(payload.data).flatMap((id) => people.get(id) ?? []);
    const body = JSON.stringify({ ...payload, people: about });
    const parcel = { delivery_id, kind, attempt: attempts + 1, body };
    const headers = headersOf(webhookSecrets, webhook, parcel, clock.now());
    return postOnce(post, clock, { url: webhook.url, headers, body, signal });
  }

  async #peopleIn(pending: readonly PendingRow[]): Promise<Map<string, object>> {
    const ids = [...new Set(pending.flatMap(({ payload }) => userIdsIn(payload.data)))];
    const rows = await this.#transact('webhooks.people', (one) =>
      one.query(peopleFacts(this.#scope.organizationId, ids)),
    );
    return new Map(rows.map((row) => [row.user_id, row]));
  }

  /** True: it has arrived, and the next may go. */
  async #record(delivery: PendingRow, posted: Posted): Promise<boolean> {
    const { telemetry, clock } = this.#tools;
    const now_ms = clock.now();
    const fate = posted.arrived ? null : this.#fate(delivery, posted, now_ms);
    const status = posted.arrived ? 'delivered' : fate?.next_ms === null ? 'dead' : 'pending';
    const next = fate?.next_ms ? instant(fate.next_ms) : null;
    const { response_status, response_body, duration_ms, error } = posted;
    const written = await this.#transact('webhooks.record', async (one) => {
      const rows = await one.query(
        recordAttempt(
          ...this.#place(),
          LEASE_S,
          delivery.delivery_id,
          status,
          instant(now_ms),
          next,
          response_status,
          response_body,
          duration_ms,
          error,
          fate?.disable ?? null,
        ),
      );
      if (rows.length > 0 && fate?.disable) await this.#noteDisabled(one, fate.disable, error);
      return rows;
    });
    const [after] = written;
    if (!after) throw new LeaseLost('the lease is over');
    this.#failingSince = posted.arrived ? null : (this.#failingSince ?? instant(now_ms));
    const outcome = status === 'pending' ? 'failed' : status;
    telemetry.emit({ kind: 'webhook.sent', outcome, duration_ms });
    if (fate?.disable) {
      const ids = { webhook_id: this.#webhookId, organization_id: this.#scope.organizationId };
      telemetry.emit({ kind: 'webhook.disabled', reason: fate.disable, ids });
    }
    return after.status === 'active' && status !== 'pending';
  }

  #fate(delivery: PendingRow, posted: Posted, now_ms: number) {
    const since = (at: string | null) => (at === null ? now_ms : Date.parse(at));
    const failure = {
      attempts: delivery.attempts + 1,
      first_attempt_ms: since(delivery.first_attempt_at),
      failing_since_ms: since(this.#failingSince),
      now_ms,
      response_status: posted.response_status,
    };
    return afterFailure(failure, this.#tools.random);
  }

  /** The notice that somebody finds who asks why nothing comes any more. */
  async #noteDisabled(one: Transaction, reason: string, error: string | null): Promise<void> {
    const context = { id: uuidv7(this.#tools), ip: null, userAgent: null };
    const entry = {
      action: 'webhook_disabled',
      entityType: 'webhook',
      entityId: this.#webhookId,
      changes: { reason, error },
    } as const;
    await appendToOrganization(one, this.#scope, SYSTEM, context, [entry]);
  }

  #place(): [organizationId: string, webhookId: string, leaseId: string] {
    return [this.#scope.organizationId, this.#webhookId, this.#leaseId];
  }

  #transact<Result>(
    name: string,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const options = { name, pool: 'jobs' } as const;
    return inPlace(() => this.#tools.postgres.transaction(this.#scope, options, work));
  }
}

/** Couriers share few connections: they wait here, and not where the sweep would wait too. */
async function inPlace<Result>(work: () => Promise<Result>): Promise<Result> {
  if (!(await places.acquire(WAIT_MS))) throw new Error('no connection became free');
  try {
    return await work();
  } finally {
    places.release();
  }
}

function instant(at_ms: number): string {
  return new Date(at_ms).toISOString();
}

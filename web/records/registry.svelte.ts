import { isFailure, type Reconciled, type RegistryStatus } from '@voelgoed/client/client';
import { desk, Work } from '#desk';

/** States in which an event may have a board; the others have nothing to compare. */
const ON_SALE: ReadonlySet<string> = new Set(['published', 'live', 'postponed', 'ended']);
const MOST_EVENTS = 200;

export type EventHealth = Readonly<{
  event_id: string;
  name: string;
  /** Null: it has no board. */
  health: RegistryStatus | null;
}>;

/** Whether memory, Redis and Postgres say the same about every event. */
export class RegistryHealth {
  events = $state.raw<readonly EventHealth[]>([]);
  readonly looking = new Work<number>();
  readonly reconciling = new Work<Reconciled>();
  /** What was reconciled last: the name of an event, or null for all. */
  reconciled = $state.raw<string | null>(null);

  /** One event after the other: looking closely takes the server a moment each. */
  look = (): Promise<number | null> =>
    this.looking.run('look', async ({ progress, signal }) => {
      const list = await desk.client.planning.list({ limit: MOST_EVENTS });
      const events = list.filter(({ status }) => ON_SALE.has(status));
      for (const [index, { event_id, name }] of events.entries()) {
        progress(index, events.length);
        if (signal.aborted) return index;
        this.#set({ event_id, name, health: await healthOf(event_id) });
      }
      progress(events.length, events.length);
      return events.length;
    });

  reconcile(event: Pick<EventHealth, 'event_id' | 'name'> | null): Promise<Reconciled | null> {
    this.reconciled = event?.name ?? null;
    const wish = event ? { event_id: event.event_id } : {};
    const name = event?.event_id ?? 'all';
    return this.reconciling.run(name, async ({ key }) => {
      let done = await desk.client.registry.reconcile(wish, { key: key() });
      // Of many events a request reconciles as many as it has time for.
      while (done.next) {
        const rest = await desk.client.registry.reconcile(done.next, { key: key() });
        done = sumOf(done, rest);
      }
      if (event) this.#set({ ...event, health: await healthOf(event.event_id) });
      else await this.look();
      return done;
    });
  }

  #set(health: EventHealth): void {
    const isKnown = this.events.some(({ event_id }) => event_id === health.event_id);
    this.events = isKnown
      ? this.events.map((one) => (one.event_id === health.event_id ? health : one))
      : [...this.events, health];
  }
}

async function healthOf(event_id: string): Promise<RegistryStatus | null> {
  try {
    return await desk.client.registry.status({ event_id });
  } catch (error) {
    if (isFailure(error, 'event_not_found')) return null;
    throw error;
  }
}

function sumOf(one: Reconciled, other: Reconciled): Reconciled {
  const reason = one.reason ?? other.reason;
  // With the `next` of the later one, or none.
  return {
    ...other,
    ...(reason === undefined ? {} : { reason }),
    events: one.events + other.events,
    holds: one.holds + other.holds,
    reloaded: one.reloaded + other.reloaded,
    written: one.written + other.written,
    removed: one.removed + other.removed,
    failed: one.failed + other.failed,
  };
}

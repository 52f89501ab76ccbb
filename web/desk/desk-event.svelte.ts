import type { EventWithPlan, LiveEvent, Occupancy, ToldRow } from '@voelgoed/client/client';
import { LiveHall } from '#shop';
import { desk } from './session.svelte.ts';

type LogListener = (rows: readonly ToldRow[]) => void;

/** More than anybody scrolls back on a screen; the whole log is another question. */
const KEPT_ROWS = 500;

/** One event that staff look after: its facts, its live map, and who does what in it. */
export class DeskEvent extends LiveHall {
  readonly eventId: string;
  event = $state.raw<EventWithPlan | null>(null);
  occupancy = $state.raw<Occupancy | null>(null);
  /** What happened since the page was opened, the newest first. */
  log = $state.raw<readonly ToldRow[]>([]);
  /** Zones that have passed 90 or 100 percent since then. */
  critical = $state.raw<ReadonlyMap<string, number>>(new Map());
  readonly #logListeners = new Set<LogListener>();

  constructor(eventId: string) {
    const { client } = desk;
    super({
      // Who does what is for those who may see holds; the others see what everybody sees.
      follow: (listener) =>
        (desk.may('holds:read') ? client.boxOffice : client.events).follow(eventId, listener, {
          drawing: false,
        }),
      drawing: (isFresh) => client.events.seatmap(eventId, { isFresh }),
    });
    this.eventId = eventId;
  }

  /** Where it takes place; until that is known where its organization is. */
  get timeZone(): string | undefined {
    return this.event?.timezone ?? desk.timeZone;
  }

  override open(): void {
    void this.load();
    super.open();
  }

  load = async (): Promise<void> => {
    try {
      this.event = await desk.client.planning.get(this.eventId);
    } catch (error) {
      this.failure = error;
    }
  };

  /** Each row of the log once, in order. */
  onLog(listener: LogListener): () => void {
    this.#logListeners.add(listener);
    return () => this.#logListeners.delete(listener);
  }

  protected override heard(event: LiveEvent): void {
    if (event.kind === 'occupancy') this.occupancy = event.occupancy;
    if (event.kind === 'capacity_critical') {
      this.critical = new Map(this.critical).set(event.zone_id, event.percent);
    }
    if (event.kind !== 'log') return;
    this.log = [...event.rows.toReversed(), ...this.log].slice(0, KEPT_ROWS);
    for (const listener of this.#logListeners) listener(event.rows);
  }

  protected override planChanged(): void {
    void this.load();
  }

  protected override cameBack(): void {
    void this.load();
  }

  protected override beganAnew(): void {
    this.log = [];
    void this.load();
  }
}

import type { EventChange, EventWithPlan, MigrationReport } from '@voelgoed/client/client';
import { desk, Resource, Work } from '#desk';
import { everyLayout } from '#plans';
import { centsOf, priceText } from './cents.ts';
import { type EventZone, zonesOf } from './event-zones.ts';

export const EVENT_STEPS = ['publish', 'open', 'end', 'postpone', 'cancel', 'archive'] as const;
export type EventStep = (typeof EVENT_STEPS)[number];

/** From which states a step leads on, and what it takes; the server decides all the same. */
const STEPS = {
  publish: { from: ['postponed'], scope: 'events:publish' },
  open: { from: ['published'], scope: 'events:write' },
  end: { from: ['published', 'live'], scope: 'events:write' },
  postpone: { from: ['published', 'live'], scope: 'events:publish' },
  cancel: { from: ['published', 'live', 'postponed'], scope: 'events:publish' },
  archive: { from: ['draft', 'ended', 'cancelled'], scope: 'events:publish' },
} as const satisfies Record<EventStep, { from: readonly string[]; scope: string }>;

/** A reason is asked for where buyers will ask for one. */
export const NEEDS_REASON: ReadonlySet<EventStep> = new Set(['cancel', 'postpone']);

type Seen = Readonly<{ event: EventWithPlan; zones: readonly EventZone[]; timeZone: string }>;

/** One event as its organiser keeps it: what it is, what can be done to it, what it would mean. */
export class EventDesk {
  readonly eventId: string;
  readonly seen: Resource<Seen>;
  readonly layouts = new Resource(everyLayout);
  /** What would be lost: asked for again each time it is shown. */
  readonly stakes = new Resource(() => desk.client.planning.figures(this.eventId));
  readonly changing = new Work<unknown>();
  readonly pricing = new Work<unknown>();
  readonly stepping = new Work<unknown>();
  readonly migrating = new Work<MigrationReport>();
  /** As typed, by zone. */
  prices = $state<Record<string, string>>({});
  #saved: Readonly<Record<string, string>> = {};

  constructor(eventId: string) {
    this.eventId = eventId;
    this.seen = new Resource(() => this.#see());
  }

  readonly steps = $derived.by(() => {
    const status = this.seen.value?.event.status ?? '';
    return EVENT_STEPS.filter((step) => {
      const { from, scope } = STEPS[step];
      return (from as readonly string[]).includes(status) && desk.may(scope);
    });
  });
  readonly isOver = $derived.by(() =>
    ['ended', 'cancelled', 'archived'].includes(this.seen.value?.event.status ?? ''),
  );
  /** Other versions and layouts of the same venue that can be sold from. */
  readonly goals = $derived.by(() => {
    const event = this.seen.value?.event;
    return (this.layouts.value ?? []).filter(
      ({ venue_id, status, layout_id, version }) =>
        status === 'active' &&
        (!event?.venue_id || venue_id === event.venue_id) &&
        !(layout_id === event?.layout?.layout_id && version === event.layout.layout_version),
    );
  });

  async #see(): Promise<Seen> {
    const event = await desk.client.planning.get(this.eventId);
    const venue = event.venue_id ? await desk.client.venues.get(event.venue_id) : null;
    const zones = await zonesOf(event);
    const known = new Map(event.prices.map(({ zone_id, price_cents }) => [zone_id, price_cents]));
    this.#takePrices(
      Object.fromEntries(zones.map(({ zone_id }) => [zone_id, priceText(known.get(zone_id))])),
    );
    const timeZone = venue?.timezone ?? desk.me?.organization.timezone ?? 'UTC';
    return { event, zones, timeZone };
  }

  /** What somebody has typed and not saved yet stays, whatever else is read again. */
  #takePrices(saved: Readonly<Record<string, string>>): void {
    const mine = Object.entries(this.prices).filter(
      ([zone_id, typed]) => zone_id in saved && typed !== this.#saved[zone_id],
    );
    this.prices = { ...saved, ...Object.fromEntries(mine) };
    this.#saved = saved;
  }

  async change(changes: EventChange): Promise<boolean> {
    await this.changing.run(JSON.stringify(changes), ({ key }) =>
      desk.client.planning.change(this.eventId, changes, { key: key() }),
    );
    return this.#after(this.changing);
  }

  async setPrices(): Promise<boolean> {
    const prices = Object.entries(this.prices).flatMap(([zone_id, typed]) => {
      const price_cents = centsOf(typed);
      return price_cents === null ? [] : [{ zone_id, price_cents }];
    });
    await this.pricing.run(JSON.stringify(prices), ({ key }) =>
      desk.client.planning.setPrices(this.eventId, { prices }, { key: key() }),
    );
    if (this.pricing.status === 'done') this.#saved = { ...this.prices };
    return this.#after(this.pricing);
  }

  async step(step: EventStep, reason: string): Promise<boolean> {
    await this.stepping.run(`${step} ${reason}`, ({ key }) =>
      desk.client.planning[step](this.eventId, reason ? { reason } : {}, { key: key() }),
    );
    return this.#after(this.stepping);
  }

  /** A dry run tells what it would mean; only then is it done. */
  async migrate(wish: {
    layout_id: string;
    layout_version: number;
    prices: readonly { zone_id: string; price_cents: number }[];
    dry_run: boolean;
  }): Promise<MigrationReport | null> {
    const { prices, ...rest } = wish;
    const body = { ...rest, ...(prices.length > 0 ? { prices: [...prices] } : {}) };
    const report = await this.migrating.run(JSON.stringify(wish), ({ key }) =>
      desk.client.planning.migrate(this.eventId, body, { key: key() }),
    );
    if (report?.done) await this.seen.load();
    return report;
  }

  async #after(work: Work<unknown>): Promise<boolean> {
    // Also after a failure: it may have been done by somebody else.
    await this.seen.load();
    return work.status === 'done';
  }
}

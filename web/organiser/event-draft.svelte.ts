import type { EventLayoutChoice, EventWithPlan, Venue } from '@voelgoed/client/client';
import { desk, Work } from '#desk';
import { everyLayout, slugOf } from '#plans';
import { instantOf, localOf } from '#words';
import { centsOf, priceText } from './cents.ts';
import { type EventZone, zonesOf } from './event-zones.ts';
import { daysOfTimes } from './when.ts';

export const WIZARD_STEPS = ['place', 'facts', 'prices', 'review'] as const;
export type WizardStep = (typeof WIZARD_STEPS)[number];
export type OpenZone = NonNullable<EventLayoutChoice['zones']>[number];
type LayoutVersion = Awaited<ReturnType<typeof everyLayout>>[number];

/** What is still to be done before it can be published, and at which step. */
export type Missing = Readonly<{
  what: 'layout' | 'price' | 'over';
  name: string;
  step: WizardStep;
}>;

/** An event on its way to the sale. It is a draft on the server as soon as it has a name. */
export class EventDraft {
  eventId = $state<string | null>(null);
  event = $state.raw<EventWithPlan | null>(null);
  zones = $state.raw<readonly EventZone[]>([]);
  venues = $state.raw<readonly Venue[]>([]);
  layouts = $state.raw<readonly LayoutVersion[]>([]);
  step = $state<WizardStep>('place');
  failure = $state.raw<unknown>(null);
  isLoaded = $state(false);
  readonly work = new Work<unknown>();

  venueId = $state('');
  isOpen = $state(false);
  layoutId = $state('');
  openZones = $state<OpenZone[]>([]);

  name = $state('');
  slug = $state('');
  isSlugTheirs = $state(false);
  description = $state('');
  startsAt = $state('');
  endsAt = $state('');
  saleStartsAt = $state('');
  saleEndsAt = $state('');
  /** Days within the times on which nothing takes place. */
  skippedDays = $state.raw<readonly string[]>([]);
  currency = $state('');
  prices = $state<Record<string, string>>({});

  readonly timeZone = $derived.by(
    () =>
      this.venues.find(({ venue_id }) => venue_id === this.venueId)?.timezone ??
      desk.me?.organization.timezone ??
      'UTC',
  );
  /** Only what is active can be sold from. */
  readonly choices = $derived.by(() =>
    this.layouts.filter(({ venue_id, status }) => venue_id === this.venueId && status === 'active'),
  );
  readonly candidateDays = $derived.by(() =>
    daysOfTimes(this.startsAt, this.endsAt, this.event?.days),
  );
  readonly missing: readonly Missing[] = $derived.by(() => this.#missing());

  constructor(eventId: string | null) {
    this.eventId = eventId;
  }

  load = async (): Promise<void> => {
    this.failure = null;
    try {
      const [venues, layouts] = await Promise.all([
        desk.client.venues.list({ limit: 500 }),
        everyLayout(),
      ]);
      this.venues = venues;
      this.layouts = layouts;
      this.currency ||= desk.me?.organization.currency ?? 'ZAR';
      if (this.eventId) await this.#read(this.eventId);
      else this.venueId = venues[0]?.venue_id ?? '';
      this.isLoaded = true;
    } catch (error) {
      this.failure = error;
    }
  };

  async #read(eventId: string): Promise<void> {
    const event = await desk.client.planning.get(eventId);
    this.zones = await zonesOf(event);
    this.event = event;
    this.venueId = event.venue_id ?? '';
    this.layoutId = event.layout?.layout_id ?? '';
    this.isOpen = event.layout !== null && event.layout.layout_id === null;
    this.openZones = this.isOpen ? ((event.layout?.zones ?? []) as OpenZone[]).map(ownFields) : [];
    this.name = event.name;
    this.slug = event.slug;
    this.isSlugTheirs = true;
    this.description = event.description ?? '';
    const { timeZone } = this;
    this.startsAt = localOf(event.starts_at, timeZone);
    this.endsAt = localOf(event.ends_at, timeZone);
    this.saleStartsAt = localOf(event.sale_starts_at, timeZone);
    this.saleEndsAt = localOf(event.sale_ends_at, timeZone);
    this.skippedDays = this.candidateDays.filter((day) => !event.days.includes(day));
    this.currency = event.currency;
    const known = new Map(event.prices.map(({ zone_id, price_cents }) => [zone_id, price_cents]));
    this.prices = Object.fromEntries(
      this.zones.map(({ zone_id }) => [zone_id, priceText(known.get(zone_id))]),
    );
    const [first] = this.missing;
    this.step = first?.step ?? 'review';
  }

  named(name: string): void {
    this.name = name;
    if (!this.isSlugTheirs) this.slug = slugOf(name);
  }

  /** The plan as the server takes it; null while nothing is chosen. */
  get choice(): EventLayoutChoice | null {
    if (this.isOpen) {
      return this.openZones.length > 0 ? { zones: $state.snapshot(this.openZones) } : null;
    }
    return this.layoutId ? { layout_id: this.layoutId } : null;
  }

  get #facts() {
    const { timeZone } = this;
    const days = this.candidateDays.filter((day) => !this.skippedDays.includes(day));
    return {
      name: this.name.trim(),
      description: this.description.trim() || null,
      venue_id: this.venueId || null,
      starts_at: instantOf(this.startsAt, timeZone) ?? '',
      ends_at: instantOf(this.endsAt, timeZone) ?? '',
      sale_starts_at: instantOf(this.saleStartsAt, timeZone),
      sale_ends_at: instantOf(this.saleEndsAt, timeZone),
      currency: this.currency,
      ...(days.length > 0 ? { days } : {}),
    };
  }

  /** Saves what the step is about. True: the next step can begin. */
  async save(): Promise<boolean> {
    const { step } = this;
    if (step === 'place' && !this.eventId) return true;
    await this.work.run(
      `${step} ${JSON.stringify([this.#facts, this.choice, this.prices])}`,
      (tools) => (step === 'prices' ? this.#savePrices(tools.key()) : this.#savePlan(tools.key)),
    );
    return this.work.status === 'done';
  }

  async #savePlan(key: (part?: number) => string): Promise<void> {
    const { planning } = desk.client;
    const facts = this.#facts;
    const { choice, isElsewhere } = this;
    const chosen = choice && this.#isOther(choice) ? choice : null;
    // A layout is of the event's venue: between two venues the event has none.
    if (this.eventId && isElsewhere && chosen) {
      await planning.change(this.eventId, { venue_id: null }, { key: key(3) });
      await planning.setLayout(this.eventId, chosen, { key: key(2) });
    }
    if (this.eventId) await planning.change(this.eventId, facts, { key: key(0) });
    else {
      const wish = { slug: this.slug, ...facts };
      this.eventId = (await planning.create(wish, { key: key(1) })).event_id;
    }
    if (chosen && !isElsewhere) {
      await planning.setLayout(this.eventId, chosen, { key: key(2) });
    }
    await this.#reread();
  }

  /** It has a plan already, and now another venue was chosen for it. */
  get isElsewhere(): boolean {
    const { event, venueId } = this;
    return event?.layout != null && (event.venue_id ?? '') !== venueId;
  }

  async #savePrices(key: string): Promise<void> {
    if (!this.eventId) return;
    const prices = this.zones.flatMap(({ zone_id }) => {
      const price_cents = centsOf(this.prices[zone_id] ?? '');
      return price_cents === null ? [] : [{ zone_id, price_cents }];
    });
    await desk.client.planning.setPrices(this.eventId, { prices }, { key });
    await this.#reread();
  }

  async publish(reason: string): Promise<boolean> {
    const { eventId } = this;
    if (!eventId) return false;
    await this.work.run(`publish ${reason}`, async ({ key }) => {
      await desk.client.planning.publish(eventId, reason ? { reason } : {}, { key: key() });
      await this.#reread();
    });
    return this.work.status === 'done';
  }

  async #reread(): Promise<void> {
    const { step } = this;
    if (this.eventId) await this.#read(this.eventId);
    this.step = step;
  }

  /** What is pinned already is not pinned again: an archived version stays the event's. */
  #isOther(choice: EventLayoutChoice): boolean {
    const now = this.event?.layout;
    if (!now) return true;
    if (choice.layout_id) return choice.layout_id !== now.layout_id;
    const before = ((now.zones ?? []) as OpenZone[]).map(ownFields);
    return now.layout_id !== null || JSON.stringify(before) !== JSON.stringify(choice.zones);
  }

  #missing(): Missing[] {
    const { event } = this;
    if (!event) return [];
    if (!event.layout) return [{ what: 'layout', name: '', step: 'place' }];
    const priced = new Set(event.prices.map(({ zone_id }) => zone_id));
    const closed = (event.layout.overrides as { disabled_zones?: string[] })?.disabled_zones ?? [];
    const unpriced = this.zones.filter(
      ({ zone_id }) => !priced.has(zone_id) && !closed.includes(zone_id),
    );
    const isOver = Date.parse(event.ends_at) <= desk.client.clock.now();
    return [
      ...(isOver ? [{ what: 'over', name: '', step: 'facts' } as const] : []),
      ...unpriced.map(({ name }) => ({ what: 'price', name, step: 'prices' }) as const),
    ];
  }
}

/** In one order, so that equal zones are equal texts. */
function ownFields(zone: OpenZone): OpenZone {
  const { name, zone_type, capacity, access_mode = 'public' } = zone;
  const { membership_tier = null, allowed_roles = [] } = zone;
  return { name, zone_type, capacity, access_mode, membership_tier, allowed_roles };
}

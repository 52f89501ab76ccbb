import {
  createClient,
  type Failure,
  type Following,
  isFailure,
  type LiveEvent,
  type SeatingClient,
} from '@voelgoed/client/client';
import {
  createSeatMap,
  type Drawing,
  type PointedSeat,
  type PointedZone,
  type SeatMap,
  STATE,
} from '#map';
import { Cart, tabMemory } from './cart.ts';
import { type Scheme, themeOf } from './css-theme.ts';
import { type CardLine, type Shell, shellIn, showCard } from './shell.ts';
import { stateWord, type Words, wordsIn } from './words.ts';

type PublicEvent = Awaited<ReturnType<SeatingClient['events']['get']>>;

/** Everything that belongs to one event and ends with it. */
type Visit = {
  readonly client: SeatingClient;
  readonly cart: Cart;
  readonly ending: AbortController;
  readonly event: PublicEvent;
  readonly words: Words;
  following: Following | null;
  map: SeatMap | null;
  drawing: Drawing | null;
  readonly pending: Set<number>;
  /** Held just now, with the revision at which the stream will say so as well. */
  readonly held: Map<number, number>;
};

/**
 * Attributes: `event` (required), `server` (default: where this script came from), `token` (of a
 * buyer; default: a guest), `lang` (en, af), `scheme` (light, dark; default: the system's),
 * `readonly`. Events: `ready`, `seat` and `zone` (cancelable: what is prevented is not held),
 * `cart`, `refused`, `status`, `failed`.
 */
export class SeatMapElement extends HTMLElement {
  static readonly observedAttributes = ['event', 'server', 'token', 'lang', 'scheme'];

  readonly #shell: Shell = shellIn(this.attachShadow({ mode: 'open' }));
  readonly #dark = matchMedia('(prefers-color-scheme: dark)');
  readonly #watching = new MutationObserver(() => this.#dress());
  #visit: Visit | null = null;
  #starting = new AbortController();
  #isOn = false;

  /** The map itself, for pages that want more: filters, zones, focus. Null until it is ready. */
  get map(): SeatMap | null {
    return this.#visit?.map ?? null;
  }

  /** The buyer's credential, which a checkout needs: the page's own or the guest's. */
  get buyerToken(): string | null {
    return this.#visit?.cart.token ?? null;
  }

  get cartToken(): string | null {
    return this.#visit?.cart.cart_token ?? null;
  }

  connectedCallback(): void {
    this.#isOn = true;
    this.#dark.addEventListener('change', this.#redress);
    const attributeFilter = ['class', 'style', 'data-theme'];
    this.#watching.observe(this.ownerDocument.documentElement, { attributeFilter });
    this.#watching.observe(this, { attributeFilter });
    void this.#start();
  }

  disconnectedCallback(): void {
    this.#isOn = false;
    this.#dark.removeEventListener('change', this.#redress);
    this.#watching.disconnect();
    this.#end();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    // An element of the page's own text has all its attributes told before it begins.
    if (!this.#isOn || before === now) return;
    if (name === 'scheme') this.#dress();
    else void this.#start();
  }

  /** Gives back what the buyer holds of a seat. */
  async release(hold_id: string): Promise<boolean> {
    return (await this.#visit?.cart.release(hold_id)) === null;
  }

  readonly #redress = (): void => this.#dress();

  #end(): void {
    this.#starting.abort();
    this.#visit?.ending.abort();
    this.#visit?.map?.destroy();
    this.#visit = null;
    this.#shell.card.hidden = true;
  }

  async #start(): Promise<void> {
    this.#end();
    const event_id = this.getAttribute('event');
    if (!event_id) return;
    const starting = new AbortController();
    this.#starting = starting;
    const server = this.getAttribute('server') ?? new URL(import.meta.url).origin;
    const cart = new Cart(event_id, server, this.getAttribute('token'), tabMemory);
    const token = (reason: 'needed' | 'refused') => cart.renewed(reason);
    const client = createClient({ address: server, token });
    cart.use(client);
    this.#dress();
    const words = wordsIn(this.lang || this.ownerDocument.documentElement.lang, 'ZAR');
    this.#banner(words.loading);
    try {
      const event = await client.events.get(event_id, { signal: starting.signal });
      if (!starting.signal.aborted) this.#begin(client, cart, event);
    } catch (error) {
      if (starting.signal.aborted) return;
      this.#banner(words.failed);
      if (!isFailure(error)) throw error;
      this.#tell('failed', failureDetail(error));
    }
  }

  #begin(client: SeatingClient, cart: Cart, event: PublicEvent): void {
    const language = this.lang || this.ownerDocument.documentElement.lang;
    const visit: Visit = {
      client,
      cart,
      event,
      ending: new AbortController(),
      words: wordsIn(language, event.currency),
      following: null,
      map: null,
      drawing: null,
      pending: new Set(),
      held: new Map(),
    };
    this.#visit = visit;
    const listener = (told: LiveEvent) => this.#hear(visit, told);
    const { signal } = visit.ending;
    visit.following = client.events.follow(event.event_id, listener, { signal });
  }

  #hear(visit: Visit, told: LiveEvent): void {
    if (visit !== this.#visit) return;
    if (told.kind === 'drawing') this.#draw(visit, told.drawing);
    else if (told.kind === 'map') {
      if (told.seats && visit.map) visit.map.applyChanges(told.seats);
      else visit.map?.setStates(told.map.seats);
      visit.map?.setZones(told.map.zones);
    } else if (told.kind === 'own') {
      visit.cart.take(told.holds);
      for (const [ordinal, revision] of visit.held) {
        if (revision <= told.revision) visit.held.delete(ordinal);
      }
      this.#showMine(visit);
    } else if (told.kind === 'status') {
      this.#banner(told.status === 'stale' ? visit.words.stale : null);
      this.#tell('status', { status: told.status });
    } else if (told.kind === 'ended') this.#tell('failed', failureDetail(told.failure));
  }

  #draw(visit: Visit, drawing: Drawing): void {
    visit.map?.destroy();
    visit.drawing = drawing;
    const prices = new Map(
      visit.event.zones.flatMap(({ zone_id, price_cents }) =>
        price_cents === null ? [] : [[zone_id, price_cents] as const],
      ),
    );
    const theme = themeOf(this, this.#scheme());
    const map = createSeatMap(this.#shell.stage, { drawing, prices, theme, labels: visit.words });
    visit.map = map;
    const live = visit.following?.map;
    if (live) {
      map.setStates(live.seats);
      map.setZones(live.zones);
    }
    map.on('seat', (seat) => void this.#choose(visit, seat));
    map.on('zone', (zone) => void this.#chooseZone(visit, zone));
    map.on('hover', (seat) => this.#card(visit, seat));
    map.on('view', () => {
      this.#shell.card.hidden = true;
    });
    this.#showMine(visit);
    this.#banner(null);
    this.#tell('ready', { event: visit.event, seats: drawing.seats.length });
  }

  #showMine(visit: Visit): void {
    const told = visit.cart.holds.flatMap(({ ordinal }) => ordinal ?? []);
    visit.map?.setMine([...told, ...visit.held.keys()]);
    const { holds, cart_token } = visit.cart;
    const price = (zone_id: string) =>
      visit.event.zones.find((zone) => zone.zone_id === zone_id)?.price_cents ?? 0;
    const total_cents = holds.reduce((sum, hold) => sum + price(hold.zone_id) * hold.quantity, 0);
    this.#tell('cart', { holds, cart_token, total_cents, currency: visit.event.currency });
  }

  async #choose(visit: Visit, pointed: PointedSeat): Promise<void> {
    const { seat, ordinal, state, mine, pending } = pointed;
    if (pointed.pointer !== 'mouse') this.#card(visit, pointed);
    const wants = this.#tell('seat', { seat, state, mine }, true);
    if (!wants || this.hasAttribute('readonly') || pending) return;
    const own = visit.cart.holds.find((hold) => hold.ordinal === ordinal);
    if (own) {
      const isGone = await this.#finish(visit, ordinal, () => visit.cart.release(own.hold_id));
      if (isGone) this.#say(visit.words.released(seat.label));
    } else if (state === STATE.available) {
      const isHeld = await this.#finish(visit, ordinal, () =>
        visit.cart.hold({ seat_id: seat.seat_id }),
      );
      if (!isHeld) return;
      visit.held.set(ordinal, visit.cart.revision);
      this.#showMine(visit);
      this.#say(visit.words.held(seat.label));
    } else this.#say(`${seat.label}: ${stateWord(visit.words, state, false)}`);
  }

  /** Shows at once what was asked for, and takes it back when the server says no. */
  async #finish(
    visit: Visit,
    ordinal: number,
    work: () => Promise<Failure | null>,
  ): Promise<boolean> {
    visit.pending.add(ordinal);
    visit.map?.setPending(visit.pending);
    const failure = await this.#asBuyer(visit, work);
    if (visit !== this.#visit) return false;
    visit.pending.delete(ordinal);
    visit.map?.setPending(visit.pending);
    if (!failure) return true;
    visit.map?.refuse([ordinal]);
    this.#say(failure.message);
    this.#tell('refused', { ...failureDetail(failure), seat: visit.drawing?.seats[ordinal] });
    return false;
  }

  async #asBuyer(visit: Visit, work: () => Promise<Failure | null>): Promise<Failure | null> {
    try {
      // The stream tells a buyer's own holds from the moment it knows the buyer.
      if (await visit.cart.become()) visit.following?.reconnect();
      return await work();
    } catch (error) {
      if (isFailure(error)) return error;
      throw error;
    }
  }

  async #chooseZone(visit: Visit, zone: PointedZone): Promise<void> {
    const { zone_id, section, isArea } = zone;
    const wants = this.#tell('zone', { zone_id, section, isArea }, true);
    if (!wants || !isArea || this.hasAttribute('readonly')) return;
    const failure = await this.#asBuyer(visit, () => visit.cart.hold({ zone_id, quantity: 1 }));
    if (!failure || visit !== this.#visit) return;
    this.#say(failure.message);
    this.#tell('refused', { ...failureDetail(failure), zone_id });
  }

  #card(visit: Visit, pointed: PointedSeat | null): void {
    const { card } = this.#shell;
    if (!pointed) {
      card.hidden = true;
      return;
    }
    const { words } = visit;
    const { seat, state, mine, pointer } = pointed;
    const zone = visit.event.zones.find(({ zone_id }) => zone_id === seat.zone_id);
    const price = zone?.price_cents ?? null;
    const place = [
      seat.section ? `${words.section} ${seat.section}` : null,
      `${words.row} ${seat.row}`,
      `${words.seat} ${seat.number}`,
    ].filter((part) => part !== null);
    const category = words.categories[seat.category];
    const status = { text: stateWord(words, state, mine), faint: state !== STATE.available };
    const lines: CardLine[] = [
      { text: place.join(' · ') },
      price === null ? status : { ...status, right: words.price(price) },
      ...(category ? [{ text: category, faint: true }] : []),
    ];
    showCard(this.#shell, zone?.name ?? seat.label, lines, pointed);
    if (pointer === 'keyboard') {
      this.#say([zone?.name, ...lines.flatMap(({ text, right }) => [text, right])].join(', '));
    }
  }

  #scheme(): Scheme {
    const asked = this.getAttribute('scheme');
    if (asked === 'light' || asked === 'dark') return asked;
    return this.#dark.matches ? 'dark' : 'light';
  }

  #dress(): void {
    const theme = themeOf(this, this.#scheme());
    const { style } = this.#shell.root;
    style.background = theme.background;
    style.setProperty('--card-background', theme.background);
    style.setProperty('--card-text', theme.text);
    style.setProperty('--card-line', theme.line);
    style.setProperty('--card-muted', theme.muted);
    this.#visit?.map?.setTheme(theme);
  }

  #banner(text: string | null): void {
    this.#shell.banner.textContent = text ?? '';
    this.#shell.banner.hidden = text === null;
  }

  #say(text: string): void {
    this.#shell.voice.textContent = text;
  }

  /** False when the page wants to do it itself. */
  #tell(name: string, detail: unknown, cancelable = false): boolean {
    return this.dispatchEvent(
      new CustomEvent(name, { detail, cancelable, bubbles: true, composed: true }),
    );
  }
}

function failureDetail({ code, message, details }: Failure) {
  return { code, message, details };
}

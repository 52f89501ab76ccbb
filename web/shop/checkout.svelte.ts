import {
  type CheckoutReply,
  type Countdown,
  isFailure,
  type Moment,
  type PublicEvent,
  type SeatingClient,
  systemHost,
  type Ticket,
} from '@voelgoed/client/client';
import { clockTime, language, t } from '#words';
import { clientFor } from './clients.ts';
import { lastCart } from './last-cart.svelte.ts';
import { notices } from './notices.svelte.ts';
import { reasonOf } from './reason.ts';
import { refusalOf } from './refusals.ts';
import { router } from './router.svelte.ts';
import { guestEvents } from './session.ts';
import { keep, recall } from './storage.ts';
import { onOtherTab, tellTabs } from './tabs.ts';
import { keepTickets } from './tickets.ts';

/** How often we look whether the bank has answered: soon enough to feel at once. */
const LOOK_MS = 1_200;

/** One checkout, from its start to the tickets or to its end. */
export class CheckoutShop {
  readonly checkoutId: string;
  checkout = $state.raw<CheckoutReply | null>(null);
  event = $state.raw<PublicEvent | null>(null);
  tickets = $state.raw<readonly Ticket[] | null>(null);
  failure = $state.raw<unknown>(null);
  moment = $state.raw<Moment | null>(null);
  /** Why what is left of it cannot be paid for; null: it was not refused. */
  refused = $state.raw<string | null>(null);
  isBusy = $state(false);
  readonly #client: SeatingClient;
  #countdown: Countdown | null = null;
  #cancelLook = () => {};
  #stopListening = () => {};
  #isClosed = false;
  #isLeaving = false;

  constructor(checkoutId: string) {
    this.checkoutId = checkoutId;
    const known = recall<string>(`checkout.${checkoutId}`);
    this.#client = clientFor(known ?? guestEvents()[0] ?? '');
  }

  open(): void {
    this.#stopListening = onOtherTab(() => void this.load());
    addEventListener('pageshow', this.#comeBack);
    void this.load();
  }

  close(): void {
    this.#isClosed = true;
    removeEventListener('pageshow', this.#comeBack);
    this.#stopListening();
    this.#cancelLook();
    this.#countdown?.stop();
  }

  async load(): Promise<void> {
    try {
      const checkout = await this.#client.checkouts.get(this.checkoutId);
      this.#show(checkout);
      this.event ??= await this.#client.events.get(checkout.event_id);
    } catch (error) {
      this.failure = error;
      // The bank answers also when we cannot be reached: who waits goes on looking.
      if (this.checkout?.status === 'paying') this.#lookAgain();
    }
  }

  async pay(): Promise<void> {
    this.refused = null;
    await this.#do(async () => {
      const paying = await this.#client.checkouts.pay(this.checkoutId).catch((error) => {
        this.refused = refusalOf(error);
        if (this.refused === null) throw error;
        return null;
      });
      if (!paying) return this.load();
      if (!paying.pay_url) return this.load();
      this.#isLeaving = true;
      location.assign(inOurWords(paying.pay_url));
    });
  }

  /** Back from the bank by the back button: the browser shows the page as it was left. */
  readonly #comeBack = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) return;
    this.#isLeaving = false;
    this.isBusy = false;
    void this.load();
  };

  /** Where the payment that is under way can be looked at again. */
  get payUrl(): string | null {
    const url = this.checkout?.attempts.find(({ status }) => status === 'pending')?.pay_url;
    return url ? inOurWords(url) : null;
  }

  async extend(): Promise<void> {
    await this.#do(async () => {
      try {
        for (const { hold_id } of this.checkout?.items ?? []) {
          await this.#client.holds.extend(hold_id);
        }
      } catch (error) {
        if (!isFailure(error, 'extension_limit_reached')) throw error;
        notices.say({ kind: 'info', text: t().checkoutMoreNo });
        return this.load();
      }
      await this.load();
      const { expires_at } = this.checkout ?? {};
      const text = expires_at ? t().checkoutMoreDone(clockTime(expires_at)) : '';
      if (text) notices.say({ kind: 'good', text });
    });
  }

  async cancel(): Promise<void> {
    await this.#do(async () => {
      await this.#client.checkouts.cancel(this.checkoutId, { reason: 'user_cancelled' });
      const event_id = this.checkout?.event_id ?? '';
      this.#forgetCart();
      tellTabs({ event_id });
      notices.say({ kind: 'info', text: t().overCancelled });
      router.go(`/events/${event_id}`);
    });
  }

  async #do(work: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    try {
      await work();
    } catch (error) {
      notices.say({ kind: 'bad', text: reasonOf(error) });
      await this.load();
    } finally {
      // Who is on the way to the bank does not press again.
      this.isBusy = this.#isLeaving;
    }
  }

  #show(checkout: CheckoutReply): void {
    if (this.#isClosed) return;
    const before = this.checkout?.status;
    this.checkout = checkout;
    this.failure = null;
    const { status, expires_at } = checkout;
    keep(`checkout.${this.checkoutId}`, checkout.event_id);
    this.#countDown(status === 'started' ? expires_at : null);
    this.#cancelLook();
    if (status === 'paying') this.#lookAgain();
    if (status === 'completed' && !this.tickets) void this.#collect();
    const isNews = before === 'paying' && status === 'started' && checkout.declined;
    if (isNews) notices.say({ kind: 'warning', text: t().checkoutDeclined });
    if (status !== 'started' && status !== 'paying') this.#forgetCart();
  }

  #lookAgain(): void {
    if (this.#isClosed) return;
    this.#cancelLook();
    this.#cancelLook = systemHost.after(LOOK_MS, () => void this.load());
  }

  /** What waits in another event goes on waiting. */
  #forgetCart(): void {
    if (lastCart()?.event_id === this.checkout?.event_id) lastCart(null);
  }

  async #collect(): Promise<void> {
    try {
      const checkout_id = this.checkoutId;
      this.tickets = await this.#client.tickets.own({ checkout_id });
      keepTickets(checkout_id, this.tickets);
      tellTabs({ event_id: this.checkout?.event_id ?? '' });
    } catch (error) {
      this.failure = error;
    }
  }

  #countDown(until: string | null): void {
    if (until === null) {
      this.#countdown?.stop();
      this.#countdown = null;
      this.moment = null;
    } else if (this.#countdown) this.#countdown.until(until);
    else this.#countdown = this.#client.countdown(until, (moment) => this.#tick(moment));
  }

  #tick(moment: Moment): void {
    const isWarning = moment.phase === 'warning' && this.moment?.phase === 'running';
    this.moment = moment;
    if (isWarning) notices.say({ kind: 'warning', text: t().warning(moment.text) });
    // The server says what has become of it; its sweep may need a moment.
    if (moment.phase === 'over') this.#cancelLook = systemHost.after(LOOK_MS, () => this.#ask());
  }

  #ask(): void {
    void this.load().then(() => {
      const isOpen = this.checkout?.status === 'started' && this.moment?.phase === 'over';
      if (isOpen && !this.#isClosed)
        this.#cancelLook = systemHost.after(LOOK_MS, () => this.#ask());
    });
  }
}

/** The bank's page speaks the visitor's language, too. */
function inOurWords(pay_url: string): string {
  const url = new URL(pay_url, location.origin);
  url.searchParams.set('lang', language());
  return url.href;
}

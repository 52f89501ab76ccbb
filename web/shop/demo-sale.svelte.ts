import { type OnSaleReply, systemHost } from '@voelgoed/client/client';
import { anybody } from './clients.ts';
import { notices } from './notices.svelte.ts';
import { reasonOf } from './reason.ts';

const LOOK_MS = 1_500;

/** Demo: simulated buyers for the open event. */
export class DemoSale {
  progress = $state.raw<OnSaleReply | null>(null);
  buyers = $state(60);
  readonly #eventId: string;
  #cancel = () => {};

  constructor(eventId: string) {
    this.#eventId = eventId;
  }

  open(): void {
    void this.#look();
  }

  close(): void {
    this.#cancel();
  }

  start(): Promise<void> {
    return this.#send(this.buyers);
  }

  stop(): Promise<void> {
    return this.#send(0);
  }

  async #send(buyers: number): Promise<void> {
    try {
      this.progress = await anybody.demo.onSale({ event_id: this.#eventId, buyers });
      this.#again();
    } catch (error) {
      notices.say({ kind: 'bad', text: reasonOf(error) });
    }
  }

  async #look(): Promise<void> {
    this.progress = await anybody.demo.sale(this.#eventId).catch(() => null);
    if (this.progress?.running) this.#again();
  }

  #again(): void {
    this.#cancel();
    this.#cancel = systemHost.after(LOOK_MS, () => void this.#look());
  }
}

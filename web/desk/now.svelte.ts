import { systemHost } from '@voelgoed/client/client';
import { desk } from './session.svelte.ts';

const SECOND_MS = 1_000;

/** The server's time, second by second, for as long as anything on the page shows it. */
class ServerNow {
  ms = $state(desk.client.clock.now());
  #users = 0;
  #stop = () => {};

  /** To be called by what shows it; the answer ends it. */
  watch(): () => void {
    this.#users += 1;
    if (this.#users === 1) this.#tick();
    return () => {
      this.#users -= 1;
      if (this.#users === 0) this.#stop();
    };
  }

  #tick(): void {
    this.ms = desk.client.clock.now();
    this.#stop = systemHost.after(SECOND_MS, () => this.#tick());
  }
}

export const serverNow = new ServerNow();

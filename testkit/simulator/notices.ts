import type { PostgresFeed } from '@voelgoed/engine/registry';
import type { Dice, Machine, Simulation } from '#stores';

type Listen = NonNullable<ConstructorParameters<typeof PostgresFeed>[0]['listen']>;
type Heard = Readonly<{
  machine: Machine;
  onMessage(channel: string, payload: string): void;
  onGap(): void;
}>;

/** NOTIFY of the simulated database: everybody who listens hears it, unless it is lost. */
export class NoticeBoard {
  readonly #simulation: Simulation;
  readonly #dice: Dice;
  readonly #listeners: Heard[] = [];
  silent_ms = 0;

  constructor(simulation: Simulation, dice: Dice) {
    this.#simulation = simulation;
    this.#dice = dice;
  }

  listen(machine: Machine): Listen {
    return ({ onMessage, onGap }) => {
      this.#listeners.push({ machine, onMessage, onGap });
      return {
        ready: Promise.resolve(),
        // The worse case: a speaker who knows that nobody heard says it again, which the feed's own
        // tests look at.
        notify: async (channel, payload) => {
          this.#tell(channel, payload);
          return true;
        },
        stop: async () => {},
      };
    };
  }

  /** All connections were lost and are there again. */
  gap(): void {
    for (const { machine, onGap } of this.#listeners) machine.after(this.#dice.upTo(300), onGap);
  }

  #tell(channel: string, payload: string): void {
    if (this.#simulation.time_ms < this.silent_ms) return;
    for (const { machine, onMessage } of this.#listeners) {
      machine.after(this.#dice.between(0.5, 5), () => onMessage(channel, payload));
    }
  }
}

import type { Seat } from '#shop';

/** The seats that are chosen, by ordinal, however they were chosen. */
export class Selection {
  ordinals = $state.raw<ReadonlySet<number>>(new Set());

  readonly list: readonly number[] = $derived([...this.ordinals]);

  has(seat: Seat): boolean {
    return this.ordinals.has(seat.ordinal);
  }

  set(ordinals: Iterable<number>): void {
    this.ordinals = new Set(ordinals);
  }

  toggle(seat: Seat): void {
    if (this.has(seat)) this.remove([seat.ordinal]);
    else this.add([seat.ordinal]);
  }

  add(ordinals: Iterable<number>): void {
    this.ordinals = new Set([...this.ordinals, ...ordinals]);
  }

  remove(ordinals: Iterable<number>): void {
    const rest = new Set(this.ordinals);
    for (const ordinal of ordinals) rest.delete(ordinal);
    this.ordinals = rest;
  }

  /** All of them, or none when all are chosen already. */
  toggleAll(seats: readonly Seat[]): void {
    const ordinals = seats.map(({ ordinal }) => ordinal);
    if (seats.every((seat) => this.has(seat))) this.remove(ordinals);
    else this.add(ordinals);
  }

  clear(): void {
    this.ordinals = new Set();
  }
}

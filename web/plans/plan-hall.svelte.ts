import type { Drawing } from '@voelgoed/client/client';

/** A plan on the map: nothing in it is held or sold, and nothing changes by itself. */
export class PlanHall {
  drawing = $state.raw<Drawing | null>(null);
  /** Seats that are not to be sold, two bits each: those that a newer version has not. */
  packed = $state.raw<Uint8Array>(new Uint8Array());
  readonly #byId = $derived(new Map(this.drawing?.seats.map((seat) => [seat.seat_id, seat])));
  readonly plan = $derived(this.drawing && { seatOf: (seatId: string) => this.#byId.get(seatId) });
  readonly zones = $derived(
    (this.drawing?.zones ?? []).map(({ zone_id, capacity }) => ({
      zone_id,
      capacity,
      available: capacity,
      held: 0,
      sold: 0,
    })),
  );

  show(drawing: Drawing | null, gone: readonly number[] = []): void {
    const packed = new Uint8Array(Math.ceil((drawing?.seats.length ?? 0) / 4));
    for (const ordinal of gone) {
      packed[ordinal >> 2] = (packed[ordinal >> 2] ?? 0) | (3 << ((ordinal & 3) * 2));
    }
    this.packed = packed;
    this.drawing = drawing;
  }

  onSeats(): () => void {
    return () => {};
  }
}

import type { SeatingPolicy } from '#policies';
import type { FreeSeats } from './free-seats.ts';

/** What a wish may find of a zone. */
export type ZoneView = Readonly<{
  has_seats: boolean;
  /** Not disabled, and open to whoever asks. */
  open: boolean;
  price_cents: number | null;
  /** Free places of a zone without seats. */
  room: number;
  name: string;
}>;

/** A board as allocation reads it: the same on the live board and on a draft of it. */
export type SeatingView = Readonly<{
  free: FreeSeats;
  /** By the zone's number on the board. */
  zones: readonly ZoneView[];
  policy: SeatingPolicy;
}>;

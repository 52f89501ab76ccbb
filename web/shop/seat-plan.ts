import type { Drawing } from '@voelgoed/client/client';

export type Seat = Drawing['seats'][number] & Readonly<{ companion_of?: string }>;

/** Seats of one row as people read them: in the order they sit. */
export type Row = Readonly<{ name: string; seats: readonly Seat[] }>;
export type Section = Readonly<{ name: string | null; rows: readonly Row[]; seats: number }>;

/** A drawing by names instead of by places: for lists, for screen readers, for the cart. */
export type SeatPlan = Readonly<{
  drawing: Drawing;
  seatOf(seatId: string): Seat | undefined;
  sectionsOf(zoneId: string): readonly Section[];
  /** The companion seats of a wheelchair space. */
  companionsOf(seatId: string): readonly Seat[];
  rowOf(seat: Seat): readonly Seat[];
}>;

const plans = new WeakMap<Drawing, SeatPlan>();

/** Made once per drawing: 100,000 seats are sorted once. */
export function planOf(drawing: Drawing): SeatPlan {
  const known = plans.get(drawing) ?? makePlan(drawing);
  plans.set(drawing, known);
  return known;
}

function makePlan(drawing: Drawing): SeatPlan {
  const seats: readonly Seat[] = drawing.seats;
  const ordinals = new Map(seats.map((seat, index) => [seat.seat_id, index]));
  const sections = new Map<string, readonly Section[]>();
  const byZone = Map.groupBy(seats, (seat) => seat.zone_id);
  const companions = Map.groupBy(
    seats.filter((seat) => seat.companion_of),
    (seat) => seat.companion_of,
  );
  const sectionsOf = (zoneId: string) => {
    const known = sections.get(zoneId) ?? sectionsIn(byZone.get(zoneId) ?? []);
    sections.set(zoneId, known);
    return known;
  };
  return {
    drawing,
    seatOf: (seatId) => seats[ordinals.get(seatId) ?? -1],
    sectionsOf,
    companionsOf: (seatId) => companions.get(seatId) ?? [],
    rowOf: (seat) => {
      const section = sectionsOf(seat.zone_id).find(({ name }) => name === (seat.section ?? null));
      return section?.rows.find(({ name }) => name === seat.row)?.seats ?? [];
    },
  };
}

/** Ordinals follow zone, row and how people sit: rows and seats come in order by themselves. */
function sectionsIn(seats: readonly Seat[]): Section[] {
  const bySection = Map.groupBy(seats, (seat) => seat.section ?? null);
  return [...bySection].map(([name, own]) => {
    const rows = [...Map.groupBy(own, (seat) => seat.row)];
    return {
      name,
      seats: own.length,
      rows: rows.map(([row, inRow]) => ({ name: row, seats: inRow })),
    };
  });
}

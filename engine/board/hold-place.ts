import type { BoardState, Hold } from './board-state.ts';

/** Where a hold is, in words that people know. */
export type HoldPlace = Readonly<{
  /** Null: places in a zone without seats. */
  seat: Readonly<{
    seat_id: string;
    label: string;
    section: string | null;
    row: string;
    number: number;
  }> | null;
  zone_id: string;
  zone_name: string;
}>;

export function placeOfHold(state: BoardState, { ordinal, zone }: Hold): HoldPlace {
  return placeAt(state, ordinal, zone);
}

/** `ordinal` -1: somewhere in the zone. */
export function placeAt(state: BoardState, ordinal: number, zone: number): HoldPlace {
  const { zone_id = '', name: zone_name = '' } = state.config.zones[zone] ?? {};
  return { seat: ordinal < 0 ? null : seatAt(state, ordinal), zone_id, zone_name };
}

function seatAt({ plan }: BoardState, ordinal: number): HoldPlace['seat'] {
  return {
    seat_id: plan.seatIdOf(ordinal),
    label: plan.labelOf(ordinal),
    ...plan.rowOf(ordinal),
    number: plan.numberOf(ordinal),
  };
}

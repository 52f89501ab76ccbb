import { uuidOf } from '#kit';

/** What a drawing says about a zone, as the event has it. */
export type DrawnZone = Readonly<{
  zone_id: string;
  name: string;
  zone_type: string;
  capacity: number;
}>;

const LENGTH = 13;
const known = new WeakMap<readonly DrawnZone[], string>();

/**
 * Tells drawings of one layout version apart: events may call its zones differently and use them
 * without their seats. Boards change often and their zones hardly ever.
 */
export function drawingIdOf(zones: readonly DrawnZone[]): string {
  const id = known.get(zones) ?? uuidOf(textOf(zones)).slice(0, LENGTH);
  known.set(zones, id);
  return id;
}

function textOf(zones: readonly DrawnZone[]): string {
  return JSON.stringify(
    zones.map(({ zone_id, name, zone_type, capacity }) => [zone_id, name, zone_type, capacity]),
  );
}

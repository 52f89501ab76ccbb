import type { LayoutConfig } from '@voelgoed/client/client';

type Zone = LayoutConfig['zones'][number];
type RowLength = { row: string; count: number; number: number };

/** The rows of a zone, in their order: how many seats each has, and its last number. */
export function rowLengths(zone: Zone | undefined): readonly RowLength[] {
  const rows = new Map<string, RowLength>();
  for (const { row, number } of zone?.seats ?? []) {
    const known = rows.get(row);
    if (!known) rows.set(row, { row, count: 1, number });
    else {
      known.count += 1;
      known.number = Math.max(known.number, number);
    }
  }
  return [...rows.values()];
}

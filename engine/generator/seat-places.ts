import type { LayoutConfig } from '#layouts';
import type { SeatCategory } from '#policies';
import type { LayoutSpec, SeatPosition, ShapeSpec } from './layout-spec.ts';
import { nameOfRow, type RowCategories } from './seat-naming.ts';

type Wanted = Readonly<{
  wheelchair_pairs?: readonly SeatPosition[] | null;
  restricted_view?: readonly SeatPosition[] | null;
}>;

/** Which seats of a shape are special: named by their printed label, or by row and place. */
export class SeatPlaces {
  readonly #wanted: ReadonlyMap<string, SeatCategory>;
  /** How many seats there are from each named one to the end of its row. */
  readonly #found = new Map<string, number>();
  readonly #prefix: string;

  constructor(spec: Wanted, prefix: string) {
    this.#prefix = prefix;
    const wanted = new Map<string, SeatCategory>();
    for (const at of spec.restricted_view ?? []) wanted.set(this.#keyOf(at), 'restricted_view');
    for (const at of spec.wheelchair_pairs ?? []) wanted.set(this.#keyOf(at), 'wheelchair');
    this.#wanted = wanted;
  }

  /** What makes seats of this row special; `index` from 0, `numbers` from left to right. */
  categories(index: number, row: string, numbers: readonly number[]): RowCategories {
    const categories = new Map<number, SeatCategory>();
    if (this.#wanted.size === 0) return categories;
    numbers.forEach((number, place) => {
      for (const key of [`${index + 1} ${place + 1}`, `${row}-${number}`]) {
        const category = this.#wanted.get(key);
        if (!category) continue;
        this.#found.set(key, numbers.length - place);
        categories.set(place, category);
        if (category === 'wheelchair') categories.set(place + 1, 'companion');
      }
    });
    return categories;
  }

  /** Is it there, with as many seats from it on? */
  has(position: SeatPosition, width: number): boolean {
    return (this.#found.get(this.#keyOf(position)) ?? 0) >= width;
  }

  /** `Balcony a-1` and `A-1` are the same seat of the balcony. */
  #keyOf(position: SeatPosition): string {
    if (!('label' in position)) return `${position.row} ${position.seat}`;
    const label = position.label.toUpperCase();
    const prefix = this.#prefix.toUpperCase();
    return label.startsWith(prefix) ? label.slice(prefix.length) : label;
  }
}

export function nameOfPosition(position: SeatPosition): string {
  return 'label' in position ? position.label : `place ${position.seat} of row ${position.row}`;
}

/** The spec with everything said that drawing has decided: prefixes, and seats by their label. */
export function plainSpec(spec: LayoutSpec, config: LayoutConfig): LayoutSpec {
  const seated = spec.shapes.filter(({ shape }) => shape !== 'area').length;
  const shapes = spec.shapes.map((shape, index): ShapeSpec => {
    if (shape.shape === 'area') return shape;
    const label_prefix = shape.label_prefix ?? (seated > 1 ? `${shape.zone} ` : '');
    if (shape.shape === 'bowl' || shape.shape === 'tables') return { ...shape, label_prefix };
    const seats = config.zones[index]?.seats ?? [];
    const labelled = (positions: readonly SeatPosition[] | null | undefined) =>
      positions?.map((at) => {
        if ('label' in at) return at;
        const row = nameOfRow(shape, at.row - 1);
        const number = seats.filter((seat) => seat.row === row)[at.seat - 1]?.number;
        return { label: `${row}-${number}` };
      });
    const wheelchair_pairs = labelled(shape.wheelchair_pairs);
    const restricted_view = labelled(shape.restricted_view);
    return {
      ...shape,
      label_prefix,
      ...(wheelchair_pairs ? { wheelchair_pairs } : {}),
      ...(restricted_view ? { restricted_view } : {}),
    };
  });
  return { ...spec, shapes };
}

/** Groups that say who may have their seats together. */
export const PARTY_GROUPS = ['vip_table', 'family_block'] as const;
export type PartyGroup = (typeof PARTY_GROUPS)[number];

export type SeatGroup = Readonly<{ kind: PartyGroup; seats: readonly number[] }>;

/** Which seats of a plan are in which group; a seat is in one of a kind at most. */
export class SeatGroups {
  readonly all: readonly SeatGroup[];
  readonly bytes: number;
  /** For each kind that there is: the number of each seat's group, or -1. */
  readonly #at: readonly Int32Array[];

  constructor(all: readonly SeatGroup[], seatCount: number) {
    this.all = all;
    const kinds = new Set(all.map(({ kind }) => kind));
    this.#at = [...kinds].map((kind) => {
      const at = new Int32Array(seatCount).fill(-1);
      for (const [number, group] of all.entries()) {
        if (group.kind === kind) for (const seat of group.seats) at[seat] = number;
      }
      return at;
    });
    const seats = all.reduce((sum, group) => sum + group.seats.length, 0);
    this.bytes = this.#at.length * seatCount * 4 + seats * 8;
  }

  has(ordinal: number): boolean {
    return this.#at.some((at) => (at[ordinal] ?? -1) >= 0);
  }

  of(ordinal: number): SeatGroup[] {
    return this.#at.flatMap((at) => this.all[at[ordinal] ?? -1] ?? []);
  }
}

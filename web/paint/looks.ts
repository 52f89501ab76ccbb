import { CATEGORY, type Scene, type SeatStates, STATE } from '#scene';

/** What a buyer wants to see; everything else is dimmed. Left out or null: no wish. */
export type Filter = Readonly<{
  zones?: readonly string[] | null;
  /** In cents, both ends included. */
  price?: Readonly<{ least: number; most: number }> | null;
  /** Wheelchair spaces and the seats beside them alone. */
  accessibleOnly?: boolean;
}>;

export type Prices = ReadonlyMap<string, number>;

/** Colours that people tell apart on one map. */
export const TIERS = 8;

/** State in the two lowest bits, then three bits for the price, then one that says dimmed. */
export const LOOKS = 64;
export function lookOf(state: number, tier: number, dimmed: boolean): number {
  return state | (tier << 2) | (dimmed ? 32 : 0);
}

/** What a blocked seat is, in the bits of the price, which it has not. */
export const BLOCKED = { plain: 0, reseat: 1, kept: 2 } as const;

/** How each seat looks: by its state, the price of its zone, and what the buyer asks for. */
export class Looks {
  readonly #scene: Scene;
  readonly #states: SeatStates;
  #tiers: Uint8Array;
  #dimmedZones: Uint8Array;
  #accessibleOnly = false;
  #prices: Prices = new Map();
  #filter: Filter = {};
  /** Blocked seats that are more than that, by ordinal. */
  #blocked: ReadonlyMap<number, number> = new Map();

  constructor(scene: Scene, states: SeatStates) {
    this.#scene = scene;
    this.#states = states;
    this.#tiers = new Uint8Array(scene.zones.length);
    this.#dimmedZones = new Uint8Array(scene.zones.length);
    this.setPrices(this.#prices);
  }

  get prices(): Prices {
    return this.#prices;
  }

  setPrices(prices: Prices): void {
    this.#prices = prices;
    this.#tiers = tiersOf(this.#scene, prices);
    this.setFilter(this.#filter);
  }

  setFilter(filter: Filter): void {
    this.#filter = filter;
    this.#accessibleOnly = filter.accessibleOnly === true;
    this.#dimmedZones = Uint8Array.from(this.#scene.zones, ({ zone_id }) => {
      const price = this.#prices.get(zone_id);
      const isWanted = !filter.zones || filter.zones.includes(zone_id);
      const isPaid =
        !filter.price ||
        (price !== undefined && price >= filter.price.least && price <= filter.price.most);
      return isWanted && isPaid ? 0 : 1;
    });
  }

  setBlocked(kinds: ReadonlyMap<number, number>): void {
    this.#blocked = kinds;
  }

  tierOfZone(zone: number): number {
    return this.#tiers[zone] as number;
  }

  isZoneDimmed(zone: number): boolean {
    return this.#dimmedZones[zone] === 1;
  }

  isDimmed(ordinal: number): boolean {
    if (this.#dimmedZones[this.#scene.zoneOf[ordinal] as number] === 1) return true;
    if (!this.#accessibleOnly) return false;
    const category = this.#scene.category[ordinal];
    return category !== CATEGORY.wheelchair && category !== CATEGORY.companion;
  }

  of(ordinal: number): number {
    const state = this.#states.of(ordinal);
    const tier =
      state === STATE.blocked
        ? (this.#blocked.get(ordinal) ?? BLOCKED.plain)
        : (this.#tiers[this.#scene.zoneOf[ordinal] as number] as number);
    return lookOf(state, tier, this.isDimmed(ordinal));
  }
}

/** The rank of each zone's price among all prices; many prices share colours evenly. */
function tiersOf(scene: Scene, prices: Prices): Uint8Array {
  const known = scene.zones.map(({ zone_id }) => prices.get(zone_id));
  const steps = [...new Set(known.filter((price) => price !== undefined))].sort((a, b) => a - b);
  return Uint8Array.from(known, (price, zone) => {
    // Without prices neighbours still differ.
    if (price === undefined) return steps.length === 0 ? zone % TIERS : 0;
    const rank = steps.indexOf(price);
    return steps.length <= TIERS ? rank : Math.floor((rank * TIERS) / steps.length);
  });
}

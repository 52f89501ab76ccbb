/**
 * Finds a seat's ordinal by its id, in packed arrays: open addressing, ordinal + 1 at the slot of
 * the id and 0 where nothing is. It can be filled in portions, so that 100,000 seats block nobody.
 */
export class SeatIndex {
  readonly #ids: Uint8Array;
  readonly #slots: Int32Array;
  /** So many bits of a hash are not needed to name a slot. */
  readonly #shift: number;
  #indexed = 0;

  constructor(ids: Uint8Array) {
    this.#ids = ids;
    const bits = Math.ceil(Math.log2(Math.max(ids.length / 16, 1) * 2));
    this.#slots = new Int32Array(2 ** bits);
    this.#shift = 32 - bits;
  }

  get bytes(): number {
    return this.#slots.byteLength;
  }

  /** Knows all seats before this ordinal from now on. */
  fillTo(ordinal: number): void {
    for (; this.#indexed < ordinal; this.#indexed++) {
      let slot = this.#slotOf(this.#ids, this.#indexed * 16);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (this.#slots.length - 1);
      this.#slots[slot] = this.#indexed + 1;
    }
  }

  find(seatId: string): number | undefined {
    const id = bytesOf(seatId);
    if (id === undefined) return undefined;
    for (let slot = this.#slotOf(id, 0); ; slot = (slot + 1) & (this.#slots.length - 1)) {
      const ordinal = (this.#slots[slot] ?? 0) - 1;
      if (ordinal < 0) return undefined;
      if (this.#isAt(ordinal, id)) return ordinal;
    }
  }

  /** Seat ids are random or end randomly, so their last four bytes are hash enough. */
  #slotOf(ids: Uint8Array, start: number): number {
    const upper = ((ids[start + 12] ?? 0) << 24) | ((ids[start + 13] ?? 0) << 16);
    const lower = ((ids[start + 14] ?? 0) << 8) | (ids[start + 15] ?? 0);
    return Math.imul(upper ^ lower ^ (ids[start + 7] ?? 0), 0x9e3779b1) >>> this.#shift;
  }

  #isAt(ordinal: number, id: Uint8Array): boolean {
    for (let index = 0; index < 16; index++) {
      if (this.#ids[ordinal * 16 + index] !== id[index]) return false;
    }
    return true;
  }
}

/** The value of a hexadecimal digit by its character code; -1: none. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? -1 : digit;
});
const DASH = '-'.charCodeAt(0);
/** Every look for a seat uses it anew, and none waits for anything in between. */
const looked = new Uint8Array(16);

/** In one spelling only, but for the case of its letters: a seat has not two names. */
function bytesOf(seatId: string): Uint8Array | undefined {
  if (seatId.length !== 36) return undefined;
  let digits = 0;
  for (let index = 0; index < 36; index++) {
    const code = seatId.charCodeAt(index);
    if (index === 8 || index === 13 || index === 18 || index === 23) {
      if (code !== DASH) return undefined;
      continue;
    }
    const digit = DIGITS[code] ?? -1;
    if (digit < 0) return undefined;
    const before = digits % 2 === 0 ? 0 : (looked[digits >> 1] ?? 0);
    looked[digits >> 1] = (before << 4) | digit;
    digits++;
  }
  return looked;
}

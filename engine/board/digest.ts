import type { Checkout } from '#checkouts';

/**
 * A digest that is kept while the board changes: each seat and each hold contributes a number of
 * its own, and all are combined by exclusive or, so that a change takes the old one out and puts
 * the new one in. Two boards with the same digest are the same, for all practical purposes; it
 * finds mistakes, it does not stop forgers (the log's hashes do).
 */
export class Digest {
  #high = 0;
  #low = 0;

  /** An available seat contributes nothing: an empty board has the digest 0. */
  toggleSeat(ordinal: number, code: number): void {
    if (code === 0) return;
    this.#toggle(mix(ordinal * 8 + code), mix(ordinal * 8 + code + 0x5bd1e995));
  }

  toggleCounts(zone: number, held: number, sold: number, blocked: number): void {
    if (held === 0 && sold === 0 && blocked === 0) return;
    const counts = mix(mix(mix(held) + sold) + blocked);
    this.#toggle(mix(counts ^ (zone + 1)), mix(counts + Math.imul(zone + 1, 0x85ebca6b)));
  }

  toggleReleased(zone: number): void {
    this.#toggle(mix(zone + 0x3c6ef372), mix(zone + 0x1f83d9ab));
  }

  /** `settled`: how many seats its cart had when they were chosen, which its checkout goes by. */
  toggleHold(holdId: string, until_ms: number, settled = 0): void {
    const cart = settled === 0 ? 0 : mix(settled + 0x510e527f);
    const until = mix(until_ms >>> 0) ^ Math.floor(until_ms / 2 ** 32) ^ cart;
    this.#toggle(mix(hashText(holdId, 0x811c9dc5) ^ until), mix(hashText(holdId, 7) + until));
  }

  toggleText(text: string): void {
    this.#toggle(mix(hashText(text, 0x811c9dc5)), mix(hashText(text, 7)));
  }

  get hex(): string {
    return hexOf(this.#high, this.#low);
  }

  /** Of what both are about. */
  with(other: Digest): string {
    return hexOf(this.#high ^ other.#high, this.#low ^ other.#low);
  }

  #toggle(high: number, low: number): void {
    this.#high = (this.#high ^ high) >>> 0;
    this.#low = (this.#low ^ low) >>> 0;
  }
}

/** Of a board: whole, or as much of it as a snapshot of 0.1.0 says. */
export class BoardDigest extends Digest {
  readonly #owners = new Digest();
  /** Turns the digest of a board into that of one without settled carts and what was given back. */
  readonly #later = new Digest();

  /** Who has bought a wheelchair space, and so may have its companion seat. */
  toggleOwner(ordinal: number, userId: string): void {
    this.#owners.toggleText(`owner ${ordinal} ${userId}`);
  }

  override toggleHold(holdId: string, until_ms: number, settled = 0): void {
    super.toggleHold(holdId, until_ms, settled);
    if (settled === 0) return;
    this.#later.toggleHold(holdId, until_ms, settled);
    this.#later.toggleHold(holdId, until_ms);
  }

  toggleCheckout(checkout: Checkout): void {
    const text = checkoutText(checkout);
    this.toggleText(text);
    if (!checkout.given_back) return;
    this.#later.toggleText(text);
    this.#later.toggleText(checkoutText({ ...checkout, given_back: false }));
  }

  /** Without owners: without the other parts that came with them, too. */
  of({ owners }: { owners: boolean }): string {
    return this.with(owners ? this.#owners : this.#later);
  }
}

function hexOf(high: number, low: number): string {
  return [high, low].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Holds and when they end, in whatever order: equal in two tiers, or one of them is wrong. */
export function digestOfHolds(holds: Iterable<{ hold_id: string; until_ms: number }>): string {
  const digest = new Digest();
  for (const { hold_id, until_ms } of holds) digest.toggleHold(hold_id, until_ms);
  return digest.hex;
}

/** Everything about a checkout that a rule looks at. */
function checkoutText(checkout: Checkout): string {
  const { checkout_id, status, declined, given_back, items, attempts } = checkout;
  const holds = items.map(({ hold_id, price_cents }) => `${hold_id} ${price_cents}`);
  const tries = attempts.map((one) => `${one.attempt_id} ${one.status}`);
  const rest = given_back ? ['given back'] : [];
  return [checkout_id, status, declined, ...holds, ...tries, ...rest].join(' ');
}

/** The last step of MurmurHash3: every bit of the input reaches every bit of the result. */
function mix(value: number): number {
  let mixed = value >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function hashText(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

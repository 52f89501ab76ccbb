import type { Networks } from '#kit';

/**
 * The address of a hold as boards count it: keyed hashes of the address and of the networks around
 * it, joined by dots. The first alone is what holds of 0.1.0 have, so that both count together.
 */
export function joinHashes({ address, site, network }: Networks): string {
  return [address, ...(site === null ? [] : [`${SITE}${site}`]), `${NETWORK}${network}`].join('.');
}

/** Marks that tell a hash of a site from one of a network, whatever else is beside it. */
const SITE = 's';
const NETWORK = 'n';

type Counted = Readonly<{ address: string; site: string | null; network: string | null }>;

/** What a hold counts for; the names of wider networks keep their marks. */
export function countedOf(ip: string): Counted {
  const [address = '', ...wider] = ip.split('.');
  const named = (mark: string) => wider.find((one) => one.startsWith(mark)) ?? null;
  return { address, site: named(SITE), network: named(NETWORK) };
}

/** How many seats and places addresses and networks hold. */
export class AddressCounts {
  readonly #seats = new Map<string, number>();

  of(name: string): number {
    return this.#seats.get(name) ?? 0;
  }

  /** Counts may go below zero: those of a draft are differences. */
  add(ip: string | null, quantity: number): void {
    if (ip === null) return;
    for (const name of ip.split('.')) {
      const seats = this.of(name) + quantity;
      if (seats === 0) this.#seats.delete(name);
      else this.#seats.set(name, seats);
    }
  }
}

import { createHmac } from 'node:crypto';
import { joinHashes } from '#board';
import { forgetOldest, networksOf } from '#kit';
import type { Caller, Engine } from './change.ts';

/** Counts an address and its networks without keeping them: keyed, per organization. */
export function ipHash(
  { ipSecret }: Pick<Engine, 'ipSecret'>,
  { ip, scope }: Pick<Caller, 'ip' | 'scope'>,
): string | null {
  if (ip === null) return null;
  const { organizationId } = scope;
  const name = `${ipSecret} ${organizationId} ${ip}`;
  const known = ipHashes.get(name);
  if (known !== undefined) return known;
  const hashOf = (text: string, characters: number) =>
    createHmac('sha256', ipSecret)
      .update(organizationId)
      .update(text)
      .digest('base64url')
      .slice(0, characters);
  const { address, site, network } = networksOf(ip);
  const hash = joinHashes({
    address: hashOf(address, ADDRESS_CHARACTERS),
    site: site === null ? null : hashOf(site, NETWORK_CHARACTERS),
    network: hashOf(network, NETWORK_CHARACTERS),
  });
  ipHashes.set(name, hash);
  forgetOldest(ipHashes, MOST_IP_HASHES);
  return hash;
}

const ADDRESS_CHARACTERS = 22;
/** 66 bits: two networks of one event never meet, and every hold has them in its row. */
const NETWORK_CHARACTERS = 11;

/** Of the last while: an address holds more than once, and a hash costs 5 µs. */
const ipHashes = new Map<string, string>();
const MOST_IP_HASHES = 10_000;

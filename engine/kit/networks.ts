import { isIPv6 } from 'node:net';

/** IPv4 as IPv6 writes it: what a socket for both says about everybody with an old address. */
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** An address and the networks around it, each as a text that is the same for all in it. */
export type Networks = Readonly<{
  /** Whom the address stands for: itself, or for IPv6 its first 64 bits, which is one link. */
  address: string;
  /** What a home gets (RIPE-690: /56), with 256 links; null for IPv4, where it is the address. */
  site: string | null;
  /** What a business or a rented server gets: /48 of IPv6, /24 of IPv4. */
  network: string;
}>;

export function networksOf(ip: string): Networks {
  const address = networkOf(ip);
  const parts = address.split(':');
  if (parts.length === 1) {
    return { address, site: null, network: `${address.replace(/\.\d+$/, '')}/24` };
  }
  const [first, second, third, fourth = '0'] = parts;
  const network = `${first}:${second}:${third}`;
  const upper = (Number.parseInt(fourth, 16) >> 8).toString(16);
  return { address, site: `${network}:${upper}/56`, network: `${network}/48` };
}

/** The address of these networks that stands for one customer with one link. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const address = canonical(ip);
  const [, high, low] = MAPPED.exec(address) ?? [];
  if (high !== undefined && low !== undefined) return dottedOf(high, low);
  const [head = '', tail] = address.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':');
}

/** One spelling for each address: lower case, no leading zeros, hexadecimal throughout. */
function canonical(ip: string): string {
  const [address = ''] = ip.split('%');
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function dottedOf(high: string, low: string): string {
  const bits = [high, low].map((part) => Number.parseInt(part, 16));
  return bits.flatMap((part) => [part >> 8, part & 255]).join('.');
}

import { BlockList, isIP } from 'node:net';

/** Networks that are nobody's public server: ourselves, our neighbours, the machine's metadata. */
const INTERNAL = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  INTERNAL.addSubnet(network, prefix, 'ipv4');
}
/** Of IPv6 only what is given out to the public; tunnels and documentation lie within it. */
const PUBLIC_6 = new BlockList();
PUBLIC_6.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  INTERNAL.addSubnet(network, prefix, 'ipv6');
}

export function isInternalAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return isInternalAddress(mapped);
  const version = isIP(address);
  if (version === 6) return !PUBLIC_6.check(address, 'ipv6') || INTERNAL.check(address, 'ipv6');
  return version === 0 || INTERNAL.check(address, 'ipv4');
}

/**
 * An address on the public internet, as far as its text can tell; a name is looked up when used.
 */
export function isPublicHttps(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (protocol !== 'https:' || username !== '' || password !== '') return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) > 0) return !isInternalAddress(host);
  return host.includes('.') && !host.endsWith('.localhost') && !host.endsWith('.internal');
}

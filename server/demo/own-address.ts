import type { Http } from '#http';

/** Where this node can call itself. */
export function ownAddress(http: Http): string {
  const [address] = http.addresses();
  if (!address || typeof address === 'string') throw new Error('the server does not listen');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

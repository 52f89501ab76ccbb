import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isInternalAddress, isPublicHttps } from './addresses.ts';

/** Asks what a name leads to. Handed in by tests that let a name change its mind. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * Two tries, two seconds in all. Asked by ourselves and not by the system, which keeps one of four
 * threads busy for each slow name: tenants choose the names, and everybody needs the threads.
 */
const resolver = new Resolver({ timeout: 700, tries: 2 });

async function fromServers(hostname: string): Promise<readonly LookupAddress[]> {
  const [four, six] = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
    ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
  ];
  if (found.length === 0) throw new Error(`the name ${hostname} leads nowhere`);
  return found;
}

/** A name is looked up once, here, and what it leads to is what is connected to. */
export function lookupOf(resolve: Resolve = fromServers) {
  return (
    hostname: string,
    _options: object,
    callback: (error: Error | null, addresses: LookupAddress[]) => void,
  ): void => {
    resolve(hostname).then(
      (addresses) => {
        if (addresses.some(({ address }) => isInternalAddress(address))) {
          return callback(new Error('the name leads into an internal network'), []);
        }
        return callback(null, [...addresses]);
      },
      (error: Error) => callback(error, []),
    );
  };
}

/**
 * Is this no place for us: not https, an internal address, or a name that leads to one now? A name
 * that leads nowhere yet may still be set up; it is looked up again with every connection.
 */
export async function leadsInside(url: string, resolve: Resolve = fromServers): Promise<boolean> {
  if (!isPublicHttps(url)) return true;
  const { hostname } = new URL(url);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) > 0) return false;
  const addresses = await resolve(hostname).catch(() => []);
  return addresses.some(({ address }) => isInternalAddress(address));
}

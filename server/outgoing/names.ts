import { type LookupAddress, lookup } from 'node:dns';
import { isInternalAddress, isPublicHttps } from './addresses.ts';

/** Asks what a name leads to. Handed in by tests that let a name change its mind. */
export type Resolve = (
  hostname: string,
  callback: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

const fromSystem: Resolve = (hostname, callback) => {
  lookup(hostname, { all: true }, (error, addresses) => callback(error, addresses ?? []));
};

/** A name is looked up once, here, and what it leads to is what is connected to. */
export function lookupOf(resolve: Resolve = fromSystem) {
  return (
    hostname: string,
    _options: object,
    callback: (error: Error | null, addresses: LookupAddress[]) => void,
  ): void => {
    resolve(hostname, (error, addresses) => {
      if (error) return callback(error, []);
      if (addresses.some(({ address }) => isInternalAddress(address))) {
        return callback(new Error('the name leads into an internal network'), []);
      }
      return callback(null, [...addresses]);
    });
  };
}

/**
 * Is this no place for us: not https, an internal address, or a name that leads to one now? A name
 * that leads nowhere yet may still be set up; it is looked up again with every connection.
 */
export function leadsInside(url: string, resolve: Resolve = fromSystem): Promise<boolean> {
  if (!isPublicHttps(url)) return Promise.resolve(true);
  return new Promise((settle) => {
    resolve(new URL(url).hostname, (error, addresses) =>
      settle(!error && addresses.some(({ address }) => isInternalAddress(address))),
    );
  });
}

/**
 * Outgoing: requests that we make to addresses that others have given us. It keeps them out of our
 * own network: public https only, the address is checked at the moment of connecting (so a name
 * that changes its mind gains nothing), no redirects, a limit on time and size. Everybody who
 * calls an address from a tenant goes through here.
 */
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { isPublicHttps } from './addresses.ts';
import { lookupOf } from './names.ts';

export { isInternalAddress, isPublicHttps } from './addresses.ts';
export { leadsInside, type Resolve } from './names.ts';
export { createPoster, type Poster } from './poster.ts';

export type OutgoingReply = Readonly<{ status: number; body: Buffer }>;

export type OutgoingLimits = Readonly<{
  signal: AbortSignal;
  body_bytes: number;
  /** Only for development and tests: then also plain http and our own network. */
  allowInternal: boolean;
}>;

export function fetchOutside(url: string, limits: OutgoingLimits): Promise<OutgoingReply> {
  if (!limits.allowInternal && !isPublicHttps(url)) {
    return Promise.reject(new Error('not a public https address'));
  }
  const request = new URL(url).protocol === 'https:' ? overHttps : overHttp;
  return new Promise((resolve, reject) => {
    const options = {
      signal: limits.signal,
      agent: false as const,
      headers: { accept: 'application/json', 'user-agent': 'voelgoed' },
      ...(limits.allowInternal ? {} : { lookup: lookupOf() }),
    };
    const asked = request(url, options, (reply) => {
      const chunks: Buffer[] = [];
      let size = 0;
      reply.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > limits.body_bytes) asked.destroy(new Error('the reply is too large'));
        else chunks.push(chunk);
      });
      reply.on('error', reject);
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(chunks) }),
      );
    });
    asked.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('the reply is of another protocol'));
    });
    asked.on('error', reject);
    asked.end();
  });
}

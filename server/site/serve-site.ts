import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Http, isKnown, notModified } from '#http';
import type { Site, SiteFile } from './read-site.ts';

/** What belongs to the machine side: an address there that is not found is not a page. */
const NOT_PAGES = /^\/(?:api|docs|health|metrics|webhooks|openapi\.json|demo)(?:\/|$)/;
/** Nothing inline, nothing from elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
  "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'";
/** Entrances of the app: monitoring asks for them and takes anything, as `curl` does. */
const ENTRANCES: ReadonlySet<string> = new Set(['/', '/staff', '/tickets']);
const FOREVER = 'public, max-age=31536000, immutable';
/** Kept, but asked about each time: a new version is seen at the next visit. */
const ASK_FIRST = 'no-cache';

/** Registered last in meaning, not in order: any route that is more exact is preferred to this. */
export function registerSite(http: Http, site: Site | null): void {
  http.get(
    '/*',
    {
      config: {
        access: { kind: 'open' },
        anyQuery: 'links from elsewhere carry utm_ and the like',
      },
      schema: { hide: true },
    },
    async (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '/';
      const file = site && fileFor(site, path, request);
      return file ? sendFile(request, reply, file) : reply.callNotFound();
    },
  );
}

function fileFor(site: Site, path: string, request: FastifyRequest): SiteFile | null {
  const file = site.files.get(path);
  if (file) return file;
  if (NOT_PAGES.test(path)) return null;
  // A file that is not there stays not there; what a browser goes to is a page of the app.
  const accepted = request.headers.accept ?? '*/*';
  const isPage = !/\.[a-z0-9]+$/i.test(path) && /text\/html/.test(accepted);
  const isEntrance = ENTRANCES.has(path) && (path === '/' || /\*\/\*|text\/\*/.test(accepted));
  return isPage || isEntrance ? site.index : null;
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: SiteFile): FastifyReply {
  reply
    .header('etag', file.etag)
    .header('cache-control', file.isForever ? FOREVER : ASK_FIRST)
    .header('vary', 'accept-encoding');
  if (file.type.startsWith('text/html')) reply.header('content-security-policy', POLICY);
  if (isKnown(request.headers['if-none-match'], file.etag)) return notModified(reply);
  reply.type(file.type);
  const encoding = encodingFor(request, file);
  if (encoding === 'identity') return reply.send(file.identity);
  return reply.header('content-encoding', encoding).send(file[encoding]);
}

function encodingFor(request: FastifyRequest, file: SiteFile): 'br' | 'gzip' | 'identity' {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const reads = (name: string) =>
    new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`).test(accepted);
  if (file.br && reads('br')) return 'br';
  return file.gzip && reads('gzip') ? 'gzip' : 'identity';
}

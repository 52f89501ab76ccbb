import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import swagger from '@fastify/swagger';
import reference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

/** Browsers ask for an icon unless a page names one; an empty one costs no request. */
export const EMPTY_ICON = 'data:,';

/** The file as bytes: written and compressed once, or a stranger could keep us busy with it. */
export function openApiFile(http: FastifyInstance): { plain: Buffer; gzip: Buffer; etag: string } {
  const plain = Buffer.from(JSON.stringify(http.swagger()));
  const etag = `"${createHash('sha256').update(plain).digest('base64url')}"`;
  return { plain, gzip: gzipSync(plain), etag };
}

/**
 * The OpenAPI file is made from the routes' own schemas; the readable reference is made from it.
 */
export async function registerOpenApi(http: FastifyInstance): Promise<void> {
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Voelgoed Seating',
        version: '0.1.0',
        description: 'Seat reservation engine: maps, holds, checkouts, tickets.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `Schema${index}`,
    },
  });
  await http.register(reference, {
    routePrefix: '/docs',
    // The page works without the internet and tells nobody that it was opened.
    configuration: {
      // Without it the page's server makes the file anew, as JSON and as YAML, for each who asks.
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      favicon: EMPTY_ICON,
      pageTitle: 'Voelgoed Seating API',
      showDeveloperTools: 'never',
      hideClientButton: true,
      mcp: { disabled: true },
      agent: { disabled: true },
    },
  });
}

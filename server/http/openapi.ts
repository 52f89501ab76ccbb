import swagger from '@fastify/swagger';
import reference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

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
  await http.register(reference, { routePrefix: '/docs' });
}

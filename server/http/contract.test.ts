import { readFileSync } from 'node:fs';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { ERRORS, ErrorReply } from '@voelgoed/client/wire';
import { systemClock } from '@voelgoed/engine/kit';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { useDatabase } from '@voelgoed/testkit/database';
import { call, testConfig, useNode } from '@voelgoed/testkit/servers';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '#metrics';
import { Authenticator } from '#tokens';
import { createHttp } from './http.ts';
import { validatorCompiler } from './validation.ts';

const database = useDatabase();
const node = useNode(database);

type Operation = { security?: unknown; responses: Record<string, { description: string }> };
type OpenApi = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: { Error: { properties: { error: { enum: string[] } } } } };
};

async function openApi(): Promise<OpenApi> {
  return (await call(node().address, 'GET /openapi.json')).body as OpenApi;
}

describe('the schemas of every route', () => {
  it('compile, although a node does that only when they are needed', () => {
    const errors = { Error: ErrorReply };
    const compile = SerializerSelector()(errors, {});
    let compiled = 0;
    for (const { method, url, schema = {} } of node().http.routeTable) {
      const { response, body, querystring, params } = schema;
      for (const [httpStatus, reply] of Object.entries(Object(response))) {
        compile({ method, url, httpStatus, schema: reply });
        compiled++;
      }
      for (const [httpPart, part] of Object.entries({ body, querystring, params })) {
        if (part) validatorCompiler({ method, url, httpPart, schema: part })({});
      }
    }
    expect(compiled).toBeGreaterThan(500);
  });
});

describe('the error codes', () => {
  it('are the documented ones, with the documented status, both ways', () => {
    const guide = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
    const rows = guide.matchAll(/^\| (\d{3}) \| `([a-z_]+)` \| \S.* \|$/gm);
    const documented = Object.fromEntries([...rows].map(([, status, code]) => [code, status]));
    const known = Object.fromEntries(
      Object.entries(ERRORS).map(([code, status]) => [code, String(status)]),
    );
    expect(documented).toEqual(known);
  });

  it('are the ones in the OpenAPI file, both ways', async () => {
    const { components } = await openApi();
    const listed = components.schemas.Error.properties.error.enum;
    expect([...listed].sort()).toEqual(Object.keys(ERRORS).sort());
  });

  it('stand at each route under their own status', async () => {
    for (const [path, operations] of Object.entries((await openApi()).paths)) {
      for (const operation of Object.values(operations)) {
        for (const [status, { description }] of Object.entries(operation.responses)) {
          if (Number(status) < 400) continue;
          for (const code of description.split(', ')) {
            const known = ERRORS[code as keyof typeof ERRORS];
            expect([path, code, String(known)]).toEqual([path, code, status]);
          }
        }
      }
    }
  });
});

describe('the OpenAPI file', () => {
  it('has every route of the API, guarded ones with a credential', async () => {
    const { openapi, paths } = await openApi();
    expect(openapi).toBe('3.1.0');
    for (const { method, url, access } of node().http.routeTable) {
      if (!url.startsWith('/api/') || method === 'HEAD') continue;
      const path = url.replaceAll(/:([a-z_]+)/g, '{$1}');
      const operation = paths[path]?.[method.toLowerCase()];
      expect([path, method, operation !== undefined]).toEqual([path, method, true]);
      expect([path, operation?.security !== undefined]).toEqual([
        path,
        !['open', 'event'].includes(access.kind),
      ]);
    }
  });
});

describe('a route that does not say who may call it', () => {
  it('keeps the server from starting', async () => {
    const authenticator = new Authenticator({
      secret: 'x'.repeat(32),
      postgres: database.postgres,
      clock: systemClock,
      issuers: async () => [],
      allowInternalIssuers: false,
    });
    const http = await createHttp({
      gate: null,
      logger: pino({ level: 'silent' }),
      metrics: createMetrics(),
      telemetry: silentTelemetry,
      trustedProxies: testConfig().trustedProxies,
      corsOrigins: [],
      guard: { authenticator, platformSecret: null, scopeOfEvent: async () => null },
    });
    expect(() => http.get('/api/forgotten', async () => ({}))).toThrow(
      'GET /api/forgotten does not say who may call it',
    );
    await http.close();
  });
});

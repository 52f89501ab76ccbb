import { readFileSync } from 'node:fs';
import { useDemoDatabase } from '@voelgoed/testkit/demos';
import { eventually } from '@voelgoed/testkit/eventually';
import { useNode } from '@voelgoed/testkit/servers';
import { type TSchema, Type } from 'typebox';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { LONG_ROUTES } from '#routes';
import * as wire from '#wire';
import { createClient } from './client.ts';

/** The client against the server's own list of routes: none can be forgotten or misdescribed. */
const database = useDemoDatabase();
const node = useNode(database, {
  DEMO: '1',
  PLATFORM_SECRET: 'a platform secret for the list of routes',
});

/** Pages for people, which no program asks for. */
const PAGES = /^\/\*$|^\/docs|^\/demo\/pay\/|^\*$/;

function serverRoutes(): string[] {
  return node()
    .http.routeTable.filter(({ method, url }) => method !== 'HEAD' && !PAGES.test(url))
    .map(({ method, url }) => `${method} ${url}`)
    .sort();
}

type Described = { answer: string; body?: string; query?: string };

/** What the interface says about each route, as it is written. */
function clientRoutes(): Map<string, Described> {
  const file = new URL('../routes/routes.ts', import.meta.url);
  const source = ts.createSourceFile('r.ts', readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022);
  const found = source.statements.find(
    (node): node is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(node) && node.name.text === 'Routes',
  );
  const entries = found?.members.map((member) => {
    if (!ts.isPropertySignature(member) || !member.type || !ts.isTypeLiteralNode(member.type)) {
      throw new Error('every route is described by an object');
    }
    const parts = member.type.members.map((part) => {
      const [name = '', type = ''] = part
        .getText(source)
        .replace(/;$/, '')
        .split(/: (.*)/s);
      return [name, type];
    });
    return [member.name.getText(source).slice(1, -1), Object.fromEntries(parts)] as const;
  });
  return new Map(entries as [string, Described][]);
}

/** Everything a client can be asked, found by looking at it. */
function methodsOf(client: object): [name: string, method: (...args: unknown[]) => unknown][] {
  return Object.entries(client).flatMap(([group, methods]) =>
    typeof methods !== 'object' || group === 'clock'
      ? []
      : Object.entries(methods as object).map(
          ([name, method]) =>
            [`${group}.${name}`, method] as [string, (...args: unknown[]) => unknown],
        ),
  );
}

describe('the client', () => {
  it('describes every route of the server, and no other', () => {
    expect([...clientRoutes().keys()].sort()).toEqual(serverRoutes());
  });

  it('has a method for each, and each method asks the route it belongs to', async () => {
    const asked = new Set<string>();
    const client = createClient({
      address: 'http://server',
      host: {
        fetch: async (url, { method }) => {
          asked.add(`${method} ${new URL(url).pathname}`);
          const error = { error: 'not_found', message: '', details: {}, request_id: 'x' };
          return Response.json(error, { status: 404 });
        },
      },
    });
    for (const [name, method] of methodsOf(client)) {
      const before = asked.size;
      if (name.endsWith('.follow')) {
        method('x', () => {});
        await eventually(() => asked.size > before);
      } else await expect(method('x', 'x', 'x', 'x')).rejects.toMatchObject({ code: 'not_found' });
      const isShared = name === 'holds.preview';
      expect([name, asked.size]).toEqual([name, isShared ? before : before + 1]);
    }
    const expected = serverRoutes().map((route) => route.replace(/:\w+/g, 'x'));
    expect([...asked].sort()).toEqual([...new Set(expected)].sort());
  });

  it('waits longer for those routes that the server gives more time', () => {
    const long = node().http.routeTable.filter(({ long, method }) => long && method !== 'HEAD');
    const routes = long.map(({ method, url }) => `${method} ${url}`);
    expect([...LONG_ROUTES].sort()).toEqual(routes.sort());
  });
});

type Operation = {
  requestBody?: { content: Record<string, { schema: unknown }> };
  parameters?: { in: string; name: string; required: boolean; schema: unknown }[];
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>;
};

/** Texts and documents whose shape is not in the OpenAPI file, because the server streams them. */
const BY_HAND = new RegExp(
  '^(?:string|Record<string, unknown>|' +
    'shape\\.(?:Drawing|Layout(?:Config|Draft)|DraftedLayout|ReadLayout))',
);
const OWN: Record<string, TSchema> = {
  '{ issuer_id: string }': Type.Object({ issuer_id: wire.Id }),
  '{ webhook_id: string }': Type.Object({ webhook_id: wire.Id }),
  "shape.Health['data']": wire.Health.properties.data,
};

/** The schema that a type in the list stands for. */
function schemaOf(type: string): TSchema {
  const own = OWN[type];
  if (own) return own;
  const [, page = '', plainName = '', list] =
    /^(?:shape\.Page<shape\.(\w+), shape\.\w+>|shape\.(\w+)(\[\])?)$/.exec(type) ?? [];
  const name = page || plainName;
  const found = (wire as unknown as Record<string, TSchema>)[name];
  if (!found) throw new Error(`no schema is called ${type}`);
  return list || page ? Type.Array(found) : found;
}

/** What matters to a client, as the OpenAPI file writes it; descriptions do not. */
function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (name, value) => {
    if ((name === 'description' && typeof value === 'string') || name === '$id') return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const { const: only, patternProperties: named, ...rest } = value;
    return {
      ...rest,
      ...(typeof only === 'string' ? { enum: [only] } : {}),
      ...(named?.['^.*$'] ? { additionalProperties: named['^.*$'] } : {}),
    };
  });
}

function operationOf(route: string): Operation | undefined {
  const [method = '', path = ''] = route.split(' ');
  const { paths } = node().http.swagger() as unknown as {
    paths: Record<string, Record<string, Operation>>;
  };
  return paths[path.replaceAll(/:([a-z_]+)/g, '{$1}')]?.[method.toLowerCase()];
}

const jsonOf = (content: Record<string, { schema: unknown }> | undefined) =>
  content?.['application/json']?.schema as
    | { properties: { data: unknown; next?: unknown } }
    | undefined;

describe('the types of the client', () => {
  it('are those of the schemas that the server answers with', () => {
    let compared = 0;
    for (const [route, { answer }] of clientRoutes()) {
      const operation = operationOf(route);
      if (!operation || BY_HAND.test(answer)) continue;
      const shown = ['200', '201', '202'].flatMap((status) => {
        const schema = jsonOf(operation.responses[status]?.content);
        return schema ? [plain(schema.properties.data)] : [];
      });
      const typed = answer.split(' | ').map((type) => plain(schemaOf(type)));
      const distinct = (list: unknown[]) => [...new Set(list.map((one) => JSON.stringify(one)))];
      expect([route, distinct(shown)]).toEqual([route, distinct(typed)]);
      const [, next] = /^shape\.Page<.*, (shape\.\w+)>$/.exec(answer) ?? [];
      const goesOn = jsonOf(operation.responses['200']?.content)?.properties.next;
      expect([route, goesOn && plain(goesOn)]).toEqual([route, next && plain(schemaOf(next))]);
      compared++;
    }
    expect(compared).toBeGreaterThan(80);
  });

  it('are those of the schemas that the server takes', () => {
    for (const [route, { body, query }] of clientRoutes()) {
      const operation = operationOf(route);
      if (!operation) continue;
      const taken = operation.requestBody && plain(jsonOf(operation.requestBody.content));
      if (!body || !BY_HAND.test(body)) {
        expect([route, taken]).toEqual([route, body && plain(schemaOf(body))]);
      }
      const parameters = (operation.parameters ?? []).filter((one) => one.in === 'query');
      const shown = parameters.map(({ name, required }) => [name, required]).sort();
      expect([route, shown]).toEqual([route, query ? fieldsOf(query) : []]);
    }
  });
});

function fieldsOf(query: string): [name: string, required: boolean][] {
  const literal = [...query.matchAll(/(\w+)\?: /g)].map(([, name = '']) => [name, false]);
  if (query.startsWith('{')) return literal.sort() as [string, boolean][];
  const { properties, required = [] } = schemaOf(query) as unknown as {
    properties: object;
    required?: string[];
  };
  return Object.keys(properties)
    .map((name): [string, boolean] => [name, required.includes(name)])
    .sort();
}

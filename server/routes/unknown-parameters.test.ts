import { anEngine, anOrganization, aPublishedEvent, newId } from '@voelgoed/testkit/builders';
import { useDemoDatabase } from '@voelgoed/testkit/demos';
import { call, tokenFor, useNode } from '@voelgoed/testkit/servers';
import { describe, expect, it } from 'vitest';
import { validatorCompiler } from '#http';

/**
 * Every route with a parameter that it does not know. The list comes from the server itself, so a
 * new route is tried without anybody having to think of it.
 */
const PLATFORM_SECRET = 'the platform secret of unknown parameters';
const database = useDemoDatabase();
const node = useNode(database, { DEMO: '1', PLATFORM_SECRET });

const PROBLEM = { path: 'querystring', message: 'has an unknown field "unkown"' };

const routes = () => node().http.routeTable.filter(({ anyQuery }) => !anyQuery);

type Operation = { responses: Record<string, { description: string }> };

describe('a parameter that a route does not know', () => {
  it('is passed over by these routes alone', () => {
    const open = node().http.routeTable.filter(({ anyQuery }) => anyQuery);
    const urls = new Set(open.map(({ url }) => url.replace(/^\/docs.*/, '/docs')));
    // Pages, whose links carry utm_ and the like, and what programs of others ask by themselves:
    // a probe that is refused takes a good node out, and a payment message that is, loses money.
    expect([...urls].sort()).toEqual([
      '/*',
      '/demo/pay/:attempt_id',
      '/docs',
      '/health/live',
      '/health/ready',
      '/metrics',
      '/webhooks/payments/:provider',
    ]);
  });

  it('is refused by the schema of every other route', () => {
    expect(routes().length).toBeGreaterThan(150);
    for (const { method, url, schema } of routes()) {
      const judge = validatorCompiler({
        method,
        url,
        httpPart: 'querystring',
        schema: Object(schema?.querystring),
      });
      judge({ unkown: '1' });
      const found = judge.errors?.map(({ params }) => params.additionalProperty) ?? [];
      expect([method, url, found.includes('unkown')]).toEqual([method, url, true]);
    }
  });

  it('is 400 and named, on every route that needs no body', async () => {
    const scope = await anOrganization(database.postgres);
    const { eventId } = await aPublishedEvent(anEngine(database.postgres), scope);
    let tried = 0;
    for (const { method, url, schema, access } of routes()) {
      if (method === 'HEAD' || schema?.body) continue;
      const path = url.replace(':event_id', eventId).replace(/:[a-z_]+/g, () => newId());
      const token = access.kind === 'platform' ? PLATFORM_SECRET : tokenFor(scope.organizationId);
      const route = `${method} ${path}?unkown=1`;
      const reply = await call(node().address, route, { token });
      expect([route, reply.status, reply.body.error]).toEqual([route, 400, 'invalid_request']);
      const { problems } = reply.body.details as { problems: object[] };
      expect([route, problems]).toEqual([route, expect.arrayContaining([PROBLEM])]);
      tried++;
    }
    expect(tried).toBeGreaterThan(60);
  });

  it('is 400 beside a body, also one that is judged elsewhere', async () => {
    const { organizationId } = await anOrganization(database.postgres);
    const token = tokenFor(organizationId);
    for (const path of ['venues', 'layouts', 'layouts/generate', 'layouts/import?format=pretix']) {
      const route = `POST /api/admin/${path}${path.includes('?') ? '&' : '?'}unkown=1`;
      const body = { slug: 'hall', name: 'Hall' };
      const reply = await call(node().address, route, { token, body });
      expect([route, reply.status]).toEqual([route, 400]);
      expect(reply.body.details).toEqual({ problems: [PROBLEM] });
    }
  });

  it('is among the documented refusals of every route', async () => {
    const { body } = await call(node().address, 'GET /openapi.json');
    const paths = body.paths as Record<string, Record<string, Operation>>;
    for (const { method, url, schema } of routes()) {
      if (method === 'HEAD' || (schema as { hide?: boolean } | undefined)?.hide) continue;
      const path = url.replaceAll(/:([a-z_]+)/g, '{$1}');
      const codes = paths[path]?.[method.toLowerCase()]?.responses['400']?.description ?? '';
      expect([method, url, codes.split(', ').includes('invalid_request')]).toEqual([
        method,
        url,
        true,
      ]);
    }
  });

  it('is no reason to refuse a probe or a page', async () => {
    for (const path of ['/health/live', '/metrics', '/docs/']) {
      const reply = await fetch(`${node().address}${path}?cache=1`);
      await reply.text();
      expect([path, reply.status]).toEqual([path, 200]);
    }
  });
});

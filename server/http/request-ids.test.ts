import { systemClock } from '@voelgoed/engine/kit';
import { scopeOf } from '@voelgoed/engine/scope';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { newId } from '@voelgoed/testkit/builders';
import { pino } from 'pino';
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { createMetrics } from '#metrics';
import type { Authenticator } from '#tokens';
import { createHttp } from './http.ts';
import { requestIds } from './request-ids.ts';

const asked = { method: 'POST', url: '/', params: {}, body: null, principal: null };

it('a request that failed by a bug is logged with its organization and its event', async () => {
  const [organizationId, eventId] = [newId(), newId()];
  const lines: string[] = [];
  const http = await createHttp({
    gate: null,
    logger: pino({ level: 'warn' }, { write: (line) => void lines.push(line) }),
    metrics: createMetrics(),
    telemetry: silentTelemetry,
    trustedProxies: [],
    corsOrigins: [],
    deadline_ms: systemClock.monotonic() + 60_000,
    guard: {
      authenticator: { remembered: () => undefined } as unknown as Authenticator,
      platformSecret: null,
      scopeOfEvent: async () => scopeOf(organizationId),
    },
  });
  const config = { access: { kind: 'event' } } as const;
  const querystring = Type.Object({ token: Type.String() });
  const schema = { tags: ['x'], summary: 'x', querystring };
  http.get('/api/events/:event_id', { config, schema }, () => {
    throw new TypeError('a bug');
  });
  const address = await http.listen({ host: '127.0.0.1', port: 0 });
  const reply = await fetch(`${address}/api/events/${eventId}?token=secret`);
  expect(reply.status).toBe(500);
  await http.close();
  expect(lines).toHaveLength(1);
  const request = `GET /api/events/${eventId}`;
  const ids = { organization_id: organizationId, event_id: eventId, request };
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 50, ids });
  expect(lines[0]).not.toContain('secret');
});

it('the event is in the path of staff routes and in the body of a checkout', () => {
  const staff = { ...asked, params: { id: 'E' }, routeOptions: { url: '/api/admin/events/:id/x' } };
  const cart = { ...asked, body: { event_id: 'E' }, routeOptions: { url: '/api/checkouts' } };
  const hold = { ...asked, params: { id: 'h' }, routeOptions: { url: '/api/holds/:id' } };
  expect([staff, cart, hold].map((one) => requestIds(one).event_id)).toEqual(['e', 'e', null]);
});

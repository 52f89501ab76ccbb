import { systemClock } from '@voelgoed/engine/kit';
import { anOrganization } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { call, tokenFor, useNode } from '@voelgoed/testkit/servers';
import Fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { limitTime } from './deadline.ts';
import { outbox, sendTogether } from './outbox.ts';

const database = useDatabase();
const node = useNode(database);

describe('the deadline', { timeout: 30_000 }, () => {
  it('ends a change that waits too long, and then nothing was changed', async () => {
    const scope = await anOrganization(database.postgres);
    const token = tokenFor(scope.organizationId);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
    // Somebody keeps the organization locked for longer than a request may take.
    const locking = database.open().writers.use(async (connection) => {
      const text = 'select from organizations for update';
      await connection.begin(scope.organizationId, [
        {
          name: '',
          text: `set local idle_in_transaction_session_timeout = 0`,
          values: [],
          long: false,
        },
        { name: '', text, values: [], long: false },
      ]);
      isLocked();
      await held;
    });
    await locked;
    const started = systemClock.monotonic();
    const body = { subject: 'late', role: 'viewer' };
    const reply = await call(node().address, 'POST /api/admin/members', { token, body });
    expect(systemClock.monotonic() - started).toBeLessThan(4_000);
    expect(reply.status).toBe(503);
    release();
    await locking;
    const { list } = await call(node().address, 'GET /api/admin/members', { token });
    expect(list).toEqual([]);
  });
});

/** A handler that is done in the very turn of the loop in which the deadline ends. */
async function answersAtTheDeadline(defer: (http: FastifyInstance) => void): Promise<number[]> {
  const DEADLINE_MS = 40;
  const http = Fastify();
  limitTime(http, DEADLINE_MS);
  defer(http);
  http.get<{ Querystring: { step: string } }>('/', async (request) => {
    const late_ms = DEADLINE_MS - 4 + Number(request.query.step);
    await systemClock.sleep(late_ms);
    // The loop stands still until both timers are due.
    for (const until = systemClock.monotonic() + 2; systemClock.monotonic() < until; );
    return { ok: true };
  });
  const address = await http.listen({ port: 0 });
  const statuses: number[] = [];
  for (let round = 0; round < 10; round++) {
    const replies = Array.from({ length: 20 }, (_, step) => fetch(`${address}/?step=${step / 4}`));
    for (const reply of await Promise.all(replies)) {
      const body = (await reply.json()) as { ok?: true; error?: string };
      // One response and not parts of two.
      expect([200, 503]).toContain(reply.status);
      expect(body).toMatchObject(reply.status === 200 ? { ok: true } : { error: 'unavailable' });
      statuses.push(reply.status);
    }
  }
  await http.close();
  return statuses;
}

describe('a response in the moment of the deadline', () => {
  it('is one, whole, and ends nothing', async () => {
    const together = outbox();
    const statuses = await answersAtTheDeadline((http) => sendTogether(http, together));
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });
});

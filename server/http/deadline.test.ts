import { systemClock } from '@voelgoed/engine/kit';
import { anOrganization } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { call, tokenFor, useNode } from '@voelgoed/testkit/servers';
import { describe, expect, it } from 'vitest';

const database = useDatabase();
const node = useNode(database);

describe('the deadline', { timeout: 30_000 }, () => {
  it('ends a change that waits too long, and then nothing was changed', async () => {
    const scope = await anOrganization(database.postgres);
    const token = tokenFor(scope.organizationId);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
    // Somebody keeps the organization locked for longer than a request may take.
    const locking = database.open().reads.use(async (connection) => {
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

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@voelgoed/engine/kit';
import { anEngine, anOrganization, aPublishedEvent } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { useReceivers } from '@voelgoed/testkit/receivers';
import { call, tokenFor } from '@voelgoed/testkit/servers';
import { testServices } from '@voelgoed/testkit/services';
import { afterAll, describe, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./node-program.ts', import.meta.url));
const database = useDatabase();
const receivers = useReceivers();
const children: ChildProcess[] = [];

afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
});

/** A node as a process of its own, which can be killed. */
async function aNode(): Promise<{ child: ChildProcess; address: string }> {
  const settings = { LOG_LEVEL: 'silent', DEMO: '0', ALLOW_INTERNAL_ADDRESSES: '1' };
  const child = fork(PROGRAM, { execArgv: [], env: { PATH: process.env.PATH, ...settings } });
  children.push(child);
  const { authSecret } = testServices();
  child.send({ ownerUrl: database.ownerUrl, authSecret, redisUrl: null });
  const [answer] = (await once(child, 'message')) as [{ address?: string; problem?: string }];
  if (!answer.address) throw new Error(answer.problem);
  return { child, address: answer.address };
}

describe('kill -9 of the node that sends', () => {
  it('before the answer: it is sent again with the same id, and none is lost', async () => {
    const receiver = await receivers();
    const engine = anEngine(database.postgres);
    const scope = await anOrganization(database.postgres);
    const { eventId } = await aPublishedEvent(engine, scope);
    const board = await engine.registry.board({ scope, eventId });
    const token = tokenFor(scope.organizationId);
    const first = await aNode();
    const gone = once(first.child, 'exit');
    receiver.answer(() => {
      first.child.kill('SIGKILL');
      return undefined;
    });
    const url = receiver.url;
    await call(first.address, 'POST /api/admin/webhooks', { token, body: { url } });
    const items = [0, 4, 8].map((seat) => ({ seat_id: board?.plan.seatIdOf(seat) }));
    const route = `POST /api/events/${eventId}/holds`;
    const holds = [];
    for (const item of items) {
      const body = { items: [item], allow_orphan: true };
      // The node may die at any of them: what was answered must be told.
      const held = await call(first.address, route, { token, body }).catch(() => null);
      if (held?.status === 201) holds.push(held);
    }
    await gone;
    expect(holds.length).toBeGreaterThan(0);
    const killed_ms = systemClock.monotonic();
    const [interrupted] = receiver.ids();
    receiver.answer(() => 200);
    const second = await aNode();
    const rows = await eventually(
      async () => {
        const delivered = await database.asSuperuser(
          `select revision from webhook_deliveries where status = 'delivered' order by sequence`,
        );
        const [log] = await database.asSuperuser(
          `select count(*)::int as rows from seat_changes where changes::text like '%"held"%'`,
        );
        return delivered.length === log?.rows ? delivered : undefined;
      },
      { within_ms: 25_000 },
    );
    console.log(`told again after ${Math.round(systemClock.monotonic() - killed_ms)} ms`);
    expect(rows.length).toBeGreaterThanOrEqual(holds.length);
    expect(receiver.ids().slice(0, 2)).toEqual([interrupted, interrupted]);
    const revisions = receiver.received.slice(1).map(({ message }) => message.revision);
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
    second.child.kill('SIGTERM');
    await once(second.child, 'exit');
  }, 60_000);
});

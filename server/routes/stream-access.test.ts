import { systemClock } from '@voelgoed/engine/kit';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, tokenFor } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

/** A credential that is no longer good ends its open streams within the time that docs promise. */
const PROMISED_MS = 5_000;
const { ask, node, scope, show } = useShows();

type OpenStream = Readonly<{ isOver(): boolean; close(): Promise<void> }>;

async function openStream(path: string, token: string): Promise<OpenStream> {
  const reply = await fetch(`${node().address}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(reply.status).toBe(200);
  const reader = reply.body?.getReader();
  let isOver = false;
  const drained = (async () => {
    while (reader && !(await reader.read()).done);
    isOver = true;
  })();
  drained.catch(() => {
    isOver = true;
  });
  return { isOver: () => isOver, close: async () => void (await reader?.cancel()) };
}

/** How long it goes on once its credential has been taken away. */
async function lasts(stream: OpenStream, since_ms: number): Promise<number> {
  await eventually(() => stream.isOver(), { within_ms: 2 * PROMISED_MS });
  return systemClock.monotonic() - since_ms;
}

const staffStream = (eventId: string) => `/api/admin/events/${eventId}/stream`;

describe('an open stream of staff', () => {
  it('ends within 5 s when the member is removed; those of others go on', async () => {
    const { eventId } = await show();
    const { organizationId } = scope();
    const member = { subject: 'clerk', role: 'staff' };
    const added = await ask('POST /api/admin/members', { body: member });
    expect(added.status).toBe(201);
    const token = tokenFor(organizationId, { subject: 'clerk', role: 'staff' });
    const [own, owners] = await Promise.all([
      openStream(staffStream(eventId), token),
      openStream(staffStream(eventId), tokenFor(organizationId)),
    ]);
    const removed = await ask(`DELETE /api/admin/members/${added.data.user_id}`);
    expect(removed.status).toBeLessThan(300);
    expect(await lasts(own, systemClock.monotonic())).toBeLessThan(PROMISED_MS);
    expect(owners.isOver()).toBe(false);
    await owners.close();
    expect((await call(node().address, `GET ${staffStream(eventId)}`, { token })).status).toBe(403);
  }, 20_000);

  it('ends within 5 s of the end of its token', async () => {
    const { eventId } = await show();
    const token = tokenFor(scope().organizationId, { seconds: 3 });
    const end_ms = (Math.floor(systemClock.now() / 1_000) + 3) * 1_000;
    const stream = await openStream(staffStream(eventId), token);
    await eventually(() => stream.isOver(), { within_ms: 3_000 + 2 * PROMISED_MS });
    expect(systemClock.now() - end_ms).toBeLessThan(PROMISED_MS);
    // Requests are still answered, for clocks differ; a stream is not opened again.
    const me = await call(node().address, 'GET /api/me', { token });
    expect(me.status).toBe(200);
    const again = await call(node().address, `GET ${staffStream(eventId)}`, { token });
    expect([again.status, again.body.error]).toEqual([401, 'unauthorized']);
  }, 20_000);

  it('ends within 5 s when its API key is revoked', async () => {
    const { eventId } = await show();
    const body = { name: 'screen', scopes: ['holds:read'] };
    const made = await ask('POST /api/admin/api-keys', { body });
    expect(made.status).toBe(201);
    const { key_id } = made.data;
    const stream = await openStream(staffStream(eventId), String(made.data.key));
    expect((await ask(`DELETE /api/admin/api-keys/${key_id}`)).status).toBeLessThan(300);
    expect(await lasts(stream, systemClock.monotonic())).toBeLessThan(PROMISED_MS);
  }, 20_000);
});

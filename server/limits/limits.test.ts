import { scopesOf } from '@voelgoed/engine/accounts';
import { manualClock, networksOf, systemClock } from '@voelgoed/engine/kit';
import { DEFAULT_POLICY } from '@voelgoed/engine/policies';
import { Circuit, RedisConnection, SharedBuckets } from '@voelgoed/engine/redis';
import { scopeOf } from '@voelgoed/engine/scope';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import type { Caller } from '@voelgoed/engine/workflows';
import { newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { useRedis } from '@voelgoed/testkit/redises';
import { afterEach, describe, expect, it } from 'vitest';
import { createLimits } from './limits.ts';

/** Ten seats in five minutes, as the policy has it. */
const POLICY = { ...DEFAULT_POLICY, hold_rate_seats: 10, hold_rate_minutes: 5 };
const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

function aBuyer(role: 'customer' | 'staff' = 'customer'): Caller {
  return {
    scope: scopeOf(newId()),
    actor: { kind: 'user', id: newId(), role },
    role,
    scopes: scopesOf(role),
    ip: null,
    userAgent: null,
    idempotency: null,
  };
}

async function aNode(url: string | null) {
  const clock = manualClock();
  const numbers = { guestSessionsPerHour: 3, checkoutIntervalSeconds: 5 };
  const settings = { clock, ...numbers, secret: 'a secret of tests' };
  if (url === null) return { clock, limits: createLimits({ ...settings, shared: null }) };
  const tools = { clock: systemClock, telemetry: silentTelemetry };
  const connection = new RedisConnection({ url, ...tools });
  undo.push(() => connection.close());
  await connection.connect();
  const circuit = new Circuit({ ...tools, probe_ms: 600_000, probe: () => connection.isUp() });
  undo.push(() => circuit.stop());
  const shared = new SharedBuckets(connection, circuit);
  return { clock, circuit, limits: createLimits({ ...settings, shared }) };
}

/** As many seats as this node gives, one after the other. */
async function allOf(node: Awaited<ReturnType<typeof aNode>>, caller: Caller): Promise<number> {
  const limit = node.limits.holds(caller, POLICY);
  for (let taken = 0; ; taken++) {
    if (!(await limit?.take(1))?.ok) return taken;
  }
}

describe('limits', () => {
  const redis = useRedis();

  it('are the same on all nodes, and what was refused comes back on all', async () => {
    const [one, other] = [await aNode(redis().url), await aNode(redis().url)];
    const buyer = aBuyer();
    const limit = one.limits.holds(buyer, POLICY);
    expect(await limit?.take(7)).toMatchObject({ ok: true, remaining: 3 });
    const elsewhere = other.limits.holds(buyer, POLICY);
    expect(await elsewhere?.take(4)).toMatchObject({ ok: false, remaining: 3 });
    expect(limit?.giveBack(2)).toBe(5);
    await eventually(async () => (await elsewhere?.take(4))?.ok);
    expect((await other.limits.holds(aBuyer(), POLICY)?.take(10))?.ok).toBe(true);
  });

  it('of checkouts are one in five seconds, for a user and an event, on all nodes', async () => {
    const [one, other] = [await aNode(redis().url), await aNode(redis().url)];
    const [ann, bob, staff] = [aBuyer(), aBuyer(), aBuyer('staff')];
    const [event, another] = [newId(), newId()];
    const start = (node: typeof one, caller: Caller, eventId = event) =>
      node.limits.checkouts(caller, eventId)?.take(1);
    expect(await start(one, ann)).toMatchObject({ ok: true, remaining: 0 });
    expect(await start(other, ann)).toMatchObject({ ok: false, retry_after_s: 5 });
    expect(await start(one, ann)).toMatchObject({ ok: false });
    expect(await start(one, ann, another)).toMatchObject({ ok: true });
    expect(await start(one, bob)).toMatchObject({ ok: true });
    for (let count = 0; count < 100; count++) {
      expect(await start(one, staff)).toMatchObject({ ok: true });
    }
    // What was no new checkout is given back, on all nodes.
    one.limits.checkouts(ann, event)?.giveBack(1);
    await eventually(async () => (await start(other, ann))?.ok);
  });

  it('of checkouts count where there is no Redis, and come back with time', async () => {
    const { clock, limits } = await aNode(null);
    const [ann, event] = [aBuyer(), newId()];
    const start = () => limits.checkouts(ann, event)?.take(1);
    expect(await start()).toMatchObject({ ok: true });
    clock.advance(4_999);
    expect(await start()).toMatchObject({ ok: false, retry_after_s: 1 });
    clock.advance(1);
    expect(await start()).toMatchObject({ ok: true });
  });

  it('of guests count an address on all nodes, and do not say which', async () => {
    const [one, other] = [await aNode(redis().url), await aNode(redis().url)];
    const organizationId = newId();
    const open = async (node: typeof one) =>
      (await node.limits.session(organizationId, networksOf('203.0.113.7')).take(1)).ok;
    const opened = [await open(one), await open(other), await open(one), await open(other)];
    expect(opened).toEqual([true, true, true, false]);
    const keys = (await redis().command('keys', `*${organizationId}*`)) as string[];
    expect(keys).toHaveLength(1);
    expect(keys.join()).not.toContain('203.0.113.7');
  });

  it('of refusals stop somebody who is refused on many nodes', async () => {
    const [one, other] = [await aNode(redis().url), await aNode(redis().url)];
    const buyer = aBuyer();
    for (let count = 0; count < 61; count++) {
      for (const node of [one, other]) {
        const limit = node.limits.refusals(buyer);
        if (limit.take().ok) limit.tell();
      }
    }
    await eventually(() => !other.limits.refusals(buyer).take().ok);
  });

  it('fill half as fast when Redis cannot be asked, for buyers', async () => {
    const { clock, circuit, limits } = await aNode(redis().url);
    const node = { clock, limits };
    const [buyer, staff] = [aBuyer(), aBuyer('staff')];
    await redis().kill('SIGKILL');
    for (let count = 0; count < 10; count++) await limits.holds(aBuyer(), POLICY)?.take(1);
    expect(circuit?.state).toBe('open');
    expect(await allOf(node, buyer)).toBe(10);
    expect(await allOf(node, staff)).toBe(1_000);
    clock.advance(150_000);
    expect(await allOf(node, buyer)).toBe(2);
    expect(await allOf(node, staff)).toBe(500);
    await redis().restart();
  });

  it('fill as always where there is no Redis', async () => {
    const node = await aNode(null);
    const buyer = aBuyer();
    expect(await allOf(node, buyer)).toBe(10);
    node.clock.advance(150_000);
    expect(await allOf(node, buyer)).toBe(5);
  });
});

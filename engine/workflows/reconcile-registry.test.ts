import { anEngine, anOrganization, aPublishedEvent } from '@voelgoed/testkit/builders';
import { useRedis } from '@voelgoed/testkit/redises';
import { useSales, useWarmNodes } from '@voelgoed/testkit/sales';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#kit';
import type { EventRef } from '#registry';
import type { WarmTier } from '#warm';
import { reconcileRegistry } from './workflows.ts';

describe('reconciling all events of an organization', () => {
  const redis = useRedis();
  const sales = useSales();
  const node = useWarmNodes(sales, () => redis().url);
  const { database } = sales;

  async function aNode() {
    const { registry, tier: warm } = await node();
    return { ...anEngine(database.postgres), registry, warm };
  }

  /** Two events of one organization; the second one is the younger. */
  async function twoEvents(): Promise<[EventRef, EventRef]> {
    const engine = anEngine(database.postgres);
    const scope = await anOrganization(database.postgres);
    const one = await aPublishedEvent(engine, scope);
    const other = await aPublishedEvent(engine, scope);
    return [
      { scope, eventId: one.eventId },
      { scope, eventId: other.eventId },
    ];
  }

  const policyOf = ({ scope, eventId }: EventRef, policy: string) =>
    database.asSuperuser(
      `insert into event_configs (organization_id, event_id, policy) values ($1, $2, $3)
       on conflict (organization_id, event_id) do update set policy = excluded.policy`,
      [scope.organizationId, eventId, policy],
    );

  it('goes on after one whose board cannot be loaded, and says why', async () => {
    const [one, other] = await twoEvents();
    const { scope } = one;
    const engine = await aNode();
    await policyOf(other, '"nonsense"');
    const outcome = await reconcileRegistry(engine, { scope }, null);
    expect(outcome).toMatchObject({
      kind: 'reconciled',
      done: { events: 1, failed: 1, reason: expect.stringContaining('policy') },
    });
    // Alone it has an answer of its own.
    await expect(reconcileRegistry(engine, { scope }, other.eventId)).rejects.toThrow('policy');
  });

  it('takes Redis for down only when it is, and not for a fault of one event', async () => {
    const [one, other] = await twoEvents();
    const engine = await aNode();
    const { warm } = engine;
    const reconciled: string[] = [];
    const faulty = Object.create(warm, {
      circuit: { value: warm.circuit },
      mark: { value: () => {} },
      reconcile: {
        value: async (event: EventRef) => {
          if (event.eventId === other.eventId) throw new Error('a fault of this event');
          reconciled.push(event.eventId);
          return warm.reconcile(event);
        },
      },
    }) as WarmTier;
    const outcome = await reconcileRegistry({ ...engine, warm: faulty }, one, null);
    expect(outcome).toMatchObject({
      kind: 'reconciled',
      done: { events: 2, failed: 1, reason: 'a fault of this event' },
    });
    // The youngest comes first: those after it were reconciled all the same.
    expect(reconciled).toEqual([one.eventId]);
    const alone = await reconcileRegistry({ ...engine, warm: faulty }, one, other.eventId);
    expect(alone).toMatchObject({ kind: 'redis_unavailable', done: { failed: 0 } });
  });

  it('stops in time, or when nobody waits any more, and says where to go on', async () => {
    const [one, other] = await twoEvents();
    const { scope } = one;
    const engine = await aNode();
    for (const over of [
      { deadline_ms: systemClock.monotonic() + 1_000 },
      { signal: { aborted: true } },
    ]) {
      const caller = { scope, ...over };
      const first = await reconcileRegistry(engine, caller, null);
      const next = { after: other.eventId };
      expect(first).toMatchObject({ kind: 'reconciled', done: { events: 1, next } });
      const second = await reconcileRegistry(engine, caller, null, next.after);
      expect(second).toMatchObject({ kind: 'reconciled', done: { events: 1 } });
      expect(second).not.toHaveProperty('done.next');
    }
    const whole = await reconcileRegistry(engine, { scope }, null);
    expect(whole).toMatchObject({ kind: 'reconciled', done: { events: 2, failed: 0 } });
    expect(whole).not.toHaveProperty('done.next');
  });
});

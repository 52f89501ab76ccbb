import { aHall, anActiveLayout, anEngine, anOrganization } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '#policies';
import type { Scope } from '#scope';
import { recordingTelemetry } from '#telemetry';
import { LayoutCache } from './layout-cache.ts';
import { Workshop } from './workshop.ts';

const workshop = new Workshop();
afterAll(() => workshop.close());

const hall = JSON.stringify(aHall());
const task = { kind: 'read', text: hall, policy: DEFAULT_POLICY, previous: [] } as const;

describe('the workshop', () => {
  it('answers several at once, each with its own', async () => {
    const sizes = [1, 2, 3, 4, 5];
    const answers = await Promise.all(
      sizes.map((rows) => workshop.do({ ...task, text: JSON.stringify(aHall({ rows })) })),
    );
    expect(answers.map((one) => (one.kind === 'layout' ? one.seat_count : 0))).toEqual(
      sizes.map((rows) => rows * 10),
    );
  });

  it('judges any text without dying', async () => {
    for (const text of ['', 'null', '[]', '"', '{"zones":'.repeat(9), '['.repeat(100_000)]) {
      expect((await workshop.do({ ...task, text })).kind).toBe('invalid');
    }
    expect((await workshop.do(task)).kind).toBe('layout');
  });

  it('tells everybody when its thread dies, and starts another', async () => {
    const waiting = workshop.do(task);
    await workshop.close();
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    expect((await workshop.do(task)).kind).toBe('layout');
  });
});

describe('the layout cache', () => {
  const database = useDatabase();
  let scope: Scope;
  let version: { layout_id: string; version: number; status: string };

  beforeAll(async () => {
    const engine = anEngine(database.postgres);
    scope = await anOrganization(database.postgres);
    version = await anActiveLayout(engine, scope);
  });

  const reads = (telemetry: ReturnType<typeof recordingTelemetry>) =>
    telemetry.happenings.filter(
      (one) => one.kind === 'postgres.statement' && one.name === 'layouts.config',
    ).length;

  it('asks the database once, however many ask', async () => {
    const telemetry = recordingTelemetry();
    const cache = new LayoutCache(database.open({ telemetry }));
    const configs = await Promise.all([1, 2, 3].map(() => cache.config(scope, version)));
    await cache.config(scope, version);
    expect(reads(telemetry)).toBe(1);
    expect(new Set(configs).size).toBe(1);
    expect(cache.bytes).toBe(configs[0]?.length);
  });

  it('never keeps a draft', async () => {
    const telemetry = recordingTelemetry();
    const cache = new LayoutCache(database.open({ telemetry }));
    await cache.config(scope, { ...version, status: 'draft' });
    await cache.config(scope, { ...version, status: 'draft' });
    expect([reads(telemetry), cache.bytes]).toEqual([2, 0]);
  });

  it('forgets when it is full', async () => {
    const telemetry = recordingTelemetry();
    const cache = new LayoutCache(database.open({ telemetry }), { limit_bytes: 10 });
    await cache.config(scope, version);
    await cache.config(scope, version);
    expect([reads(telemetry), cache.bytes]).toEqual([2, 0]);
  });

  it('has nothing for another organization', async () => {
    const other = await anOrganization(database.postgres);
    const cache = new LayoutCache(database.postgres);
    expect(await cache.config(scope, version)).not.toBeNull();
    expect(await cache.config(other, version)).toBeNull();
  });
});

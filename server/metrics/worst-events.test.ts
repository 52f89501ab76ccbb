import { uuidOf } from '@voelgoed/engine/kit';
import { scopeOf } from '@voelgoed/engine/scope';
import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';
import { type EventFigures, WORST, watchWorstEvents } from './worst-events.ts';

const ORGANIZATION = uuidOf('organization');

const EMPTY = { orphans: 0, vipPlaces: 0, vipTaken: 0, spaces: 0, spacesTaken: 0 };

function anEvent(name: string, counts: Partial<EventFigures['counts']> = {}): EventFigures {
  const event = { scope: scopeOf(ORGANIZATION), eventId: uuidOf(name) };
  const sold = { seats: 1_000, taken: 600 };
  return { event, counts: { ...EMPTY, ...sold, ...counts }, queued: 0, overdue_ms: 0 };
}

/** Values of a series by event and side. */
async function shown(name: string, events: readonly EventFigures[]): Promise<object> {
  const metrics = createMetrics();
  watchWorstEvents(metrics.gaugeBy, () => events);
  const lines = (await metrics.text()).split('\n');
  const of = lines.filter((line) => line.startsWith(`voelgoed_worst_event_${name}{`));
  expect(of.every((line) => line.includes(`organization_id="${ORGANIZATION}"`))).toBe(true);
  const named = of.map((line) => {
    const [, eventId = ''] = /event_id="([^"]+)"/.exec(line) ?? [];
    const [, side = ''] = /side="([^"]+)"/.exec(line) ?? [];
    return [`${eventId} ${side}`.trim(), Number(line.split(' ').at(-1))];
  });
  return Object.fromEntries(named);
}

it('one bad event shows, however many good ones there are', async () => {
  const good = Array.from({ length: 50 }, (_, index) =>
    anEvent(`good ${index}`, { vipPlaces: 100, vipTaken: 75, orphans: 10 }),
  );
  const bad = anEvent('bad', { vipPlaces: 10, vipTaken: 1, orphans: 300 });
  const vip = await shown('vip_utilisation', [...good, bad]);
  expect(vip).toHaveProperty(`${uuidOf('bad')} low`, 0.1);
  const orphans = await shown('orphan_ratio', [...good, bad]);
  expect(orphans).toHaveProperty(uuidOf('bad'), 0.3);
  expect(Object.keys(orphans)).toHaveLength(WORST);
  expect(Object.keys(vip)).toHaveLength(2 * WORST);
});

it('events that do equally badly are the same ones in each scrape, large ones first', async () => {
  const alike = Array.from({ length: 8 }, (_, index) =>
    anEvent(`alike ${index}`, { vipPlaces: 9 }),
  );
  const large = anEvent('large', { vipPlaces: 9, seats: 1_100 });
  const all = [...alike, large];
  const one = await shown('vip_utilisation', all);
  expect(await shown('vip_utilisation', all.reverse())).toEqual(one);
  expect(one).toHaveProperty(`${uuidOf('large')} low`, 0);
});

it('an event whose sale has just begun does not sell too few VIP places', async () => {
  const vip = { vipPlaces: 100, spaces: 10 };
  const begun = anEvent('begun', { ...vip, taken: 120, seats: 1_000 });
  const small = anEvent('small', { ...vip, taken: 90, seats: 100 });
  const without = anEvent('without');
  const all = [begun, small, without];
  expect(await shown('vip_utilisation', all)).toEqual({ [`${uuidOf('begun')} high`]: 0 });
  const spaces = await shown('accessibility_utilisation', all);
  expect(spaces).toEqual({ [`${uuidOf('begun')} high`]: 0 });
  // Half sold, it is judged.
  const later = anEvent('begun', { ...vip, taken: 500, seats: 1_000 });
  expect(await shown('vip_utilisation', [later])).toHaveProperty(`${uuidOf('begun')} low`, 0);
});

it('queues and holds that are over are named where there are any', async () => {
  const busy = { ...anEvent('busy'), queued: 7_000 };
  const late = { ...anEvent('late'), counts: null, overdue_ms: 12_000 };
  const all = [anEvent('quiet'), busy, late];
  expect(await shown('queue_wishes', all)).toEqual({ [uuidOf('busy')]: 7_000 });
  expect(await shown('hold_overdue_seconds', all)).toEqual({ [uuidOf('late')]: 12 });
});

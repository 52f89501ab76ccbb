import { expect, it } from 'vitest';
import { saidAlerts } from './alerts.ts';

const DAY_MS = 24 * 3_600_000;
const began_ms = Date.parse('2027-03-01T10:00:00Z');
const event = { sale_starts_at: '2027-03-01T10:00:00Z', published_at: '2027-02-01T10:00:00Z' };
const alerts = ['orphan_ratio_high', 'vip_utilisation_low', 'accessibility_unused'];

it('says nothing about what is hardly used before a day of sale, nor before the first sale', () => {
  const said = (sold: number, now_ms: number, about: typeof event | null = event) =>
    saidAlerts(alerts, { sold, event: about, now_ms });
  expect(said(1, began_ms + DAY_MS)).toEqual(alerts);
  expect(said(1, began_ms + DAY_MS - 1)).toEqual(['orphan_ratio_high']);
  expect(said(0, began_ms + 9 * DAY_MS)).toEqual(['orphan_ratio_high']);
  expect(said(1, began_ms - DAY_MS)).toEqual(['orphan_ratio_high']);
  expect(said(1, began_ms + DAY_MS, null)).toEqual(['orphan_ratio_high']);
});

import { createMetrics } from '@voelgoed/server/metrics';
import { eventually } from '@voelgoed/testkit/eventually';
import { SAMPLES } from '@voelgoed/testkit/happenings';
import { type Prometheus, startPrometheus } from '@voelgoed/testkit/prometheus';
import { useShows } from '@voelgoed/testkit/shows';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RULES_FOLDER, readAlerts } from '#rules';
import { boardFiles } from './dashboards.ts';

const metrics = createMetrics({ redis: true });
const { buyer, node, show } = useShows({}, undefined, metrics);
let prometheus: Prometheus;

beforeAll(async () => {
  const { host } = new URL(node().address);
  prometheus = await startPrometheus([host], [`${RULES_FOLDER}/alerts.yml`]);
});
afterAll(() => prometheus?.stop());

type Target = { expr: string };
type Panel = { type: string; title: string; id: number; targets?: Target[]; gridPos?: object };

const panelsOf = (name: string) =>
  (boardFiles().find((file) => file.name === name)?.dashboard.panels ?? []) as Panel[];
const FILES = boardFiles().map(({ name }) => name);

describe('the dashboards', () => {
  it.each(FILES)('%s is what the code makes (npm test -- ops/dashboards -u)', async (name) => {
    const { dashboard } = boardFiles().find((file) => file.name === name) ?? {};
    const text = `${JSON.stringify(dashboard, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`../grafana/${name}`);
  });

  it.each(FILES)('%s has panels with names and numbers of their own', (name) => {
    const panels = panelsOf(name);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    for (const { type, gridPos } of panels) {
      expect(['row', 'timeseries']).toContain(type);
      if (type !== 'row') expect(gridPos).toMatchObject({ w: 8, h: 8 });
    }
  });

  it('ask a Prometheus that has watched a node what it can answer', async () => {
    const { eventId, seats } = await show();
    const questions = FILES.flatMap(panelsOf).flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ title, expr })),
    );
    expect(questions.length).toBeGreaterThan(60);
    const open = new Map(questions.map(({ title, expr }) => [`${title}: ${expr}`, expr]));
    let round = 0;
    await eventually(
      async () => {
        // Buyers buy; what only trouble brings about is told as if there had been some.
        await buyer().reserve(eventId, seats[round++ % seats.length] ?? '');
        await buyer().ask(`GET /api/events/${eventId}/seatmap`);
        for (const sample of Object.values(SAMPLES)) metrics.telemetry.emit(sample);
        // Asked of Redis by nodes without a board, which this one is not.
        metrics.telemetry.emit({ ...SAMPLES['cache.lookup'], what: 'availability' });
        for (const [name, expr] of open) {
          const [first] = await prometheus.ask(expr);
          if (first && Number.isFinite(first.value)) open.delete(name);
        }
        if (open.size > 0) throw new Error(`no answer to ${[...open.keys()].join('\n')}`);
        return true;
      },
      { within_ms: 30_000, every_ms: 500 },
    );
  });

  it('stand beside rules that the same Prometheus evaluates', async () => {
    const names = (await readAlerts()).map(({ alert }) => alert).sort();
    await eventually(async () => {
      const { groups } = (await prometheus.get('/api/v1/rules')) as {
        groups: { rules: { name: string; health: string; lastError?: string }[] }[];
      };
      const rules = groups.flatMap((group) => group.rules);
      expect(rules.map(({ name }) => name).sort()).toEqual(names);
      expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
      return true;
    });
    // This one has seen trouble: what has no time to wait for fires.
    await eventually(async () => {
      const firing = await prometheus.ask('ALERTS{alertstate="firing"}');
      const fired = firing.map(({ metric }) => metric.alertname);
      return ['GuardContradicted', 'InvariantViolated', 'OtherLineage'].every((name) =>
        fired.includes(name),
      );
    });
  });
});

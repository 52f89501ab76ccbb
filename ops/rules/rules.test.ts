import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promtool } from '@voelgoed/testkit/prometheus';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { RULES_FOLDER, readAlerts, seriesIn } from './rules.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SEVERITIES = ['page', 'warn', 'info'];
/** Of the runtime, which documents them itself. */
const RUNTIME = /^voelgoed_(process|nodejs)_/;

type Tested = { promql_expr_test: { expr: string; exp_samples: unknown[] }[] };

/** Alerts that the tests see firing, or see quiet. */
async function tested(firing: boolean): Promise<string[]> {
  const text = await readFile(`${RULES_FOLDER}/alerts.test.yml`, 'utf8');
  const { tests } = parse(text) as { tests: Tested[] };
  const names = tests
    .flatMap(({ promql_expr_test }) => promql_expr_test)
    .filter(({ exp_samples }) => exp_samples.length > 0 === firing)
    .map(({ expr }) => /alertname="(\w+)"/.exec(expr)?.[1] ?? '');
  return [...new Set(names)].sort();
}

describe('the alert rules', () => {
  it('are read by Prometheus', async () => {
    expect(await promtool(['check', 'rules', 'alerts.yml'], RULES_FOLDER)).toMatchObject({
      ok: true,
    });
  });

  it('fire and are quiet when they should', async () => {
    const { ok, output } = await promtool(['test', 'rules', 'alerts.test.yml'], RULES_FOLDER);
    expect(ok, output).toBe(true);
  });

  it('are each seen firing and seen quiet', async () => {
    const names = (await readAlerts()).map(({ alert }) => alert).sort();
    expect(new Set(names).size).toBe(names.length);
    expect(await tested(true)).toEqual(names);
    expect(await tested(false)).toEqual(names);
  });

  it('ask for series that there are', async () => {
    const page = await readFile(`${ROOT}/docs/metrics.md`, 'utf8');
    const unknown = (await readAlerts())
      .flatMap(({ expr }) => seriesIn(expr))
      .filter((name) => !RUNTIME.test(name) && !page.includes(`| \`${name}\` |`));
    expect(unknown).toEqual([]);
  });

  it('say how bad it is, and name a runbook that says what to do', async () => {
    const texts = new Map<string, string>();
    for (const { alert, labels, annotations } of await readAlerts()) {
      expect(SEVERITIES).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\.$/);
      const [file = '', anchor] = annotations.runbook.split('#');
      expect(anchor).toBe(alert.toLowerCase());
      const text = texts.get(file) ?? (await readFile(`${ROOT}/${file}`, 'utf8'));
      texts.set(file, text);
      const section = sectionOf(text, alert);
      for (const word of ['**Means**', '**Look first**', '**Decide**', '**Verify**']) {
        expect(section, `${alert} has no ${word}`).toContain(word);
      }
    }
  });

  it('are all that runbooks are about', async () => {
    const text = await readFile(`${ROOT}/docs/runbooks.md`, 'utf8');
    const headings = [...text.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    const names = (await readAlerts()).map(({ alert }) => alert);
    expect(headings.sort()).toEqual(names.sort());
  });
});

function sectionOf(text: string, alert: string): string {
  const [, after = ''] = text.split(`### ${alert}\n`);
  return after.split(/^##/m)[0] ?? '';
}

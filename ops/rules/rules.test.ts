import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { REFUND_REASONS } from '@voelgoed/engine/checkouts';
import { LEVELS } from '@voelgoed/server/metrics';
import { promtool } from '@voelgoed/testkit/prometheus';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { boardFiles } from '#dashboards';
import { RULES_FOLDER, readAlerts, seriesIn } from './rules.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SEVERITIES = ['page', 'warn', 'info'];
const FIXTURES = ['alerts.test.yml', 'pauses.test.yml'];
/** Of the runtime, which documents them itself. */
const RUNTIME = /^voelgoed_(process|nodejs)_/;

type Tested = { promql_expr_test: { expr: string; exp_samples: unknown[] }[] };

/** Alerts that the tests see firing, or see quiet. */
async function tested(firing: boolean): Promise<string[]> {
  const texts = await Promise.all(
    FIXTURES.map((file) => readFile(`${RULES_FOLDER}/${file}`, 'utf8')),
  );
  const names = texts
    .flatMap((text) => (parse(text) as { tests: Tested[] }).tests)
    .flatMap(({ promql_expr_test }) => promql_expr_test)
    .filter(({ exp_samples }) => exp_samples.length > 0 === firing)
    .flatMap(({ expr }) => /alertname="(\w+)"/.exec(expr)?.[1] ?? []);
  return [...new Set(names)].sort();
}

describe('the alert rules', () => {
  it('are read by Prometheus', async () => {
    expect(await promtool(['check', 'rules', 'alerts.yml'], RULES_FOLDER)).toMatchObject({
      ok: true,
    });
  });

  it.each(FIXTURES)('fire and are quiet when they should: %s', async (file) => {
    const { ok, output } = await promtool(['test', 'rules', file], RULES_FOLDER);
    expect(ok, output).toBe(true);
  });

  it('are each seen firing and seen quiet', async () => {
    const names = (await readAlerts()).map(({ alert }) => alert).sort();
    expect(new Set(names).size).toBe(names.length);
    expect(await tested(true)).toEqual(names);
    expect(await tested(false)).toEqual(names);
  });

  it('page for no rate that is over: they wait for as long as its window', async () => {
    const paging = (await readAlerts()).filter(({ labels }) => labels.severity === 'page');
    const tooSoon = paging.filter((one) => {
      const windows = [...one.expr.matchAll(/\brate\([^[]*\[(\w+)\]/g)].map(([, text]) => text);
      return Math.max(0, ...windows.map(seconds)) > seconds(one.for);
    });
    expect(paging.length).toBeGreaterThan(10);
    expect(tooSoon.map(({ alert }) => alert)).toEqual([]);
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

  it('say the same in their runbook', async () => {
    const text = await readFile(`${ROOT}/docs/runbooks.md`, 'utf8');
    for (const { alert, labels, annotations } of await readAlerts()) {
      const summary = annotations.summary.replaceAll(/\{\{.*?\}\}/g, '…');
      expect(sectionOf(text, alert).trim().split('\n')[0]).toBe(
        `\`${labels.severity}\` · ${summary}`,
      );
    }
  });

  it('are all that runbooks are about', async () => {
    const text = await readFile(`${ROOT}/docs/runbooks.md`, 'utf8');
    const headings = [...text.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    const names = (await readAlerts()).map(({ alert }) => alert);
    expect(headings.sort()).toEqual(names.sort());
  });
});

describe('the runbooks', () => {
  it('name panels that there are', async () => {
    const panels = boardFiles().flatMap(({ dashboard }) => dashboard.panels ?? []);
    const titles = panels.map(({ title }) => title ?? '');
    const named = [...(await runbooks()).matchAll(/(?<![*\w])\*([^*\n]+)\*(?![*\w])/g)];
    const unknown = named
      .map(([, name = '']) => name)
      .filter((name) => name !== 'on sale' && !titles.some((title) => title.startsWith(name)));
    expect(named.length).toBeGreaterThan(20);
    expect(unknown).toEqual([]);
  });

  it('name log lines that a node in production writes', async () => {
    const summaries = (await readAlerts()).map(({ annotations }) => annotations.summary);
    const text = [...summaries, await runbooks()].join('\n');
    const kinds = Object.keys(LEVELS) as (keyof typeof LEVELS)[];
    const named = kinds.filter(
      (kind) => text.includes(`line ${kind}`) || text.includes(`\`${kind}\``),
    );
    expect(named.length).toBeGreaterThan(15);
    const written = ['info', 'warn', 'error'];
    expect(named.filter((kind) => !written.includes(LEVELS[kind] ?? 'none'))).toEqual([]);
    // What looks like the name of a line is one.
    const alike = [...text.matchAll(/lines? `?([a-z]+\.[a-z_]+)`?/gi)].map(([, kind = '']) => kind);
    expect(alike.filter((kind) => !Object.hasOwn(LEVELS, kind))).toEqual([]);
  });

  it('name every reason for a refund, and the tests no other', async () => {
    const section = sectionOf(await runbooks(), 'RefundsDue');
    for (const reason of REFUND_REASONS) expect(section).toContain(`\`${reason}\``);
    const tests = await readFile(`${RULES_FOLDER}/alerts.test.yml`, 'utf8');
    const tried = [...tests.matchAll(/refund_due_total\{reason="(\w+)"/g)].map(([, one]) => one);
    expect(tried.length).toBeGreaterThan(0);
    for (const reason of tried) expect(REFUND_REASONS).toContain(reason);
  });

  it('lead to pages and sections that there are', async () => {
    const links = [...(await runbooks()).matchAll(/\]\(([^)#:]*)(?:#([^)]+))?\)/g)];
    expect(links.length).toBeGreaterThan(50);
    for (const [, file = '', anchor] of links) {
      const text = file === '' ? await runbooks() : await readFile(`${ROOT}/docs/${file}`, 'utf8');
      if (anchor !== undefined) expect(anchorsOf(text), file).toContain(anchor);
    }
  });
});

const runbooks = () => readFile(`${ROOT}/docs/runbooks.md`, 'utf8');

/** As GitHub makes them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Of a duration of Prometheus: `30s`, `5m`, `1h`; nothing is 0. */
function seconds(duration = '0s'): number {
  const [, count, unit = 's'] = /^(\d+)([smh])$/.exec(duration) ?? [];
  return Number(count) * ({ s: 1, m: 60, h: 3_600 }[unit] ?? Number.NaN);
}

function sectionOf(text: string, alert: string): string {
  const [, after = ''] = text.split(`### ${alert}\n`);
  return after.split(/^##/m)[0] ?? '';
}

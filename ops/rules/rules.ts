/**
 * Rules: the alerts of `ops/prometheus`, read as Prometheus reads them, to be compared
 * with the code and the documentation. It changes nothing and asks nobody.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** Where the rules and their tests are. */
export const RULES_FOLDER = fileURLToPath(new URL('../prometheus', import.meta.url));

export type Alert = Readonly<{
  alert: string;
  expr: string;
  for?: string;
  labels: Readonly<{ severity: string }>;
  annotations: Readonly<{ summary: string; runbook: string }>;
}>;

export async function readAlerts(): Promise<Alert[]> {
  const text = await readFile(`${RULES_FOLDER}/alerts.yml`, 'utf8');
  const { groups } = parse(text) as { groups: { rules: Alert[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** Names of our series in a question, as they are called in the page about metrics. */
export function seriesIn(expr: string): string[] {
  const names = expr.match(/\bvoelgoed_\w+/g) ?? [];
  return [...new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))];
}

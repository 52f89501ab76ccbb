/** One panel: what it shows, and the questions that it asks Prometheus. */
export type Panel = Readonly<{
  title: string;
  /** What is normal, and what an alert says. */
  description: string;
  unit: Unit;
  queries: readonly Query[];
  /** From here on it is drawn in red; `below`: from here down. */
  limit?: Readonly<{ above: number }> | Readonly<{ below: number }>;
}>;

export type Query = Readonly<{ legend: string; expr: string }>;

/** Names that Grafana knows. */
type Unit = 'percentunit' | 'ops' | 's' | 'short' | 'bytes';

export type Row = Readonly<{ title: string; panels: readonly Panel[] }>;

export type Board = Readonly<{ uid: string; title: string; about: string; rows: readonly Row[] }>;

const WINDOW = '5m';

/** Per second, all nodes together. */
export function perSecond(legend: string, series: string, by?: string): Query {
  const sum = by ? `sum by (${by})` : 'sum';
  return {
    legend: by ? `${legend} {{${by}}}` : legend,
    expr: `${sum} (rate(${series}[${WINDOW}]))`,
  };
}

/** Of a histogram, all nodes together. */
export function quantile(share: number, series: string): Query {
  const expr = `histogram_quantile(${share}, sum by (le) (rate(${series}_bucket[${WINDOW}])))`;
  return { legend: `p${share * 100}`, expr };
}

export function mean(legend: string, series: string): Query {
  const rate = (end: string) => `sum (rate(${series}_${end}[${WINDOW}]))`;
  return { legend, expr: `${rate('sum')} / ${rate('count')}` };
}

export function ratio(legend: string, part: string, whole: string): Query {
  const rate = (series: string) => `sum (rate(${series}[${WINDOW}]))`;
  // What never happened has no series: then it is none of the whole, not nothing.
  return { legend, expr: `(${rate(part)} or vector(0)) / ${rate(whole)}` };
}

export function most(legend: string, series: string, by?: string): Query {
  const max = by ? `max by (${by})` : 'max';
  return { legend: by ? `{{${by}}}` : legend, expr: `${max} (${series})` };
}

/** A latency panel: median, p95 and p99. */
export function latency(title: string, description: string, series: string, above?: number): Panel {
  const queries = [quantile(0.5, series), quantile(0.95, series), quantile(0.99, series)];
  const limit = above === undefined ? {} : { limit: { above } };
  return { title, description, unit: 's', queries, ...limit };
}

import { type Figure, isKept, type Target } from '#measure';
import type { BenchRecord, Header } from '#record';
import { escaped, shortNumber } from './drawing.ts';
import { plotsOf } from './plots.ts';

const STYLE = `
  :root { color-scheme: light; }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 1040px; margin: 32px auto;
    padding: 0 16px; color: #24292f; background: #fff; }
  table { border-collapse: collapse; width: 100%; margin: 12px 0 28px; font-size: 13px; }
  th, td { text-align: left; padding: 4px 8px; border-bottom: 1px solid #d8dee4;
    vertical-align: top; }
  .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
  .missed { color: #9a3f0c; font-weight: 600; }
  .met { color: #1a6b34; }
  .note { color: #59636e; }
  figure { margin: 12px 0; overflow-x: auto; }
  svg { max-width: 100%; height: auto; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; }
  dt { color: #59636e; }
  dd { margin: 0; }
  nav a { margin-right: 12px; }`;

/** The whole report, in one file that asks nobody for anything. */
export function pageOf({ header, figures }: BenchRecord): string {
  const suites = [...new Set(figures.map(({ suite }) => suite))];
  const links = suites.map((suite) => `<a href="#${escaped(suite)}">${escaped(suite)}</a>`);
  const promised = figures.filter(({ target }) => target);
  const missed = promised.filter((figure) => !isKept(figure)).length;
  const verdict = `${promised.length - missed} of ${promised.length} targets are met.`;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Benchmark, ${escaped(header.commit)}</title><style>${STYLE}</style></head><body>`,
    `<h1>Benchmark</h1>${aboutOf(header)}<nav>${links.join(' ')}</nav>`,
    `<h2>What is promised</h2><p>${verdict}</p>${tableOf(promised, true)}`,
    ...suites.map((suite) => sectionOf(suite, figures)),
    '</body></html>',
  ].join('\n');
}

function aboutOf(header: Header): string {
  const { machine, versions } = header;
  const rows: [string, string][] = [
    ['Commit', header.commit],
    ['Date', header.date],
    ['Processor', `${machine.cpu}, ${machine.cores} cores`],
    ['Memory', `${machine.memory_GB} GB`],
    ['System', machine.os],
    [
      'Versions',
      Object.entries(versions)
        .map((pair) => pair.join(' '))
        .join(', '),
    ],
    ['Length', `${Math.round(header.seconds / 60)} minutes${header.quick ? ', quick' : ''}`],
  ];
  const lines = rows.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`);
  return `<dl>${lines.join('')}</dl>`;
}

function sectionOf(suite: string, figures: readonly Figure[]): string {
  const own = figures.filter((figure) => figure.suite === suite);
  const plots = plotsOf(own).map(({ svg }) => `<figure>${svg}</figure>`);
  const title = `<h2 id="${escaped(suite)}">${escaped(suite)}</h2>`;
  return `${title}${plots.join('')}${tableOf(own, false)}`;
}

function tableOf(figures: readonly Figure[], withSuite: boolean): string {
  const head = [
    ...(withSuite ? ['<th>suite</th>'] : []),
    '<th>what</th><th class="number">median</th><th class="number">least … most</th>',
    '<th class="number">runs</th><th>target</th><th>note</th>',
  ];
  const rows = figures.map((figure) => `<tr>${rowOf(figure, withSuite)}</tr>`);
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function rowOf(figure: Figure, withSuite: boolean): string {
  const { suite, name, unit, median, least, most, runs, note = '' } = figure;
  const spread = runs > 1 ? `${shortNumber(least)} … ${shortNumber(most)}` : '';
  return [
    ...(withSuite ? [`<td>${escaped(suite)}</td>`] : []),
    `<td>${escaped(name)}</td>`,
    `<td class="number">${shortNumber(median)} ${escaped(unit)}</td>`,
    `<td class="number">${spread}</td><td class="number">${runs}</td>`,
    `<td>${verdictOf(figure)}</td><td class="note">${escaped(note)}</td>`,
  ].join('');
}

function verdictOf(figure: Figure): string {
  const { target, goal } = figure;
  if (!target) return '';
  const more = goal ? `, goal ${boundOf(goal)}` : '';
  const [kind, word] = isKept(figure) ? ['met', 'met'] : ['missed', 'MISSED'];
  return `<span class="${kind}">${boundOf(target)} ${word}</span>${more}`;
}

function boundOf(target: Target): string {
  return 'below' in target
    ? `&lt; ${shortNumber(target.below)}`
    : `&gt; ${shortNumber(target.above)}`;
}

/** Colours that people tell apart who do not tell red from green, on white and on dark. */
export const STYLE = `
  .plot { font: 12px system-ui, sans-serif; background: #fff; }
  .plot text { fill: #24292f; }
  .plot .title { font-weight: 600; font-size: 14px; }
  .plot .quiet { fill: #59636e; }
  .plot .own { fill: #2f6fb7; } .plot .other { fill: #a5adb6; }
  .plot .line { fill: none; stroke: #2f6fb7; stroke-width: 2; }
  .plot .spread { stroke: #24292f; stroke-width: 1.25; fill: none; }
  .plot .target { stroke: #b3541e; stroke-width: 2; }
  .plot .missed { fill: #b3541e; font-weight: 600; }
  .plot .axis { stroke: #d0d7de; }`;

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}

/** The next round number: 1, 2 or 5 and noughts. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 2, 5, 10].map((step) => step * power);
  return steps.find((step) => step >= value * (1 - 1e-9)) ?? 10 * power;
}

export function svgOf(width: number, height: number, title: string, inside: string): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const name = `role="img" aria-label="${escaped(title)}"`;
  const open = `<svg xmlns="http://www.w3.org/2000/svg" class="plot" ${size} ${name}>`;
  const words = `<text class="title" x="12" y="22">${escaped(title)}</text>`;
  return `${open}<style>${STYLE}</style>${words}${inside}</svg>`;
}

/** To a tenth of a pixel: more is only longer. */
export function place(value: number): string {
  return String(Math.round(value * 10) / 10);
}

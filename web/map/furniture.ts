import type { Theme } from '#paint';
import type { SeatMapLabels } from './options.ts';

/** The elements of a map: the canvas, and what stands on it. */
export type Furniture = Readonly<{
  root: HTMLElement;
  canvas: HTMLCanvasElement;
  overview: HTMLCanvasElement;
  buttons: Readonly<{ zoomIn: HTMLElement; zoomOut: HTMLElement; showAll: HTMLElement }>;
}>;

const ICONS = {
  zoomIn: 'M12 5v14M5 12h14',
  zoomOut: 'M5 12h14',
  showAll: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
} as const;

/** A sheet made by script is allowed where a page forbids styles in its text. */
const STYLES = `
.voelgoed-map { position: relative; width: 100%; height: 100%; overflow: hidden;
  contain: strict; user-select: none; -webkit-user-select: none; }
.voelgoed-map canvas { display: block; }
.voelgoed-map__canvas { position: absolute; inset: 0; width: 100%; height: 100%; outline: none;
  touch-action: none; cursor: grab; -webkit-tap-highlight-color: transparent; }
.voelgoed-map__canvas:active { cursor: grabbing; }
.voelgoed-map__canvas[data-points='seat'] { cursor: pointer; }
.voelgoed-map__canvas[data-tool='lasso'] { cursor: crosshair; }
.voelgoed-map__canvas:focus-visible { box-shadow: inset 0 0 0 3px var(--map-focus); }
.voelgoed-map__buttons { position: absolute; right: 12px; bottom: 12px; display: grid;
  border-radius: 12px; overflow: hidden; box-shadow: 0 1px 2px rgb(0 0 0 / .12), 0 4px 16px
  rgb(0 0 0 / .12); }
.voelgoed-map__buttons button { all: unset; box-sizing: border-box; width: 44px; height: 44px;
  display: grid; place-items: center; cursor: pointer; color: var(--map-text);
  background: var(--map-background); }
.voelgoed-map__buttons button + button { border-top: 1px solid var(--map-line); }
.voelgoed-map__buttons button:hover { background: var(--map-surface); }
.voelgoed-map__buttons button:focus-visible { box-shadow: inset 0 0 0 3px var(--map-focus); }
.voelgoed-map__buttons svg { width: 20px; height: 20px; fill: none; stroke: currentColor;
  stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.voelgoed-map__overview { position: absolute; left: 12px; bottom: 12px; border-radius: 10px;
  background: var(--map-background); box-shadow: 0 1px 2px rgb(0 0 0 / .12), 0 4px 16px
  rgb(0 0 0 / .12); opacity: 0; pointer-events: none; transition: opacity .18s;
  touch-action: none; cursor: crosshair; }
.voelgoed-map__overview[data-shown] { opacity: 1; pointer-events: auto; }
@media (prefers-reduced-motion: reduce) { .voelgoed-map__overview { transition: none; } }
`;

export function furnish(host: HTMLElement, has: { minimap: boolean; controls: boolean }) {
  const make = host.ownerDocument;
  adopt(host);
  const root = make.createElement('div');
  root.className = 'voelgoed-map';
  const canvas = make.createElement('canvas');
  canvas.className = 'voelgoed-map__canvas';
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'application');
  const overview = make.createElement('canvas');
  overview.className = 'voelgoed-map__overview';
  overview.setAttribute('role', 'img');
  const group = make.createElement('div');
  group.className = 'voelgoed-map__buttons';
  const buttons = {
    zoomIn: button(group, ICONS.zoomIn),
    zoomOut: button(group, ICONS.zoomOut),
    showAll: button(group, ICONS.showAll),
  };
  root.append(canvas);
  if (has.minimap) root.append(overview);
  if (has.controls) root.append(group);
  host.append(root);
  return { root, canvas, overview, buttons };
}

const SVG = 'http://www.w3.org/2000/svg';

function button(group: HTMLElement, icon: string): HTMLElement {
  const made = group.ownerDocument.createElement('button');
  made.type = 'button';
  const svg = group.ownerDocument.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = group.ownerDocument.createElementNS(SVG, 'path');
  path.setAttribute('d', icon);
  svg.append(path);
  made.append(svg);
  group.append(made);
  return made;
}

const sheets = new WeakMap<Document, CSSStyleSheet>();

/** Once per document or shadow root. */
function adopt(host: HTMLElement): void {
  const root = host.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return;
  const page = host.ownerDocument;
  const sheet = sheets.get(page) ?? new CSSStyleSheet();
  if (!sheets.has(page)) sheet.replaceSync(STYLES);
  sheets.set(page, sheet);
  if (root.adoptedStyleSheets.includes(sheet)) return;
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

export function dress(
  { root, canvas, overview, buttons }: Furniture,
  theme: Theme,
  labels: SeatMapLabels,
): void {
  root.style.background = theme.background;
  for (const name of ['background', 'surface', 'line', 'text', 'focus'] as const) {
    root.style.setProperty(`--map-${name}`, theme[name]);
  }
  canvas.setAttribute('aria-label', labels.map);
  overview.setAttribute('aria-label', labels.overview);
  for (const name of ['zoomIn', 'zoomOut', 'showAll'] as const) {
    buttons[name].setAttribute('aria-label', labels[name]);
    buttons[name].title = labels[name];
  }
}

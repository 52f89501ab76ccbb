import { DARK, LIGHT, type Theme } from '#map';

/** Variables of a page, by what they colour. */
const VARIABLES = {
  background: '--seat-map-background',
  surface: '--seat-map-surface',
  line: '--seat-map-line',
  text: '--seat-map-text',
  muted: '--seat-map-muted',
  stage: '--seat-map-stage',
  stageText: '--seat-map-stage-text',
  held: '--seat-map-held',
  sold: '--seat-map-sold',
  soldMark: '--seat-map-sold-mark',
  blocked: '--seat-map-blocked',
  mine: '--seat-map-mine',
  mineMark: '--seat-map-mine-mark',
  focus: '--seat-map-focus',
  danger: '--seat-map-danger',
  font: '--seat-map-font',
} as const;

/** `--seat-map-price-1` is the cheapest. */
const PRICE = '--seat-map-price-';

export type Scheme = 'light' | 'dark';

/** The theme of a scheme, with what the page says instead. */
export function themeOf(element: Element, scheme: Scheme): Theme {
  const base = scheme === 'dark' ? DARK : LIGHT;
  const style = getComputedStyle(element);
  const said = (variable: string) => style.getPropertyValue(variable).trim();
  const own = Object.entries(VARIABLES)
    .map(([name, variable]) => [name, said(variable)] as const)
    .filter(([, value]) => value !== '');
  const prices = base.prices.map((colour, index) => said(`${PRICE}${index + 1}`) || colour);
  return { ...base, ...Object.fromEntries(own), prices };
}

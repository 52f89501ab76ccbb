import { DARK, LIGHT, type Theme } from '#map';

const FONT =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

/** The map in the shop's own light. */
const DAY: Theme = {
  ...LIGHT,
  background: '#f3ece2',
  surface: '#e6dccf',
  line: '#d8ccbc',
  text: '#241c2c',
  muted: '#655b6c',
  stage: '#3a2f45',
  sold: '#dbd0c2',
  soldMark: '#a99e92',
  blocked: '#e4dacd',
  mine: '#241c2c',
  focus: '#241c2c',
  font: FONT,
};

const NIGHT: Theme = {
  ...DARK,
  background: '#120f16',
  surface: '#241d2c',
  line: '#372f40',
  text: '#f6f0ea',
  muted: '#b9adc0',
  stage: '#d9cfe0',
  stageText: '#17131c',
  sold: '#332b3b',
  soldMark: '#6a5f75',
  blocked: '#2a2332',
  font: FONT,
};

/** Where staff look at a hall: what is taken or closed stands out from the ground, 3 to 1. */
const DAY_AT_WORK: Theme = {
  ...DAY,
  staff: {
    held: '#8a5a00',
    sold: '#3f3550',
    blocked: '#a3231c',
    reseat: '#a1006b',
    kept: '#00607f',
    mark: '#ffffff',
  },
};

const NIGHT_AT_WORK: Theme = {
  ...NIGHT,
  staff: {
    held: '#e0aa4e',
    sold: '#cfc6da',
    blocked: '#ff7a6e',
    reseat: '#ff6ec7',
    kept: '#5cc8ec',
    mark: '#17131c',
  },
};

export function staffThemeFor(isDark: boolean): Theme {
  return isDark ? NIGHT_AT_WORK : DAY_AT_WORK;
}

export function themeFor(isDark: boolean): Theme {
  return isDark ? NIGHT : DAY;
}

/** One colour per price from the cheapest to the dearest, as the map paints them. */
export function colourOf(price: number, prices: readonly number[], isDark: boolean): string {
  const { prices: colours } = themeFor(isDark);
  const steps = [...new Set(prices)].sort((one, other) => one - other);
  const rank = steps.indexOf(price);
  const tier =
    steps.length <= colours.length ? rank : Math.floor((rank * colours.length) / steps.length);
  return colours[tier] ?? 'currentColor';
}

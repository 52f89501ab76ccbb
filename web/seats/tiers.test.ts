import { describe, expect, it } from 'vitest';
import { staffThemeFor, themeFor } from './tiers.ts';

/** Relative luminance of WCAG. */
function luminanceOf(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrastOf(one: string, other: string): number {
  const [less = 0, more = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}

describe.each([false, true])('the colours of staff, dark: %s', (isDark) => {
  const { background, surface, staff } = staffThemeFor(isDark);

  it('stand out from the ground, and marks from what they are on', () => {
    const { mark, ...states } = staff ?? { mark: '' };
    const all = Object.entries(states).flatMap(([state, colour]) =>
      [background, surface, mark].map((ground) => [state, ground, contrastOf(colour, ground)]),
    );
    expect(all).toHaveLength(15);
    // A held seat is a ring: nothing is drawn on it.
    expect(all.filter(([, , contrast]) => Number(contrast) < 3)).toEqual([]);
    expect(new Set(Object.values(states)).size).toBe(5);
  });

  it('are not those of buyers', () => {
    expect(themeFor(isDark).staff).toBeUndefined();
  });
});

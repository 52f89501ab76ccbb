import { Colours, cssOf, inkOn, mixed } from './colours.ts';
import { TIERS } from './looks.ts';
import type { Theme } from './theme.ts';

/** Steps between nothing left and everything free. */
const STEPS = 16;
/** Steps between a mere hint of the ground and its full colour. */
const STRENGTHS = 8;
/** How much of the surface is seen under seats. */
const HINT = 0.6;
/** A section with one free seat must not look as empty as one with none. */
const FIRST_STEP = 0.3;

/** The theme, worked out: what is mixed and looked up many times per frame. */
export class Palette {
  readonly theme: Theme;
  readonly #colours: Colours;
  /** By price, by how much is free, and by strength. */
  readonly #densities: string[];
  readonly #inks: string[];
  /** What is read on a density at full strength. */
  readonly #densityInks: string[];

  constructor(theme: Theme, colours: Colours = new Colours()) {
    this.theme = theme;
    this.#colours = colours;
    const surface = colours.read(theme.surface);
    const hint = mixed(colours.read(theme.background), surface, HINT);
    const tiers = Array.from({ length: TIERS }, (_, tier) => colours.read(this.price(tier)));
    const full = tiers.flatMap((colour) =>
      Array.from({ length: STEPS + 1 }, (_, free) => {
        const part = free === 0 ? 0 : FIRST_STEP + (1 - FIRST_STEP) * (free / STEPS);
        return mixed(surface, colour, part * 0.92);
      }),
    );
    this.#densities = full.flatMap((colour) =>
      Array.from({ length: STRENGTHS + 1 }, (_, strength) =>
        cssOf(mixed(hint, colour, strength / STRENGTHS)),
      ),
    );
    this.#densityInks = full.map(inkOn);
    this.#inks = tiers.map(inkOn);
  }

  price(tier: number): string {
    return this.theme.prices[tier % this.theme.prices.length] ?? this.theme.text;
  }

  /** What is read on the colour of a price. */
  ink(tier: number): string {
    return this.#inks[tier] ?? '#ffffff';
  }

  /** `strength` from 0, when seats tell everything, to 1, when only this does. */
  density(tier: number, free: number, total: number, strength = 1): string {
    const shade = Math.round(strength * STRENGTHS);
    const index = step(tier, free, total) * (STRENGTHS + 1) + shade;
    return this.#densities[index] ?? this.theme.surface;
  }

  inkOnDensity(tier: number, free: number, total: number): string {
    return this.#densityInks[step(tier, free, total)] ?? this.theme.text;
  }

  /** As a pixel without its opacity, little endian. */
  pixel(colour: string): number {
    const { r, g, b } = this.#colours.read(colour);
    return Math.round(r) | (Math.round(g) << 8) | (Math.round(b) << 16);
  }
}

function step(tier: number, free: number, total: number): number {
  const part = free === 0 ? 0 : Math.max(1, Math.round((STEPS * free) / Math.max(total, 1)));
  return tier * (STEPS + 1) + Math.min(part, STEPS);
}

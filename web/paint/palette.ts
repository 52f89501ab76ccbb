import { Colours, cssOf, inkOn, mixed } from './colours.ts';
import { TIERS } from './looks.ts';
import type { Theme } from './theme.ts';

/** Steps between nothing left and everything free. */
const STEPS = 16;
/** A section with one free seat must not look as empty as one with none. */
const FIRST_STEP = 0.3;

/** The theme, worked out: what is mixed and looked up many times per frame. */
export class Palette {
  readonly theme: Theme;
  readonly #colours: Colours;
  /** By price and by how much is free. */
  readonly #densities: string[];
  readonly #inks: string[];

  constructor(theme: Theme, colours: Colours = new Colours()) {
    this.theme = theme;
    this.#colours = colours;
    const surface = colours.read(theme.surface);
    const tiers = Array.from({ length: TIERS }, (_, tier) => colours.read(this.price(tier)));
    this.#densities = tiers.flatMap((colour) =>
      Array.from({ length: STEPS + 1 }, (_, step) => {
        const part = step === 0 ? 0 : FIRST_STEP + (1 - FIRST_STEP) * (step / STEPS);
        return cssOf(mixed(surface, colour, part * 0.92));
      }),
    );
    this.#inks = tiers.map(inkOn);
  }

  price(tier: number): string {
    return this.theme.prices[tier % this.theme.prices.length] ?? this.theme.text;
  }

  /** What is read on the colour of a price. */
  ink(tier: number): string {
    return this.#inks[tier] ?? '#ffffff';
  }

  density(tier: number, free: number, total: number): string {
    const step = free === 0 ? 0 : Math.max(1, Math.round((STEPS * free) / Math.max(total, 1)));
    return this.#densities[tier * (STEPS + 1) + step] ?? this.theme.surface;
  }

  inkOnDensity(tier: number, free: number, total: number): string {
    return free / Math.max(total, 1) > 0.35 ? this.ink(tier) : this.theme.text;
  }

  /** As a pixel without its opacity, little endian. */
  pixel(colour: string): number {
    const { r, g, b } = this.#colours.read(colour);
    return Math.round(r) | (Math.round(g) << 8) | (Math.round(b) << 16);
  }
}

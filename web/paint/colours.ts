/** Red, green, blue from 0 to 255 and opacity from 0 to 1. */
export type Rgb = Readonly<{ r: number; g: number; b: number; a: number }>;

/** Turns any CSS colour into numbers: the browser reads it, so that variables may hold anything. */
export class Colours {
  readonly #known = new Map<string, Rgb>();
  readonly #context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });

  read(colour: string): Rgb {
    const known = this.#known.get(colour);
    if (known) return known;
    const read = this.#paint(colour);
    this.#known.set(colour, read);
    return read;
  }

  #paint(colour: string): Rgb {
    const context = this.#context;
    if (!context) return { r: 0, g: 0, b: 0, a: 1 };
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = '#888';
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 255] = context.getImageData(0, 0, 1, 1).data;
    return { r, g, b, a: a / 255 };
  }
}

/** So much of the second colour in the first. */
export function mixed(one: Rgb, other: Rgb, part: number): Rgb {
  const mix = (from: number, to: number) => from + (to - from) * part;
  return {
    r: mix(one.r, other.r),
    g: mix(one.g, other.g),
    b: mix(one.b, other.b),
    a: mix(one.a, other.a),
  };
}

export function cssOf({ r, g, b, a }: Rgb): string {
  return `rgba(${Math.round(r)}, ${Math.round(g)}, ${Math.round(b)}, ${a})`;
}

/** White where its contrast suffices, else black (relative luminance of WCAG). */
export function inkOn({ r, g, b }: Rgb): string {
  const light = (channel: number) => {
    const part = channel / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  return luminance > 0.195 ? '#101828' : '#ffffff';
}

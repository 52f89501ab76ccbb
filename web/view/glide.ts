/** How long a finger's last movement counts when it lets go. */
const MEMORY_MS = 90;
/** After so long a glide has lost two thirds of its speed. */
const FRICTION_MS = 320;
/** In pixels per millisecond: slower is standing still, faster is a slip of the finger. */
const SLOWEST = 0.03;
const FASTEST = 4;
const SAMPLES = 8;

/** Remembers how a finger moved, and goes on for a while when it lets go. */
export class Glide {
  readonly #at = new Float64Array(SAMPLES);
  readonly #x = new Float64Array(SAMPLES);
  readonly #y = new Float64Array(SAMPLES);
  #count = 0;
  #vx = 0;
  #vy = 0;

  begin(): void {
    this.#count = 0;
    this.#vx = 0;
    this.#vy = 0;
  }

  track(x: number, y: number, at_ms: number): void {
    const place = this.#count++ % SAMPLES;
    this.#at[place] = at_ms;
    this.#x[place] = x;
    this.#y[place] = y;
  }

  /** The finger is gone: true when the map should go on by itself. */
  release(at_ms: number): boolean {
    const last = (this.#count - 1) % SAMPLES;
    let first = last;
    const kept = Math.min(this.#count, SAMPLES);
    for (let back = 1; back < kept; back++) {
      const place = (this.#count - 1 - back + SAMPLES * 2) % SAMPLES;
      if (at_ms - (this.#at[place] as number) > MEMORY_MS) break;
      first = place;
    }
    const took = (this.#at[last] as number) - (this.#at[first] as number);
    if (kept < 2 || took <= 0 || at_ms - (this.#at[last] as number) > MEMORY_MS) return false;
    this.#vx = ((this.#x[last] as number) - (this.#x[first] as number)) / took;
    this.#vy = ((this.#y[last] as number) - (this.#y[first] as number)) / took;
    const speed = Math.hypot(this.#vx, this.#vy);
    if (speed < SLOWEST) return false;
    const brake = Math.min(1, FASTEST / speed);
    this.#vx *= brake;
    this.#vy *= brake;
    return true;
  }

  /** How far it goes within so many milliseconds; null when it has come to rest. */
  step(elapsed_ms: number): { dx: number; dy: number } | null {
    if (Math.hypot(this.#vx, this.#vy) < SLOWEST) return null;
    const left = Math.exp(-elapsed_ms / FRICTION_MS);
    const way = FRICTION_MS * (1 - left);
    const [dx, dy] = [this.#vx * way, this.#vy * way];
    this.#vx *= left;
    this.#vy *= left;
    return { dx, dy };
  }
}

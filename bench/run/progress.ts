import type { Clock } from '@voelgoed/engine/kit';

/**
 * Says which suite runs, where it is and when all of it will be over. How long a suite takes is
 * known from earlier runs on two cores; how much slower or faster this machine is shows itself.
 */
export class Progress {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #say: (line: string) => void;
  readonly #waiting: { name: string; seconds: number }[];
  readonly #count: number;
  #current: { name: string; seconds: number; begun: number } | null = null;
  #expected = 0;
  #took = 0;

  constructor(
    clock: Pick<Clock, 'monotonic'>,
    suites: readonly { name: string; seconds: number }[],
    say: (line: string) => void,
  ) {
    this.#clock = clock;
    this.#say = say;
    this.#waiting = [...suites];
    this.#count = suites.length;
  }

  begin(name: string): void {
    const index = this.#waiting.findIndex((suite) => suite.name === name);
    const [suite] = this.#waiting.splice(index, 1);
    if (!suite) throw new Error(`${name} is not waiting`);
    this.#current = { ...suite, begun: this.#clock.monotonic() };
    const number = this.#count - this.#waiting.length;
    const own = spoken(suite.seconds * this.#pace);
    const left = spoken(this.left_s);
    this.#say(`${name} (${number} of ${this.#count}): about ${own}, all of it about ${left}`);
  }

  step(text: string): void {
    const { begun = 0, name = '' } = this.#current ?? {};
    const seconds = Math.round((this.#clock.monotonic() - begun) / 1_000);
    this.#say(`  ${name}, ${seconds} s: ${text}`);
  }

  end(): void {
    if (!this.#current) return;
    this.#took += (this.#clock.monotonic() - this.#current.begun) / 1_000;
    this.#expected += this.#current.seconds;
    this.#current = null;
  }

  /** Of the suite that runs, if it has just begun, and of those that wait. */
  get left_s(): number {
    const waiting = this.#waiting.reduce((sum, { seconds }) => sum + seconds, 0);
    return (waiting + (this.#current?.seconds ?? 0)) * this.#pace;
  }

  /** How much longer everything takes here than where it was first measured. */
  get #pace(): number {
    return this.#expected > 0 ? this.#took / this.#expected : 1;
  }
}

export function spoken(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  return `${Math.round(seconds / 60)} min`;
}

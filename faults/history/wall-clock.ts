/** From this moment of the monotonic clock on, the time of day was so far ahead of it. */
export type WallStep = Readonly<{ at_ms: number; offset_ms: number }>;

/** Less is the time between reading one clock and the other, and slewing. */
const STEP_MS = 2;

/**
 * Notices when the machine's time of day is set while a run goes on. Virtual machines do that, and
 * whoever compares times of the database with the monotonic clock by one difference, measured in
 * the end, then finds holds that were over for as long as the clock was moved.
 */
export class WallClock {
  readonly #read: () => WallStep;
  readonly #steps: WallStep[];

  constructor(read: () => WallStep) {
    this.#read = read;
    this.#steps = [read()];
  }

  look(): void {
    const now = this.#read();
    const last = this.#steps.at(-1);
    if (!last || Math.abs(now.offset_ms - last.offset_ms) > STEP_MS) this.#steps.push(now);
  }

  get steps(): readonly WallStep[] {
    return this.#steps;
  }
}

type Times = Readonly<{ wall_offset_ms: number; wall_steps?: readonly WallStep[] | undefined }>;

/** The least by which the time of day was ahead between two moments. */
export function leastOffset(
  { wall_offset_ms, wall_steps = [] }: Times,
  from_ms: number,
  to_ms: number,
): number {
  return Math.min(...offsetsBetween(wall_offset_ms, wall_steps, from_ms, to_ms));
}

/** The most by which it was ever ahead: by then a hold may have ended. */
export function mostOffset({ wall_offset_ms, wall_steps = [] }: Times): number {
  return Math.max(wall_offset_ms, ...wall_steps.map(({ offset_ms }) => offset_ms));
}

function offsetsBetween(
  last_ms: number,
  steps: readonly WallStep[],
  from_ms: number,
  to_ms: number,
): number[] {
  const during = steps.filter(({ at_ms }, index) => {
    const until_ms = steps[index + 1]?.at_ms ?? Number.POSITIVE_INFINITY;
    return at_ms <= to_ms && until_ms >= from_ms;
  });
  const [first] = steps;
  // Before the first look it was as it was then; without any, as in the end.
  if (during.length === 0) return [first?.offset_ms ?? last_ms];
  return during.map(({ offset_ms }) => offset_ms);
}

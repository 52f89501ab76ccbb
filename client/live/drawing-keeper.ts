import { type Host, pause } from '#host';
import type { Drawing } from '#shapes';
import type { LiveListener } from './live-events.ts';

/** A node may not know of a new layout yet, when another has told of it. */
const AGAIN_MS = 1_000;
const LONGEST_MS = 15_000;

export type KeeperTools = Readonly<{ host: Host; signal: AbortSignal; tell: LiveListener }>;

/** Soon at first, then less and less often, and never all clients at once. */
export function again_ms(host: Host, failures: number): number {
  return Math.min(AGAIN_MS * 2 ** (failures - 1), LONGEST_MS) * (0.5 + host.random());
}

/** What is shown, which knows the drawing that belongs to it. */
type Shown = Readonly<{ isDrawnBy(drawing: Drawing): boolean }>;

type DrawingTools = KeeperTools & Readonly<{ drawing(signal: AbortSignal): Promise<Drawing> }>;

/** Has the drawing that belongs to the seats, and fetches it when there is another one. */
export class DrawingKeeper {
  drawing: Drawing | null = null;
  readonly #tools: DrawingTools;
  #shown: Shown | null = null;
  #fetching = false;

  constructor(tools: DrawingTools) {
    this.#tools = tools;
  }

  want(shown: Shown): void {
    this.#shown = shown;
    if (!this.#fetching && !this.#isRight(this.drawing)) void this.#fetch();
  }

  async #fetch(): Promise<void> {
    const { host, signal, tell } = this.#tools;
    this.#fetching = true;
    for (let failures = 1; !signal.aborted; failures++) {
      const drawing = await this.#tools.drawing(signal).catch(() => null);
      if (drawing && this.#isRight(drawing)) {
        this.drawing = drawing;
        tell({ kind: 'drawing', drawing });
        break;
      }
      await pause(host, again_ms(host, failures), signal);
    }
    this.#fetching = false;
  }

  #isRight(drawing: Drawing | null): boolean {
    return drawing !== null && this.#shown?.isDrawnBy(drawing) === true;
  }
}

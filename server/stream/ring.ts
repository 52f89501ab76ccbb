import type { Shown } from './frames.ts';

/** A place in a history: the same on every node, or not the same history. */
export type StreamPlace = Pick<Shown, 'revision' | 'lineage'>;

type Kept = Readonly<{ before: StreamPlace; after: StreamPlace; bytes: Buffer }>;

/** Frames that are kept for those who come back. */
const MOST_FRAMES = 1_000;
/** Frames that carry whole snapshots are large; they are what a newcomer would get anyway. */
const MOST_BYTES = 4 * 1024 * 1024;

/** The last frames of an event, as they were sent. */
export class Ring {
  readonly #frames: Kept[] = [];
  #bytes = 0;

  push(before: StreamPlace, after: StreamPlace, bytes: Buffer): void {
    this.#frames.push({ before, after, bytes });
    this.#bytes += bytes.length;
    while (this.#frames.length > MOST_FRAMES || this.#bytes > MOST_BYTES) {
      this.#bytes -= this.#frames.shift()?.bytes.length ?? this.#bytes;
    }
  }

  /** What comes next does not follow from what is kept. */
  clear(): void {
    this.#frames.length = 0;
    this.#bytes = 0;
  }

  /**
   * What somebody has missed who has everything up to `from`, on the way to `now`; null: nobody
   * knows. A place that lies inside of a frame of this node is not known: another node has made
   * other frames. Nor is one where something was over by itself: such a frame begins and ends at
   * the same place, and who was there may have seen it or not.
   */
  since(from: StreamPlace, now: StreamPlace): readonly Buffer[] | null {
    const first = this.#frames.findIndex(({ before }) => isSamePlace(before, from));
    const frame = this.#frames[first];
    if (!frame) return isSamePlace(from, now) ? [] : null;
    if (isSamePlace(frame.after, from)) return null;
    return this.#frames.slice(first).map(({ bytes }) => bytes);
  }
}

function isSamePlace(one: StreamPlace, other: StreamPlace): boolean {
  return one.revision === other.revision && one.lineage === other.lineage;
}

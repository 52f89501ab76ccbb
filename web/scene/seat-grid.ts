import type { Rect } from './drawing.ts';

/** How many squares a grid has at most each way: seats far apart must not cost memory. */
const MOST_SQUARES = 1_024;

/**
 * Points in squares: which of them lie in a rectangle, and which is nearest. Everything stands in
 * typed arrays that are made once, so that asking allocates nothing.
 */
export class SeatGrid {
  readonly #x: Float32Array;
  readonly #y: Float32Array;
  readonly #left: number;
  readonly #top: number;
  readonly #size: number;
  readonly #columns: number;
  readonly #lines: number;
  /** Where the points of each square begin in `#members`. */
  readonly #starts: Uint32Array;
  readonly #members: Uint32Array;

  constructor(x: Float32Array, y: Float32Array, bounds: Rect, wishedSize: number) {
    this.#x = x;
    this.#y = y;
    this.#left = bounds.left;
    this.#top = bounds.top;
    const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
    this.#size = Math.max(wishedSize, width / MOST_SQUARES, height / MOST_SQUARES) || 1;
    this.#columns = Math.floor(width / this.#size) + 1;
    this.#lines = Math.floor(height / this.#size) + 1;
    this.#starts = new Uint32Array(this.#columns * this.#lines + 1);
    this.#members = new Uint32Array(x.length);
    this.#fill();
  }

  /** Counting sort: one pass to count, one to place. */
  #fill(): void {
    const squares = new Uint32Array(this.#x.length);
    for (let point = 0; point < squares.length; point++) {
      const column = this.#column(this.#x[point] as number);
      const square = this.#line(this.#y[point] as number) * this.#columns + column;
      squares[point] = square;
      this.#starts[square + 1] = (this.#starts[square + 1] as number) + 1;
    }
    for (let square = 1; square < this.#starts.length; square++) {
      this.#starts[square] =
        (this.#starts[square] as number) + (this.#starts[square - 1] as number);
    }
    const next = this.#starts.slice();
    for (let point = 0; point < squares.length; point++) {
      const square = squares[point] as number;
      const place = next[square] as number;
      this.#members[place] = point;
      next[square] = place + 1;
    }
  }

  /** Writes the points inside (borders count) into `found` and says how many there are. */
  within(left: number, top: number, right: number, bottom: number, found: Uint32Array): number {
    let count = 0;
    const [first, last] = [this.#column(left), this.#column(right)];
    const end = this.#line(bottom);
    for (let line = this.#line(top); line <= end; line++) {
      const from = this.#starts[line * this.#columns + first] as number;
      const to = this.#starts[line * this.#columns + last + 1] as number;
      for (let place = from; place < to; place++) {
        const point = this.#members[place] as number;
        const x = this.#x[point] as number;
        const y = this.#y[point] as number;
        if (x < left || x > right || y < top || y > bottom) continue;
        found[count++] = point;
      }
    }
    return count;
  }

  /** The nearest point that is at most so far away, or -1. The smaller ordinal wins a tie. */
  nearest(x: number, y: number, most: number, wanted?: (point: number) => boolean): number {
    let found = -1;
    let least = most * most;
    const [first, last] = [this.#column(x - most), this.#column(x + most)];
    const end = this.#line(y + most);
    for (let line = this.#line(y - most); line <= end; line++) {
      const from = this.#starts[line * this.#columns + first] as number;
      const to = this.#starts[line * this.#columns + last + 1] as number;
      for (let place = from; place < to; place++) {
        const point = this.#members[place] as number;
        const dx = (this.#x[point] as number) - x;
        const dy = (this.#y[point] as number) - y;
        const distance = dx * dx + dy * dy;
        if (distance > least || (distance === least && found >= 0 && point > found)) continue;
        if (wanted && !wanted(point)) continue;
        least = distance;
        found = point;
      }
    }
    return found;
  }

  #column(x: number): number {
    return Math.min(Math.max(Math.floor((x - this.#left) / this.#size), 0), this.#columns - 1);
  }

  #line(y: number): number {
    return Math.min(Math.max(Math.floor((y - this.#top) / this.#size), 0), this.#lines - 1);
  }
}

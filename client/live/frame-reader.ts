/** One event of the stream. */
export type Frame = Readonly<{ event: string; data: Record<string, unknown> }>;

/** A return at the very end may be the first half of a line's end. */
const LINE_END = /\r\n|\n|\r(?!$)/;
/** No server says so much in one frame: whoever does is something else. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Puts together frames from pieces that end anywhere, as server-sent events are written. */
export class FrameReader {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #event = '';
  #data = '';
  /** What the server last asked for; null: nothing yet. */
  retry_ms: number | null = null;

  read(bytes: Uint8Array): Frame[] {
    this.#rest += this.#decoder.decode(bytes, { stream: true });
    const lines = this.#rest.split(LINE_END);
    this.#rest = lines.pop() ?? '';
    const frames = lines.flatMap((line) => this.#take(line) ?? []);
    if (this.#rest.length + this.#data.length > MOST_CHARACTERS) {
      throw new RangeError('a frame of the stream has no end');
    }
    return frames;
  }

  #take(line: string): Frame | null {
    if (line === '') return this.#end();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.#event = value;
    if (name === 'data') this.#data += `${value}\n`;
    if (name === 'retry' && /^\d+$/.test(value)) this.retry_ms = Number(value);
    return null;
  }

  #end(): Frame | null {
    const [event, data] = [this.#event, this.#data];
    this.#event = '';
    this.#data = '';
    return event && data ? { event, data: JSON.parse(data) } : null;
  }
}

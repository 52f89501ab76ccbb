/** One event of the stream. */
export type Frame = Readonly<{ event: string; data: Record<string, unknown> }>;

/** Puts together frames from pieces that end anywhere, as server-sent events are written. */
export class FrameReader {
  readonly #decoder = new TextDecoder();
  #rest = '';
  /** What the server last asked for; null: nothing yet. */
  retry_ms: number | null = null;

  read(bytes: Uint8Array): Frame[] {
    this.#rest += this.#decoder.decode(bytes, { stream: true });
    const blocks = this.#rest.split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => this.#frameOf(block) ?? []);
  }

  #frameOf(block: string): Frame | null {
    const fields = new Map(
      block.split('\n').map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
      }),
    );
    const retry = fields.get('retry');
    if (retry) this.retry_ms = Number(retry);
    const event = fields.get('event');
    const data = fields.get('data');
    return event && data ? { event, data: JSON.parse(data) } : null;
  }
}

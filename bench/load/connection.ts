import { connect, type Socket } from 'node:net';

/**
 * One connection that is kept alive, one request at a time. No more of HTTP than answers with a
 * content-length need: a complete client took as much of the processor as the server it measured.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #received = '';
  /** Letters until the answer is whole, once its head is there: long ones come in many pieces. */
  #needed = 0;
  #answered: ((status: number) => void) | null = null;
  /** Of the last answer. */
  body = '';
  head = '';
  /** What the last answer said about coming back; 1 when it said nothing. */
  retryAfter_s = 1;

  private constructor(socket: Socket) {
    this.#socket = socket;
    // One letter for each byte, so that lengths are lengths.
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#receive(chunk));
    socket.on('error', () => this.#answer(0));
    socket.on('close', () => this.#answer(0));
  }

  static open(address: URL): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: address.hostname, port: Number(address.port), noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new HttpConnection(socket));
      });
    });
  }

  /** The status of the answer; 0 when the connection ended without one. */
  send(request: string): Promise<number> {
    return new Promise((resolve) => {
      this.#answered = resolve;
      if (this.#socket.destroyed) this.#answer(0);
      else this.#socket.write(request, 'latin1');
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(chunk: string): void {
    this.#received += chunk;
    if (this.#received.length < this.#needed) return;
    const head = this.#received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#received)?.[1];
    this.#needed = head + 4 + Number(length ?? 0);
    if (this.#received.length < this.#needed) return;
    this.#needed = 0;
    const status = Number(this.#received.slice(9, 12));
    this.body = this.#received.slice(head + 4);
    this.head = this.#received.slice(0, head);
    const later = status === 503 ? /\r\nretry-after: (\d+)/i.exec(this.#received)?.[1] : undefined;
    this.retryAfter_s = Number(later ?? 1);
    this.#received = '';
    this.#answer(status);
  }

  #answer(status: number): void {
    const answered = this.#answered;
    this.#answered = null;
    answered?.(status);
  }
}

import { connect, type Socket } from 'node:net';

/** What came of a request: an answer; nothing was sent; or it was, and nobody knows. */
export type Reply =
  | Readonly<{ kind: 'answer'; status: number; replayed: boolean; text: string }>
  | Readonly<{ kind: 'unsent' }>
  | Readonly<{ kind: 'lost'; why: 'timeout' | 'hung up' | 'connection lost' }>;

/** How a request ends early, in milliseconds from now. */
type Patience = Readonly<{ timeout_ms: number; hangUp_ms: number | null }>;

/**
 * Kept connections to one address, a request at a time on each. It knows no more of HTTP than
 * answers with a content-length need: a complete client would take as much of the processor as
 * the servers that it puts under load.
 */
export class Connections {
  readonly #address: URL;
  readonly #idle: Connection[] = [];
  readonly #open = new Set<Connection>();
  under_way = 0;

  constructor(address: string) {
    this.#address = new URL(address);
  }

  async send(request: string, patience: Patience): Promise<Reply> {
    this.under_way++;
    try {
      const kept = this.#idle.pop();
      const connection = kept ?? (await this.#connect());
      if (!connection) return { kind: 'unsent' };
      const reply = await connection.send(request, patience);
      if (reply.kind === 'answer' && connection.isGood) this.#idle.push(connection);
      else this.#drop(connection);
      return reply;
    } finally {
      this.under_way--;
    }
  }

  close(): void {
    for (const connection of this.#open) connection.close();
    this.#idle.length = 0;
  }

  #drop(connection: Connection): void {
    connection.close();
    this.#open.delete(connection);
  }

  #connect(): Promise<Connection | null> {
    const { hostname: host, port } = this.#address;
    return new Promise((resolve) => {
      const socket = connect({ host, port: Number(port), noDelay: true });
      socket.once('error', () => resolve(null));
      socket.once('connect', () => {
        const connection = new Connection(socket, () => this.#forget(connection));
        this.#open.add(connection);
        resolve(connection);
      });
    });
  }

  /** The other side has ended it while nobody used it. */
  #forget(connection: Connection): void {
    this.#open.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
  }
}

class Connection {
  readonly #socket: Socket;
  #received = '';
  #waiting: ((reply: Reply) => void) | null = null;
  isGood = true;

  constructor(socket: Socket, onEnd: () => void) {
    this.#socket = socket;
    // One letter for each byte, so that lengths are lengths.
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#receive(chunk));
    const end = () => {
      this.isGood = false;
      this.#settle({ kind: 'lost', why: 'connection lost' });
      onEnd();
    };
    socket.on('error', end);
    socket.on('end', end);
    socket.on('close', end);
  }

  send(request: string, { timeout_ms, hangUp_ms }: Patience): Promise<Reply> {
    return new Promise((resolve) => {
      const give = (why: 'timeout' | 'hung up') => () => this.#settle({ kind: 'lost', why });
      const timeout = setTimeout(give('timeout'), timeout_ms);
      const hangUp = hangUp_ms === null ? null : setTimeout(give('hung up'), hangUp_ms);
      this.#waiting = (reply) => {
        clearTimeout(timeout);
        if (hangUp) clearTimeout(hangUp);
        resolve(reply);
      };
      if (this.#socket.destroyed) this.#settle({ kind: 'unsent' });
      else this.#socket.write(request, 'latin1');
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(chunk: string): void {
    this.#received += chunk;
    const head = this.#received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const headers = this.#received.slice(0, head);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(headers)?.[1] ?? 0);
    if (this.#received.length < head + 4 + length) return;
    const text = this.#received.slice(head + 4, head + 4 + length);
    this.#received = this.#received.slice(head + 4 + length);
    if (/\r\nconnection: close/i.test(headers)) this.isGood = false;
    const replayed = /\r\nidempotent-replayed: true/i.test(headers);
    this.#settle({ kind: 'answer', status: Number(headers.slice(9, 12)), replayed, text });
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (reply.kind === 'lost') this.isGood = false;
    waiting?.(reply);
  }
}

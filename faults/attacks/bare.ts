import { connect, type Socket } from 'node:net';

/** All that came back on a connection, and whether the other side has ended it. */
export type Heard = Readonly<{ text: string; ended: boolean }>;

/**
 * Writes bytes as they are and listens until the other side ends the connection or the bound is
 * over. A reset is an end like any other.
 */
export function sayBare(
  address: string,
  bytes: string | Buffer | readonly (string | Buffer)[],
  bound_ms: number,
): Promise<Heard> {
  const socket = openBare(address);
  const parts = Array.isArray(bytes) ? bytes : [bytes];
  for (const part of parts) socket.write(part);
  return listen(socket, bound_ms);
}

export function openBare(address: string): Socket {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  // Half of the attacks here end with a reset.
  socket.on('error', () => {});
  return socket;
}

export function listen(socket: Socket, bound_ms: number): Promise<Heard> {
  return new Promise((resolve) => {
    let text = '';
    const bound = setTimeout(() => finish(false), bound_ms);
    const finish = (ended: boolean) => {
      clearTimeout(bound);
      resolve({ text, ended });
      socket.destroy();
    };
    socket.on('data', (chunk) => {
      if (text.length < 1_000_000) text += chunk;
    });
    socket.on('close', () => finish(true));
  });
}

/** The status lines of everything that was answered on one connection. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

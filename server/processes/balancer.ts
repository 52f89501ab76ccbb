import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export type Balancer = Readonly<{ address: string; stop(): Promise<void> }>;

/**
 * A very small balancer for trying several nodes on one machine: each new connection goes to the
 * next node, and to the one after it when that does not answer. It looks at no byte.
 */
export async function startBalancer(
  nodes: readonly string[],
  listen: { host: string; port: number },
): Promise<Balancer> {
  const targets = nodes.map((address) => new URL(address));
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer({ noDelay: true }, (client) => {
    open.add(client);
    client.once('close', () => open.delete(client));
    client.on('error', () => client.destroy());
    void pass(client, targets, turn++);
  });
  server.listen(listen);
  await listening(server, listen.port);
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://${listen.host}:${port}`,
    stop: async () => {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}

async function listening(server: Server, port: number): Promise<void> {
  try {
    await once(server, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw isTaken ? new Error(`PORT: ${port} is already in use`) : error;
  }
}

async function pass(client: Socket, targets: readonly URL[], turn: number): Promise<void> {
  for (let tries = 0; tries < targets.length; tries++) {
    const target = targets[(turn + tries) % targets.length];
    const upstream = target && (await reach(target));
    if (!upstream) continue;
    upstream.on('error', () => client.destroy());
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
    return;
  }
  client.destroy();
}

function reach({ hostname, port }: URL): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const onError = () => resolve(null);
    socket.once('error', onError);
    socket.once('connect', () => {
      socket.off('error', onError);
      resolve(socket);
    });
  });
}

import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

export type HttpProxy = Readonly<{
  address: string;
  /** Requests that are on their way through it. */
  open(): number;
  stop(): void;
}>;

/** Headers that are between neighbours, and not passed on. */
const OWN = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer'];

/**
 * A reverse proxy as they are in front of most servers: it reads requests and answers, writes its
 * own, names the visitor in X-Forwarded-For, and passes a body on as it comes.
 */
export async function startHttpProxy(target: () => string): Promise<HttpProxy> {
  let open = 0;
  const server = createServer((incoming, outgoing) => {
    open++;
    outgoing.once('close', () => open--);
    const from = String(incoming.headers['x-visitor'] ?? incoming.socket.remoteAddress);
    const headers = { ...incoming.headers, 'x-forwarded-for': from };
    for (const name of OWN) delete headers[name as keyof typeof headers];
    const url = new URL(incoming.url ?? '/', target());
    const upstream = request(url, { method: incoming.method, headers }, (answer) => {
      const passed = { ...answer.headers };
      for (const name of OWN) delete passed[name];
      outgoing.writeHead(answer.statusCode ?? 502, passed);
      outgoing.flushHeaders();
      pipeline(answer, outgoing, () => {});
    });
    upstream.on('error', () => outgoing.destroy());
    outgoing.once('close', () => upstream.destroy());
    pipeline(incoming, upstream, () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    open: () => open,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

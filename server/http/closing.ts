import type { Socket } from 'node:net';
import { systemClock } from '@voelgoed/engine/kit';
import type { FastifyInstance } from 'fastify';

/** For a request that was on its way when the listener went. */
const GRACE_MS = 500;

/**
 * While closing, tell clients with open connections to come back on a new one, to another node.
 * Browsers open connections before they need them. Node does not count one that never said
 * anything as idle, and would wait for it as long as for a request.
 */
export function closePolitely(http: FastifyInstance, isClosing: () => boolean): void {
  const silent = new Set<Socket>();
  http.server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  http.server.on('request', ({ socket }) => silent.delete(socket));
  http.addHook('preClose', async () => {
    void systemClock.sleep(GRACE_MS).then(() => {
      for (const socket of silent) socket.destroy();
    });
  });
  http.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing()) reply.header('connection', 'close');
    done(null, payload);
  });
}

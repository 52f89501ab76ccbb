import { once } from 'node:events';
import { connect } from 'node:net';
import type { RedisServer } from './server.ts';

/** Everything that a server executes from now on, also inside scripts, one command per line. */
export async function monitor({ port }: RedisServer) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.write('MONITOR\r\n');
  await once(socket, 'data');
  socket.on('data', (chunk) => {
    text += chunk;
  });
  return {
    /** The names of commands about keys that contain this. */
    commandsAbout: (part: string): string[] =>
      text
        .split('\n')
        .filter((line) => line.includes(part))
        .map((line) => (/\] "([^"]+)"/.exec(line)?.[1] ?? '').toLowerCase()),
    stop: () => socket.destroy(),
  };
}

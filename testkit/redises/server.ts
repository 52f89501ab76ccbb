import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { systemClock } from '@voelgoed/engine/kit';
import { RedisConnection } from '@voelgoed/engine/redis';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { afterAll, beforeAll } from 'vitest';
import { eventually } from '#eventually';
import { aTestFolder, redisServer } from '#services';

export type RedisServer = Readonly<{
  url: string;
  port: number;
  /** One command, as an operator would give it. */
  command(name: string, ...words: readonly (string | number | Buffer)[]): Promise<unknown>;
  kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Starts it again on the same port, with nothing in it. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}>;

/** For whoever looks in from outside, also at a server that is busy. */
const COMMAND_MS = 5_000;

/** A Redis on a port of its own that keeps nothing on disk. */
export async function startRedisServer(
  settings: Readonly<Record<string, string>> = {},
  folder?: string,
): Promise<RedisServer> {
  const command = await redisServer();
  const home = folder ?? (await aTestFolder('redis'));
  const port = await freePort();
  const flags = { port: String(port), bind: '127.0.0.1', dir: home, save: '', ...settings };
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  let child: ChildProcess | null = null;
  const start = async () => {
    child = spawn(command, args, { cwd: home, stdio: 'ignore' });
    await eventually(() => answers(port), { within_ms: 10_000, every_ms: 20 });
  };
  await start();
  const url = `redis://127.0.0.1:${port}`;
  const tools = { clock: systemClock, telemetry: silentTelemetry, command_ms: COMMAND_MS };
  const connection = new RedisConnection({ url, ...tools });
  const kill = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    if (signal === 'SIGKILL' || signal === 'SIGTERM') await gone;
  };
  return {
    url,
    port,
    command: async (name, ...words) => {
      if (!(await connection.isUp())) {
        await connection.connect();
        await eventually(() => connection.isUp());
      }
      return connection.call(name, ...words);
    },
    kill,
    restart: async () => {
      await kill('SIGKILL');
      await start();
    },
    stop: async () => {
      connection.close();
      await kill('SIGCONT');
      await kill('SIGKILL');
    },
  };
}

/** A server for the whole test file. */
export function useRedis(settings: Readonly<Record<string, string>> = {}): () => RedisServer {
  let server: RedisServer | undefined;
  beforeAll(async () => {
    server = await startRedisServer(settings);
  });
  afterAll(() => server?.stop());
  return () => {
    if (!server) throw new Error('the server is there inside tests only');
    return server;
  };
}

/** Asked of the kernel; somebody else may be faster, which the start then notices. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const settle = (answer: boolean) => {
      resolve(answer);
      socket.destroy();
    };
    socket.once('data', (reply) => settle(reply.toString().startsWith('+PONG')));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
  });
}

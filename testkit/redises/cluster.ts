import { afterAll, beforeAll } from 'vitest';
import { eventually } from '#eventually';
import { freePort, type RedisServer, startRedisServer } from './server.ts';

export type RedisCluster = Readonly<{
  url: string;
  nodes: readonly RedisServer[];
  stop(): Promise<void>;
}>;

const MASTERS = 3;
const SLOTS = 16_384;

/** Three masters that share all slots. */
export async function startCluster(folderOf?: () => Promise<string>): Promise<RedisCluster> {
  const nodes: RedisServer[] = [];
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    for (let index = 0; index < MASTERS; index++) nodes.push(await startMaster(folderOf));
    await join(nodes);
  } catch (error) {
    await stop();
    throw error;
  }
  const [first, ...others] = nodes.map(({ port }) => `127.0.0.1:${port}`);
  return { url: [`redis://${first}`, ...others].join(','), nodes, stop };
}

async function startMaster(folderOf?: () => Promise<string>): Promise<RedisServer> {
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-port': String(await freePort()),
    'cluster-node-timeout': '2000',
    'cluster-config-file': 'nodes.conf',
  };
  return startRedisServer(settings, await folderOf?.());
}

async function join(nodes: readonly RedisServer[]): Promise<void> {
  const share = Math.ceil(SLOTS / nodes.length);
  for (const [index, node] of nodes.entries()) {
    const last = Math.min(SLOTS, (index + 1) * share) - 1;
    await node.command('cluster', 'addslotsrange', index * share, last);
    const [bus] = (await node.command('config', 'get', 'cluster-port').then(valuesOf)) ?? [];
    for (const other of nodes) {
      await other.command('cluster', 'meet', '127.0.0.1', node.port, bus ?? '0');
    }
  }
  for (const node of nodes) {
    const info = async () => String(await node.command('cluster', 'info'));
    await eventually(async () => {
      const text = await info();
      return text.includes('cluster_state:ok') && text.includes(`cluster_known_nodes:${MASTERS}`);
    });
  }
}

function valuesOf(answer: unknown): string[] {
  return (answer as string[]).slice(1);
}

/** A cluster for the whole test file. */
export function useCluster(): () => RedisCluster {
  let cluster: RedisCluster | undefined;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.stop());
  return () => {
    if (!cluster) throw new Error('the cluster is there inside tests only');
    return cluster;
  };
}

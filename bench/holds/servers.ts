import { fileURLToPath } from 'node:url';
import { Child } from '#children';
import { LoadProcess } from '#load';
import { CREATE_TABLES, NAIVE_PROGRAM } from '#naive';
import type { Stage } from '#stage';
import { Fleet } from '#writer';

export const NODE_PROGRAM = fileURLToPath(new URL('./node-program.ts', import.meta.url));
/** As many as the writers of a node have. */
const CONNECTIONS = 8;

export type Server = Readonly<{ address: string; pid: number }>;

/** Everything that takes part, each in a process of its own. */
export type Servers = Readonly<{
  node: Server;
  naive: Server;
  fleet: Fleet;
  load: LoadProcess;
  stop(): Promise<void>;
}>;

/** `profile` is a folder where the node leaves a profile of its processor when it ends. */
export async function startServers(stage: Stage, profile: string | undefined): Promise<Servers> {
  await stage.asSuperuser(CREATE_TABLES);
  const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const node = new Child(NODE_PROGRAM, flags);
  const naive = new Child(NAIVE_PROGRAM);
  const load = new LoadProcess();
  const { ownerUrl, authSecret } = stage.services;
  const options = { url: stage.address.appUrl, secret: authSecret, connections: CONNECTIONS };
  const [nodeAddress, naiveAddress, fleet] = await Promise.all([
    node.ask<string>({ ownerUrl, authSecret, redisUrl: null }),
    naive.ask<string>(options),
    Fleet.start(1, stage.address),
  ]);
  return {
    node: { address: nodeAddress, pid: node.pid },
    naive: { address: naiveAddress, pid: naive.pid },
    fleet,
    load,
    stop: async () => {
      await Promise.all([node.stop(), naive.stop(), fleet.stop(), load.stop()]);
    },
  };
}

import { Child } from '#children';
import type { Bench, Server } from '#contest';
import { LoadProcess } from '#load';
import { CREATE_TABLES, NAIVE_PROGRAM } from '#naive';
import { type OwnNode, startOwnNode } from '#node';
import { CREATE_REFERENCE_TABLES, startReference } from '#references';
import { type OpenRedis, openRedis } from '#stage';
import { Fleet } from '#writer';

/** As many as the writers of a node have. */
const CONNECTIONS = 8;

/** Everything that takes part, each in a process of its own. */
export type Servers = Readonly<{
  node: OwnNode;
  warm: OwnNode;
  naive: Server;
  statement: Server;
  locking: Server;
  fleet: Fleet;
  load: LoadProcess;
  stop(): Promise<void>;
}>;

export async function startServers({ stage, profile }: Bench): Promise<Servers> {
  await stage.asSuperuser(CREATE_TABLES);
  await stage.asSuperuser(CREATE_REFERENCE_TABLES);
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  const kept = async <One extends { stop(): Promise<unknown> }>(starting: Promise<One>) => {
    const one = await starting;
    undo.push(() => one.stop());
    return one;
  };
  try {
    const redis: OpenRedis = await kept(openRedis());
    const { writerUrl: url } = stage.address;
    const secret = stage.services.authSecret;
    const node = await kept(startOwnNode(stage, { name: 'holds', profile }));
    const redisUrl = redis.url;
    const warm = await kept(startOwnNode(stage, { name: 'holds with Redis', profile, redisUrl }));
    const statement = await kept(startReference({ kind: 'statement', url, secret }));
    const locking = await kept(startReference({ kind: 'locking', url, secret, redisUrl }));
    const fleet = await kept(Fleet.start(1, stage.address));
    const child = new Child(NAIVE_PROGRAM);
    undo.push(() => child.stop());
    const address = await child.ask<string>({ url, secret, connections: CONNECTIONS });
    const naive = { address, pid: child.pid };
    const load = new LoadProcess();
    undo.push(() => load.stop());
    return { node, warm, naive, statement, locking, fleet, load, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

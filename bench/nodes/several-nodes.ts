import type { Bench, Contestant } from '#contest';
import type { Hall } from '#halls';
import type { Figure } from '#measure';
import { type OwnNode, startOwnNode } from '#node';
import { type OpenRedis, openRedis } from '#stage';

const CONNECTIONS = 64;

/** Nodes that share a Redis, as several do. They end with the work. */
export async function withNodes(
  { stage, profile }: Bench,
  name: string,
  count: number,
  work: (nodes: readonly OwnNode[]) => Promise<Figure[]>,
): Promise<Figure[]> {
  const redis: OpenRedis = await openRedis();
  const nodes: OwnNode[] = [];
  try {
    for (let index = 0; index < count; index++) {
      const wishes = { name: `${name} ${index + 1}`, profile, redisUrl: redis.url };
      nodes.push(await startOwnNode(stage, wishes));
    }
    return await work(nodes);
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    await redis.stop();
  }
}

/** Connections go to all of them in turn, to one event or to one for each node. */
export function severalNodes(
  { halls }: Bench,
  hall: Hall,
  nodes: readonly OwnNode[],
  { name, isShared }: { name: string; isShared: boolean },
): Contestant {
  return {
    name,
    servers: nodes,
    prepare: async () => {
      const events = [];
      for (const _ of isShared ? nodes.slice(0, 1) : nodes) events.push(await halls.sale(hall));
      const eventIds = events.map(({ eventId }) => eventId);
      for (const [index, { address }] of nodes.entries()) {
        await fetch(`${address}/api/events/${eventIds[index % eventIds.length]}/availability`);
      }
      const [first, ...others] = nodes.map(({ address }) => address);
      const [eventId = ''] = eventIds;
      const aim = { address: first ?? '', others, eventId, eventIds, seatIds: hall.seatIds };
      const play = { kind: 'reserve' } as const;
      return { aim: { ...aim, keys: false }, play, connections: CONNECTIONS };
    },
  };
}

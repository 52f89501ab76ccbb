/** One node as a process of its own, started by `start.ts --nodes`. */
import { reasonOf } from '@voelgoed/engine/kit';
import { readConfig } from '#config';
import { watchBugs } from './bugs.ts';
import { Ending } from './ending.ts';
import { type NodeOptions, type RunningNode, startNode } from './node.ts';

export type NodeOrder = Omit<NodeOptions, 'config'>;
export type NodeAnswer = Readonly<{ address: string } | { problem: string }>;

let node: RunningNode | undefined;

/** The port that the environment names is the balancer's; nodes take free ones. */
async function start(services: NodeOrder): Promise<NodeAnswer> {
  const result = readConfig({ ...process.env, PORT: '0', HOST: '127.0.0.1' });
  if (result.kind === 'problems') return { problem: result.problems.join('; ') };
  node = await startNode({ ...services, config: result.config });
  return { address: node.address };
}

const ending = new Ending([() => node?.stop()]);

process.on('message', (services: NodeOrder) => {
  start(services)
    .catch((error: unknown): NodeAnswer => ({ problem: reasonOf(error) }))
    .then((answer) => process.send?.(answer));
});
// The terminal sends Ctrl-C to everybody; whoever started us says when it is time.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => void ending.end(0));
process.on('disconnect', () => void ending.end(0));
watchBugs(
  () => node?.bug,
  (error) => {
    console.error(`a node cannot go on: ${reasonOf(error)}`);
    void ending.end(1);
  },
);

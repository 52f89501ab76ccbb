import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Config } from '#config';
import { startBalancer } from './balancer.ts';
import type { RunningNode } from './node.ts';
import type { NodeAnswer, NodeOrder } from './node-program.ts';

const PROGRAM = fileURLToPath(new URL('./node-program.ts', import.meta.url));
const MOST_NODES = 16;

/** How many nodes `--nodes` asks for; 1 when it is not said. */
export function nodesIn(args: readonly string[]): number {
  const at = args.indexOf('--nodes');
  if (at < 0) return 1;
  const count = Number(args[at + 1]);
  if (Number.isInteger(count) && count >= 1 && count <= MOST_NODES) return count;
  throw new Error(`--nodes wants a number from 1 to ${MOST_NODES}`);
}

/** Some nodes on the same services behind one address, for trying how they agree. */
export async function startNodes(
  count: number,
  config: Config,
  services: NodeOrder,
): Promise<Pick<RunningNode, 'address' | 'stop'> & { nodes: readonly string[] }> {
  const children: ChildProcess[] = [];
  const stopNodes = async () => {
    await Promise.all(children.map(end));
  };
  try {
    const nodes: string[] = [];
    // One after the other: the first one brings the demo data.
    for (let index = 0; index < count; index++) {
      const child = fork(PROGRAM, { execArgv: [], env: unwatched(process.env) });
      children.push(child);
      nodes.push(await addressOf(child, services));
    }
    const balancer = await startBalancer(nodes, config);
    const stop = async () => {
      await balancer.stop();
      await stopNodes();
    };
    return { nodes, address: balancer.address, stop };
  } catch (error) {
    await stopNodes();
    throw error;
  }
}

/** Under `--watch` Node would have every node tell us what it imports, before what we ask for. */
function unwatched(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { WATCH_REPORT_DEPENDENCIES: _, ...rest } = environment;
  return rest;
}

async function addressOf(child: ChildProcess, services: NodeOrder): Promise<string> {
  child.send(services);
  const [answer] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => [{ problem: 'a node has ended' }]),
  ])) as [NodeAnswer];
  if ('problem' in answer) throw new Error(answer.problem);
  return answer.address;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

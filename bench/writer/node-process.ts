import { reasonOf } from '@voelgoed/engine/kit';
import { BenchNode } from './bench-node.ts';
import type { NodeAnswer, NodeMessage } from './round.ts';

let node: BenchNode | null = null;

async function obey(message: NodeMessage): Promise<NodeAnswer> {
  if (message.kind === 'join') node = new BenchNode(message.address);
  if (message.kind === 'prepare') await node?.prepare(message.round);
  if (message.kind === 'go' && node) return { kind: 'report', report: await node.go() };
  if (message.kind === 'leave') await node?.close();
  return { kind: 'ready' };
}

process.on('message', (message: NodeMessage) => {
  obey(message)
    .catch((error: unknown): NodeAnswer => ({ kind: 'failed', reason: reasonOf(error) }))
    .then((answer) => {
      process.send?.(answer);
      if (message.kind === 'leave') process.disconnect();
    });
});
// Without the process that asks there is nothing left to do.
process.on('disconnect', () => process.exit());

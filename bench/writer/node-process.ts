import { obey } from '#children';
import { BenchNode } from './bench-node.ts';
import type { NodeMessage } from './round.ts';

let node: BenchNode | null = null;

obey<NodeMessage>(
  async (message) => {
    if (message.kind === 'join') node = new BenchNode(message.address);
    if (message.kind === 'prepare') await node?.prepare(message.round);
    return message.kind === 'go' ? node?.go() : null;
  },
  async () => node?.close(),
);

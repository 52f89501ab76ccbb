import { fileURLToPath } from 'node:url';
import { Child } from '#children';
import type { StageAddress } from '#stage';
import type { NodeMessage, Round, RoundReport } from './round.ts';

const PROGRAM = fileURLToPath(new URL('./node-process.ts', import.meta.url));

/** Seats at the end of a share, which open connections before a round begins. */
const RESERVED = 16;

/** Node processes that live through all rounds, so that every round finds them warm. */
export class Fleet {
  readonly #nodes: readonly Child[];

  private constructor(nodes: readonly Child[]) {
    this.#nodes = nodes;
  }

  static async start(size: number, address: StageAddress): Promise<Fleet> {
    const nodes = Array.from({ length: size }, () => new Child(PROGRAM));
    await Promise.all(nodes.map((node) => tell(node, { kind: 'join', address })));
    return new Fleet(nodes);
  }

  /** The same round on some nodes at once, each with its own share of the seats. */
  async run(
    nodes: number,
    round: Round,
    /** Everything is loaded and connected. */
    onReady: () => Promise<void> = async () => {},
  ): Promise<RoundReport[]> {
    const used = this.#nodes.slice(0, nodes);
    const share = Math.floor((round.to - round.from) / nodes);
    const rounds = used.map((_, index) => {
      const from = round.from + index * share;
      return { ...round, from, to: from + share - RESERVED };
    });
    await Promise.all(
      used.map((node, index) => tell(node, { kind: 'prepare', round: rounds[index] ?? round })),
    );
    await onReady();
    return Promise.all(used.map((node) => tell<RoundReport>(node, { kind: 'go' })));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.stop()));
  }
}

function tell<Answer = null>(node: Child, message: NodeMessage): Promise<Answer> {
  return node.ask<Answer>(message);
}

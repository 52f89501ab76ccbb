import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { StageAddress } from '#stage';
import type { NodeAnswer, NodeMessage, Round, RoundReport } from './round.ts';

const PROGRAM = fileURLToPath(new URL('./node-process.ts', import.meta.url));

/** Node processes that live through all rounds, so that every round finds them warm. */
export class Fleet {
  readonly #nodes: readonly ChildProcess[];

  private constructor(nodes: readonly ChildProcess[]) {
    this.#nodes = nodes;
  }

  static async start(size: number, address: StageAddress): Promise<Fleet> {
    const nodes = Array.from({ length: size }, () => fork(PROGRAM));
    await Promise.all(nodes.map((node) => ask(node, { kind: 'join', address })));
    return new Fleet(nodes);
  }

  /** The same round on some nodes at once, each with its own share of the seats. */
  async run(
    nodes: number,
    round: Round,
    /** Everything is loaded and connected. */
    onReady: () => Promise<void>,
  ): Promise<RoundReport[]> {
    const used = this.#nodes.slice(0, nodes);
    const share = Math.floor((round.to - round.from) / nodes);
    const rounds = used.map((_, index) => {
      const from = round.from + index * share;
      return { ...round, from, to: from + share - RESERVED };
    });
    await Promise.all(
      used.map((node, index) => ask(node, { kind: 'prepare', round: rounds[index] ?? round })),
    );
    await onReady();
    const answers = await Promise.all(used.map((node) => ask(node, { kind: 'go' })));
    return answers.flatMap((answer) => (answer.kind === 'report' ? [answer.report] : []));
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#nodes.map(async (node) => {
        if (!node.connected) return;
        const gone = once(node, 'exit');
        node.send({ kind: 'leave' } satisfies NodeMessage);
        await gone;
      }),
    );
  }
}

/** Seats at the end of a share, which open connections before a round begins. */
const RESERVED = 16;

async function ask(node: ChildProcess, message: NodeMessage): Promise<NodeAnswer> {
  const answered = new Promise<NodeAnswer>((resolve, reject) => {
    const onExit = () => reject(new Error('a node process has ended'));
    node.once('exit', onExit);
    node.once('message', (answer: NodeAnswer) => {
      node.off('exit', onExit);
      resolve(answer);
    });
  });
  node.send(message);
  const answer = await answered;
  if (answer.kind === 'failed') throw new Error(answer.reason);
  return answer;
}

import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Child } from '#children';
import type { Stage } from '#stage';
import type { NodeMessage } from './node-program.ts';
import type { Memory, Pulse } from './pulse.ts';

const PROGRAM = 'node-program.ts';
const HERE = fileURLToPath(new URL('.', import.meta.url));

export type NodeWishes = Readonly<{
  /** For its profile: which suite, which part in it. */
  name: string;
  /** A folder where it leaves a profile of its processor when it ends. */
  profile?: string | undefined;
  redisUrl?: string | null;
  counted?: boolean;
  roundTrips?: boolean;
  /** The folder of another checkout whose node it is to be. */
  checkout?: string | undefined;
}>;

/** A node of this product in a process of its own. */
export type OwnNode = Readonly<{
  address: string;
  pid: number;
  memory(): Promise<Memory>;
  pulse(): Promise<Pulse>;
  stop(): Promise<void>;
}>;

export async function startOwnNode(
  { services }: Pick<Stage, 'services'>,
  { name, profile, redisUrl = null, counted = true, roundTrips = false, checkout }: NodeWishes,
): Promise<OwnNode> {
  const folder = checkout === undefined ? HERE : join(resolve(checkout), 'bench', 'node');
  const flags = profile === undefined ? [] : profileFlags(profile, name);
  const child = new Child(join(folder, PROGRAM), flags);
  const ask = <Answer>(message: NodeMessage) => child.ask<Answer>(message);
  try {
    const { ownerUrl, authSecret, paymentSecret } = services;
    const told = { ownerUrl, authSecret, paymentSecret, redisUrl, counted, roundTrips };
    const address = await ask<string>({ kind: 'start', ...told });
    return {
      address,
      pid: child.pid,
      memory: () => ask({ kind: 'memory' }),
      pulse: () => ask({ kind: 'pulse' }),
      stop: () => child.stop(),
    };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** A folder for each node: it has threads, and each of them leaves a file. */
function profileFlags(folder: string, name: string): string[] {
  const own = join(folder, name.replaceAll(/[^a-z0-9]+/gi, '-'));
  return ['--cpu-prof', `--cpu-prof-dir=${own}`];
}

import { fileURLToPath } from 'node:url';
import { Child } from '#children';
import type { ReferenceOptions } from './reference-server.ts';

const PROGRAM = fileURLToPath(new URL('./reference-program.ts', import.meta.url));
/** As many as the writers of a node have. */
const CONNECTIONS = 8;

export type Reference = Readonly<{ address: string; pid: number; stop(): Promise<void> }>;

type Wishes = Pick<ReferenceOptions, 'kind' | 'url' | 'secret'> & { redisUrl?: string };

export async function startReference(wishes: Wishes): Promise<Reference> {
  const child = new Child(PROGRAM);
  const options = { redisUrl: '', connections: CONNECTIONS, ...wishes };
  const address = await child.ask<string>(options);
  return { address, pid: child.pid, stop: () => child.stop() };
}

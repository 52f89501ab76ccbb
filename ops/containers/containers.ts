/**
 * Containers: the Dockerfile and the compose file as data, for whoever checks them without a
 * container. It reads the few instructions that we use and knows nothing of images.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const OPS = fileURLToPath(new URL('..', import.meta.url));

export type Instruction = Readonly<{ name: string; rest: string }>;

/** Stages in order; each begins with its FROM. */
export async function readDockerfile(): Promise<Instruction[][]> {
  const text = await readFile(`${OPS}/Dockerfile`, 'utf8');
  const lines = text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === '') throw new Error(`this is no instruction: ${line}`);
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, rest });
  }
  return stages;
}

export type Service = Readonly<{
  image?: string;
  build?: Readonly<{ context: string; dockerfile: string }>;
  command?: readonly string[];
  environment?: Readonly<Record<string, string>>;
  volumes?: readonly string[];
  depends_on?: Readonly<Record<string, unknown>> | readonly string[];
  user?: string;
  read_only?: boolean;
}>;

export type Compose = Readonly<{
  services: Readonly<Record<string, Service>>;
  volumes: Readonly<Record<string, unknown>>;
}>;

export async function readCompose(): Promise<Compose> {
  return parse(await readFile(`${OPS}/compose.yml`, 'utf8')) as Compose;
}

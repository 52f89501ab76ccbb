/**
 * Containers: the Dockerfile and the compose file as data, for whoever checks them without a
 * container. It reads the few instructions that we use and knows nothing of images.
 */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { OPS } from './dockerfile.ts';

export { OPS, readDockerfile } from './dockerfile.ts';

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

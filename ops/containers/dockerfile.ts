import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

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

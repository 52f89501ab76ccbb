import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const SCHEMA = fileURLToPath(new URL('../../db/schema.sql', import.meta.url));
const INDEX = /^create (?:unique )?index (\S+) on /i;
const CONSTRAINT = /^\s*constraint (\S+) (?:primary key|unique)/i;

/** The names of all indexes that this version makes, as its generated schema has them. */
export async function expectedIndexes(): Promise<string[]> {
  const lines = (await readFile(SCHEMA, 'utf8')).split('\n');
  return lines.flatMap((line) => (INDEX.exec(line) ?? CONSTRAINT.exec(line))?.[1] ?? []).sort();
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Runs inside Redis: called by its hash, and sent whole to a server that does not know it. */
export type Script = Readonly<{ name: string; text: string; sha: string }>;

/** Read once, when the room that owns the file is loaded. */
export function readScript(file: URL): Script {
  const text = readFileSync(file, 'utf8');
  const name = file.pathname.replace(/^.*\//, '').replace(/\.lua$/, '');
  return { name, text, sha: createHash('sha1').update(text).digest('hex') };
}

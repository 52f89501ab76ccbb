import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Source } from './source.ts';

const ROOT = dirname(import.meta.dirname);

/** The lockfile is a few hundred kilobytes; nothing larger than this is text that people wrote. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Every text file that is or could be committed: untracked files count, ignored ones do not. */
export function readRepository(): Source[] {
  const command = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listing = execFileSync('git', command, { cwd: ROOT, encoding: 'utf8' });
  const files = new Set(listing.split('\0').filter((file) => file !== ''));
  return [...files].sort().flatMap(readText);
}

/** A file that was deleted and not yet committed is still listed; a binary file has zero bytes. */
function readText(file: string): Source[] {
  const path = join(ROOT, file);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > MOST_BYTES) return [];
  const text = readFileSync(path, 'utf8');
  return text.includes('\0') ? [] : [{ file, text }];
}

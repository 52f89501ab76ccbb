import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Which files each file of the repository names: imports, and paths of files that it reads. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const CODE =
  '{client,web,engine,server,faults,ops,testkit,bench,tidy,scripts}/**/*.{ts,svelte,mjs}';
const IGNORED = /(?:^|\/)(?:node_modules|dist|building-\d+)(?:\/|$)/;
const STRINGS = /(['"`])((?:\.{1,2}\/|#|@voelgoed\/|[a-z]+\/)[^'"`\s]+)\1/g;

/** `gone`: files that are not there any more, and may still be named. */
export function readImportGraph(root: string, gone: readonly string[] = []): ImportGraph {
  const files = globSync(CODE, { cwd: root }).filter((file) => !IGNORED.test(file));
  return new Map(files.map((file) => [file, namesIn(root, file, gone)]));
}

function namesIn(root: string, file: string, gone: readonly string[]): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = [...text.matchAll(STRINGS)].flatMap(([, , name = '']) => {
    const path = pathOf(file, name);
    const isKnown = path !== null && (gone.includes(path) || existsSync(join(root, path)));
    return isKnown ? [path] : [];
  });
  return [...new Set(found)].flatMap((path) =>
    statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()
      ? [...filesIn(root, path), ...gone.filter((one) => dirname(one) === path)]
      : [path],
  );
}

/** A folder that is named is read: migrations, for instance. Whole workspaces are not meant. */
function filesIn(root: string, folder: string): string[] {
  if (!folder.includes('/')) return [];
  return globSync(`${folder}/*`, { cwd: root }).filter((file) => !IGNORED.test(file));
}

/** The file that a specifier or a path in a text means, from the repository's root. */
export function pathOf(file: string, name: string): string | null {
  const [workspace = ''] = file.split('/');
  const entry = (home: string, module: string) => `${home}/${module}/${module}.ts`;
  if (name.startsWith('#')) return entry(workspace, name.slice(1));
  if (name.startsWith('@voelgoed/')) {
    const [, home = '', module = ''] = name.split('/');
    return entry(home, module);
  }
  if (!name.startsWith('.')) return normalize(name);
  const path = normalize(join(dirname(file), name));
  return path.startsWith('..') ? null : path.replace(/\/$/, '');
}

/** How many imports away each file is that depends on one of these; they themselves are 0 away. */
export function dependents(graph: ImportGraph, changed: readonly string[]): Map<string, number> {
  const importers = new Map<string, string[]>();
  for (const [file, names] of graph) {
    for (const name of names) importers.set(name, [...(importers.get(name) ?? []), file]);
  }
  const distances = new Map(changed.map((file) => [file, 0]));
  const queue = [...changed];
  for (const file of queue) {
    for (const importer of importers.get(file) ?? []) {
      if (distances.has(importer)) continue;
      distances.set(importer, (distances.get(file) ?? 0) + 1);
      queue.push(importer);
    }
  }
  return distances;
}

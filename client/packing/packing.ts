/**
 * Packing: makes the package that is published, from the sources that the workspace uses as they
 * are. It knows compilers and files; it is not part of the package. Shapes are written out as plain
 * types there, so that whoever installs it needs no other package, not even for its types.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';
import { plainShapes } from './plain-shapes.ts';

const HOUSE = fileURLToPath(new URL('..', import.meta.url));
const ENTRY = join(HOUSE, 'client/client.ts');
const SHAPES = 'shapes/shapes.d.ts';

const COMPILER: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  rewriteRelativeImportExtensions: true,
  rootDir: HOUSE,
  newLine: ts.NewLineKind.LineFeed,
};

export type Packed = Readonly<{ files: readonly string[]; bytes: number; gzip_bytes: number }>;

/** Builds into an empty folder; what was there is gone. The sizes are those of the code alone. */
export function buildPackage(folder: string): Packed {
  rmSync(folder, { recursive: true, force: true });
  const code = compile({ ...COMPILER, removeComments: true });
  const types = compile({ ...COMPILER, declaration: true, emitDeclarationOnly: true });
  types.set(SHAPES, plainShapes(readFileSync(join(HOUSE, 'shapes/shapes.ts'), 'utf8')));
  const files = new Map([...code, ...types]);
  for (const [name, text] of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, withoutShortcuts(name, text));
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  cpSync(join(HOUSE, 'README.md'), join(folder, 'README.md'));
  cpSync(join(HOUSE, '../LICENSE'), join(folder, 'LICENSE'));
  const all = [...code.values()].join('');
  return { files: [...files.keys()], bytes: all.length, gzip_bytes: gzipSync(all).length };
}

/** Every file that the entry needs, by its name in the package. */
function compile(options: ts.CompilerOptions): Map<string, string> {
  const program = ts.createProgram([ENTRY], { ...options, outDir: HOUSE });
  const problems = ts.getPreEmitDiagnostics(program);
  if (problems.length > 0) {
    const host = { getCanonicalFileName: String, getCurrentDirectory: () => HOUSE };
    throw new Error(ts.formatDiagnostics(problems, { ...host, getNewLine: () => '\n' }));
  }
  const files = new Map<string, string>();
  program.emit(undefined, (path, text) => {
    const name = relative(HOUSE, path);
    // Schemas are the server's; the client has only their types, which are written out.
    if (!name.startsWith('wire/') && text.trim() !== 'export {};') files.set(name, text);
  });
  return files;
}

/** `#room` means something inside the workspace only. */
function withoutShortcuts(name: string, text: string): string {
  const up = '../'.repeat(name.split('/').length - 1);
  const plain = text
    .replace(/(from |import\()(['"])#([a-z-]+)\2/g, `$1$2${up}$3/$3.js$2`)
    .replace(/(from |import\()(['"])(\.\/[a-z-]+)\.ts\2/g, '$1$2$3.js$2');
  if (/typebox|['"]#/.test(plain)) throw new Error(`${name} needs what is not in the package`);
  return plain;
}

/** What npm shows and bundlers read. */
function manifest() {
  const { name, version, license } = JSON.parse(
    readFileSync(join(HOUSE, 'package.json'), 'utf8'),
  ) as Record<string, string>;
  const [types, main] = ['./client/client.d.ts', './client/client.js'];
  return {
    name,
    version,
    description: 'Typed client of the Voelgoed Seating engine, for browsers and servers',
    keywords: ['seating', 'tickets', 'seat map', 'reservation'],
    license,
    type: 'module',
    sideEffects: false,
    types,
    exports: { '.': { types, default: main } },
    files: ['*/*.js', '*/*.d.ts'],
    engines: { node: '>=20' },
    publishConfig: { access: 'public' },
  };
}

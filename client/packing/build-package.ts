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
  declaration: true,
  emitDeclarationOnly: true,
  rootDir: HOUSE,
  outDir: HOUSE,
  newLine: ts.NewLineKind.LineFeed,
};

export type Packed = Readonly<{ files: readonly string[]; bytes: number; gzip_bytes: number }>;

/** Builds into an empty folder; what was there is gone. The sizes are those of the code alone. */
export function buildPackage(folder: string): Packed {
  rmSync(folder, { recursive: true, force: true });
  const program = ts.createProgram([ENTRY], COMPILER);
  const [code, types] = [codeOf(program), typesOf(program)];
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

/** What runs, without types and comments. */
function codeOf(program: ts.Program): Map<string, string> {
  const files = program.getSourceFiles().flatMap(({ fileName, text }): [string, string][] => {
    const name = relative(HOUSE, fileName).replace(/\.ts$/, '.js');
    if (fileName.endsWith('.d.ts') || isWire(name)) return [];
    const module = ts.ModuleKind.ESNext;
    const compilerOptions = { ...COMPILER, module, removeComments: true, declaration: false };
    const { outputText } = ts.transpileModule(text, { fileName, compilerOptions });
    return outputText.trim() === 'export {};' ? [] : [[name, outputText]];
  });
  return new Map(files);
}

/** What compilers read, with the comments. */
function typesOf(program: ts.Program): Map<string, string> {
  const problems = program.getDeclarationDiagnostics();
  if (problems.length > 0) {
    const host = { getCanonicalFileName: String, getCurrentDirectory: () => HOUSE };
    throw new Error(ts.formatDiagnostics(problems, { ...host, getNewLine: () => '\n' }));
  }
  const files = new Map<string, string>();
  program.emit(undefined, (path, text) => {
    const name = relative(HOUSE, path);
    if (!isWire(name)) files.set(name, text);
  });
  return files;
}

/** Schemas are the server's; the client has only their types, which are written out. */
function isWire(name: string): boolean {
  return name.startsWith('wire/') || name.startsWith('..');
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

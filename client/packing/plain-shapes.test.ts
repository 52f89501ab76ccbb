import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as wire from '#wire';
import { plainShapes } from './plain-shapes.ts';

const SOURCE = readFileSync(new URL('../shapes/shapes.ts', import.meta.url), 'utf8');
const FOLDER = fileURLToPath(new URL('../shapes/', import.meta.url));
const NAMES = [...SOURCE.matchAll(/^export type (\w+) = Static/gm)].map(([, name = '']) => name);

/** Schemas of addresses, which are arguments of methods, and parts of other shapes. */
const NOT_SHAPES =
  /Params$|^(?:Id|Instant|Drawing|LayoutDocument|ErrorReply|HoldSource|TicketStatus)$/;

/** Which of these files, which are only imagined, the compiler complains about. */
function complaints(files: Record<string, string>): string[] {
  const imagined = new Map(Object.entries(files).map(([name, text]) => [`${FOLDER}${name}`, text]));
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.fileExists = (path) => imagined.has(path) || existsSync(path);
  host.readFile = (path) => imagined.get(path) ?? readFileSync(path, 'utf8');
  host.getSourceFile = (path, ...rest) => {
    const text = imagined.get(path);
    return text === undefined
      ? getSourceFile(path, ...rest)
      : ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
  };
  const program = ts.createProgram([...imagined.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file }) => file?.fileName.replace(FOLDER, '') ?? '');
}

const COMPARE = `
import type * as ours from './shapes.ts';
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const same = <_Is extends true>() => {};
`;

describe('the types in the package', () => {
  it('are those that the workspace has from the schemas', () => {
    const plain = plainShapes(SOURCE);
    const compare = (with_: string) =>
      `import type * as plain from './${with_}.js';${COMPARE}${[...NAMES, 'ErrorCode']
        .map((name) => `same<Same<ours.${name}, plain.${name}>>();`)
        .join('\n')}`;
    expect(NAMES.length).toBeGreaterThan(110);
    // One field that is another one is found.
    const wrong = plain.replace('price_cents: number', 'price_cents: string');
    expect(wrong).not.toBe(plain);
    const files = { 'plain.d.ts': plain, 'same.ts': compare('plain') };
    const others = { 'wrong.d.ts': wrong, 'different.ts': compare('wrong') };
    expect(new Set(complaints({ ...files, ...others }))).toEqual(new Set(['different.ts']));
  }, 180_000);

  it('are there for every schema', () => {
    const schemas = Object.entries(wire)
      .filter(([, value]) => typeof value === 'object' && '~kind' in value)
      .map(([name]) => name);
    expect(schemas.length).toBeGreaterThan(100);
    const missing = schemas.filter((name) => !NOT_SHAPES.test(name) && !NAMES.includes(name));
    expect(missing).toEqual([]);
  });
});

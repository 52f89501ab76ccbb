import ts from 'typescript';
import { fileRule } from './rule.ts';
import { isCode, isTest, isTestChain, lineAt, lineOf, linesOf, nodesOf } from './source.ts';

/** Two files side by side on a laptop, and a whole function on one screen of a large display. */
export const MOST_COLUMNS = 100;
export const MOST_FILE_LINES = 400;
export const MOST_FUNCTION_LINES = 70;

/** The database writes this file, so nobody can shorten it. */
const GENERATED = ['db/schema.sql'];

function isMeasured(file: string): boolean {
  return (isCode(file) || file.endsWith('.sql')) && !GENERATED.includes(file);
}

export const lineLength = fileRule('line-length', isMeasured, (source) =>
  linesOf(source).flatMap((line, index) => {
    const columns = [...line].length;
    if (columns <= MOST_COLUMNS) return [];
    return [{ line: index + 1, message: `${columns} columns, at most ${MOST_COLUMNS}` }];
  }),
);

export const fileLength = fileRule('file-length', isMeasured, (source) => {
  const lines = linesOf(source).length;
  if (lines <= MOST_FILE_LINES) return [];
  const message = `${lines} lines, at most ${MOST_FILE_LINES}`;
  return [{ line: MOST_FILE_LINES + 1, message }];
});

export const functionLength = fileRule('function-length', isCode, (source) =>
  nodesOf(source)
    .filter(hasBody)
    .filter((node) => !(isTest(source.file) && isTestBlock(node)))
    .flatMap((node) => {
      const line = lineOf(source, node);
      const lines = lineAt(source, node.end) - line + 1;
      if (lines <= MOST_FUNCTION_LINES) return [];
      return [{ line, message: `a function of ${lines} lines, at most ${MOST_FUNCTION_LINES}` }];
    }),
);

function hasBody(node: ts.Node): boolean {
  const runs = ts.isFunctionLike(node) || ts.isClassStaticBlockDeclaration(node);
  return runs && 'body' in node && node.body !== undefined;
}

/** A block of tests is a list: its length says nothing about how hard it is to read. */
function isTestBlock(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && isTestChain(node.parent);
}

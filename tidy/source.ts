import ts from 'typescript';

/** One file of the repository; `file` is its path from the root. */
export type Source = Readonly<{ file: string; text: string }>;

/** Answers from memory the second time: many rules ask the same of the same file. */
export function oncePerSource<Answer extends object>(
  compute: (source: Source) => Answer,
): (source: Source) => Answer {
  const answers = new WeakMap<Source, Answer>();
  return (source) => {
    const answer = answers.get(source) ?? compute(source);
    answers.set(source, answer);
    return answer;
  };
}

export function isCode(file: string): boolean {
  return /\.(?:ts|mjs|svelte)$/.test(file);
}

export function isTest(file: string): boolean {
  return file.endsWith('.test.ts');
}

export function lineAt(source: Source, position: number): number {
  return source.text.slice(0, position).split('\n').length;
}

export function lineOf(source: Source, node: ts.Node): number {
  return lineAt(source, node.getStart(treeOf(source)));
}

/** The lines people see: the newline that ends a file does not begin another line. */
export function linesOf(source: Source): string[] {
  return source.text.replace(/\r?\n$/, '').split(/\r?\n/);
}

export const treeOf = oncePerSource((source): ts.SourceFile => {
  const isComponent = source.file.endsWith('.svelte');
  const text = isComponent ? blankOutMarkup(source.text) : source.text;
  const kind = isComponent ? ts.ScriptKind.TS : undefined;
  return ts.createSourceFile(source.file, text, ts.ScriptTarget.Latest, true, kind);
});

/** Every node of the file, parents before children. */
export const nodesOf = oncePerSource((source): readonly ts.Node[] => {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(treeOf(source));
  return found;
});

/** The stretches between tokens, which hold the comments and nothing that runs. */
export const commentsOf = oncePerSource((source): { start: number; text: string }[] => {
  const tree = treeOf(source);
  const found: { start: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(tree).filter((child) => !ts.isJSDoc(child));
    children.forEach(visit);
    if (children.length > 0) return;
    const text = tree.text.slice(node.pos, node.getStart(tree));
    if (text.trim() !== '') found.push({ start: node.pos, text });
  };
  visit(tree);
  return found;
});

/** `a.b` and `a['b']` are both "a.b"; `globalThis.a` is "a". */
export function dottedName(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  const name = memberName(node);
  if (name === undefined || !isMember(node)) return undefined;
  const owner = dottedName(node.expression);
  if (owner === undefined) return undefined;
  return owner === 'globalThis' ? name : `${owner}.${name}`;
}

export function isMember(
  node: ts.Node,
): node is ts.PropertyAccessExpression | ts.ElementAccessExpression {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
}

export function memberName(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (!ts.isElementAccessExpression(node)) return undefined;
  return ts.isStringLiteral(node.argumentExpression) ? node.argumentExpression.text : undefined;
}

/** Whether a chain begins with a block of tests: `describe.each(rows)('…', …)`, `it.only`. */
export function isTestChain(node: ts.Node): boolean {
  return ['describe', 'it', 'test'].includes(rootName(node) ?? '');
}

function rootName(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isCallExpression(node) || isMember(node)) return rootName(node.expression);
  if (ts.isTaggedTemplateExpression(node)) return rootName(node.tag);
  return undefined;
}

/** Blanks keep every line and column of a component's scripts where people see them. */
function blankOutMarkup(text: string): string {
  const blank = (part: string) => part.replace(/[^\n]/g, ' ');
  let kept = '';
  for (const script of text.matchAll(/(?<=<script\b[^>]*>)[\s\S]*?(?=<\/script>)/g)) {
    kept += blank(text.slice(kept.length, script.index)) + script[0];
  }
  return kept + blank(text.slice(kept.length));
}

import ts from 'typescript';
import { RESTATED } from './restated.ts';
import { type Rule, treeRule } from './rule.ts';
import { lineAt, nodesOf, oncePerSource, type Source } from './source.ts';

/** A sentence for people in which a number of the code stands. */
export type Restated = Readonly<{
  file: string;
  /** A piece of the sentence that the file has once or more; `{}` is the number. */
  says: string;
  /** The file of the code, a space, and a constant, its property (`A.b`), or a `/pattern/`. */
  code: string;
  /** What the code's number is divided by: 1,000 for milliseconds that people read as seconds. */
  per: number;
}>;

type Numbers = ReadonlyMap<string, ts.Expression>;

/** A number of the code is the same wherever people read it. */
export const documentedNumbers = numbersRule(RESTATED);

export function numbersRule(restated: readonly Restated[]): Rule {
  return treeRule('documented-numbers', (sources) => {
    const byFile = new Map(sources.map((source) => [source.file, source]));
    return restated.flatMap((one) => {
      const page = byFile.get(one.file);
      if (!page) return [];
      const message = complaintAbout(one, page, byFile);
      const at = page.text.search(sentenceWith(one.says, ANY_NUMBER));
      const line = at < 0 ? 1 : lineAt(page, at);
      return message === undefined ? [] : [{ file: one.file, line, message }];
    });
  });
}

function complaintAbout(
  { says, code, per }: Restated,
  page: Source,
  byFile: ReadonlyMap<string, Source>,
): string | undefined {
  const [file = '', ...rest] = code.split(' ');
  const source = byFile.get(file);
  const value = source && numberIn(source, rest.join(' '));
  if (value === undefined) return `no number is found in ${code}, see tidy/restated.ts`;
  const number = value / per;
  if (sentenceWith(says, spellingsOf(number)).test(page.text)) return undefined;
  return `"${says.replace('{}', String(number))}" is not said, and is so in ${code}`;
}

const ANY_NUMBER = String.raw`[\w.,]+`;
const WORDS = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
  'sixteen seventeen eighteen nineteen twenty'
).split(' ');

/** As people and programs write it: 1024, 1,024, 1_024; small ones as a word, too. */
function spellingsOf(number: number): string {
  const word = WORDS[number];
  const article = number === 1 ? ['an?'] : [];
  const grouped = number.toLocaleString('en-US');
  const digits = [String(number), grouped, grouped.replaceAll(',', '_')].map(escaped);
  return [...digits, ...(word ? [word] : []), ...article].join('|');
}

/** Lines of prose are broken anywhere. */
function sentenceWith(says: string, number: string): RegExp {
  const parts = says.split('{}').map((part) => escaped(part).replaceAll(/\s+/g, String.raw`\s+`));
  return new RegExp(parts.join(String.raw`(?<![\w.,])(?:${number})(?!\w|[.,]\d)`), 'i');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

export function numberIn(source: Source, name: string): number | undefined {
  const pattern = /^\/(.*)\/$/.exec(name)?.[1];
  if (pattern !== undefined) return parsed(new RegExp(pattern).exec(source.text)?.[1]);
  const numbers = constantsOf(source);
  const [first = '', ...path] = name.split('.');
  const root = numbers.get(first);
  const found = path.reduce<ts.Expression | undefined>(
    (from, step) => from && memberOf(from, step, numbers),
    root,
  );
  return found && amountOf(found, numbers);
}

function parsed(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.replaceAll(/[_,]/g, ''));
}

/** Constants by their name; a setting of the environment by the name that it is read by. */
const constantsOf = oncePerSource((source): Numbers => {
  const found = new Map<string, ts.Expression>();
  for (const node of nodesOf(source)) {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      found.set(node.name.text, node.initializer);
    }
    if (!ts.isCallExpression(node)) continue;
    const [name, setting] = node.arguments;
    if (name && setting && ts.isStringLiteral(name)) found.set(name.text, setting);
  }
  return found;
});

/** Of an object as it is written, also of one that is frozen or built by a call. */
function memberOf(from: ts.Expression, name: string, numbers: Numbers): ts.Expression | undefined {
  const inner = innerOf(from, numbers);
  if (!inner || !ts.isObjectLiteralExpression(inner)) return undefined;
  for (const property of inner.properties) {
    if (ts.isPropertyAssignment(property) && property.name.getText() === name) {
      return property.initializer;
    }
  }
  const spread = inner.properties.find(ts.isSpreadAssignment);
  return spread && memberOf(spread.expression, name, numbers);
}

/** What stands in brackets, behind a name, before `as`, or first in a call. */
function innerOf(node: ts.Expression, numbers: Numbers): ts.Expression | undefined {
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node)
  )
    return innerOf(node.expression, numbers);
  if (ts.isCallExpression(node)) return node.arguments[0] && innerOf(node.arguments[0], numbers);
  if (!ts.isIdentifier(node)) return node;
  const named = numbers.get(node.text);
  return named && innerOf(named, numbers);
}

function amountOf(node: ts.Expression, numbers: Numbers): number | undefined {
  const inner = innerOf(node, numbers);
  if (!inner) return undefined;
  if (ts.isNumericLiteral(inner)) return Number(inner.text);
  if (!ts.isBinaryExpression(inner)) return undefined;
  const compute = OPERATIONS[inner.operatorToken.getText()];
  const [left, right] = [amountOf(inner.left, numbers), amountOf(inner.right, numbers)];
  return compute && left !== undefined && right !== undefined ? compute(left, right) : undefined;
}

const OPERATIONS: Readonly<Record<string, (left: number, right: number) => number>> = {
  '*': (left, right) => left * right,
  '+': (left, right) => left + right,
  '/': (left, right) => left / right,
};

import ts from 'typescript';
import { fileRule } from './rule.ts';
import { isCode, isTest, lineOf, nodesOf } from './source.ts';

const HAS_STATEMENTS = /\.sql\.ts$|^[^/]+\/postgres\/|^testkit\//;

/** Words that follow the verb in English ("Select a seat from the map") and hardly ever in SQL. */
const ARTICLE = 'an?|the|this|that|your|my|one|another|some|any|it';
const ENGLISH = String.raw`(?!(?:${ARTICLE})\s+(?!from\b|as\b))`;
const NAME = String.raw`${ENGLISH}(?:only\s+)?["a-z_][\w."]*`;

/** The shape decides and not the verb alone, because people also select, update and create. */
const SHAPES = [
  String.raw`select\s+${ENGLISH}\S.*?\sfrom\s+${ENGLISH}[("a-z_]`,
  String.raw`select\s+(?:[\w.]+\(|\$?\d)`,
  String.raw`insert\s+into\s+${NAME}`,
  String.raw`update\s+${NAME}(?:\s+(?:as\s+)?\w+)?\s+set\s+(?:["\w]+\s*=|\()`,
  String.raw`delete\s+from\s+${NAME}`,
  String.raw`with\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s+)?\(`,
  String.raw`create\s+(?:or\s+replace\s+|unique\s+|temp(?:orary)?\s+|unlogged\s+)?` +
    String.raw`(?:table|index|role|policy|function|view|trigger|schema|type|extension)\s+${NAME}`,
  String.raw`(?:alter|drop)\s+(?:table|index|role|policy|function|schema|type)\s+${NAME}`,
  String.raw`truncate\s+(?:table\s+)?${NAME}`,
];
/** A capital and then a small letter begin a sentence; a keyword is written in one case. */
const SENTENCE = /^\s*[A-Z][a-z]/;
const COMMENT_LINES = String.raw`(?:\s*--[^\n]*\n)*`;
const STATEMENT = new RegExp(String.raw`^${COMMENT_LINES}\s*(?:${SHAPES.join('|')})`, 'is');

/** Statements stand together, so that a person who changes a table finds all of its readers. */
export const statementPlace = fileRule('statement-place', mayHaveNone, (source) =>
  nodesOf(source)
    .filter((node) => isStatement(textOf(node)))
    .map((node) => ({
      line: lineOf(source, node),
      message: 'SQL stands in a file that ends with .sql.ts, in the room that owns the table',
    })),
);

function mayHaveNone(file: string): boolean {
  return isCode(file) && !isTest(file) && !HAS_STATEMENTS.test(file);
}

function isStatement(text: string): boolean {
  return STATEMENT.test(text) && !SENTENCE.test(text);
}

/** What is put into a template stands for a name here. */
function textOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return '';
  return node.head.text + node.templateSpans.map((span) => `x${span.literal.text}`).join('');
}

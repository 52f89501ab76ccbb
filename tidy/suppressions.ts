import ts from 'typescript';
import { type Rule, treeRule } from './rule.ts';
import { commentsOf, isCode, lineAt, lineOf, nodesOf, type Source } from './source.ts';

/** A place where the checks are off on purpose. The reason is for the person who reads it next. */
type Allowed = Readonly<{ file: string; what: string; reason: string }>;

const ALLOWED: readonly Allowed[] = [];

const LIST = 'the list in tidy/suppressions.ts';
const IN_COMMENT = /@ts-(?:ignore|expect-error|nocheck)|biome-ignore/g;

export const suppressions = suppressionRule(ALLOWED);

/** The list only shrinks by itself: an entry that allows nothing any more is a complaint too. */
export function suppressionRule(allowed: readonly Allowed[]): Rule {
  return treeRule('suppression', (sources) => {
    const found = sources.filter(({ file }) => isCode(file)).flatMap(suppressionsIn);
    const covers = (entry: Allowed, { file, what }: { file: string; what: string }) =>
      entry.file === file && entry.what === what && entry.reason.trim() !== '';
    const unlisted = found
      .filter((place) => !allowed.some((entry) => covers(entry, place)))
      .map((place) => ({ ...place, message: `${place.what} needs a reason in ${LIST}` }));
    const unused = allowed
      .filter((entry) => !found.some((place) => covers(entry, place)))
      .map(({ file, what }) => ({ file, line: 1, message: `${what} is idle in ${LIST}` }));
    return [...unlisted, ...unused].map(({ file, line, message }) => ({ file, line, message }));
  });
}

function suppressionsIn(source: Source): { file: string; line: number; what: string }[] {
  const { file } = source;
  const types = nodesOf(source)
    .filter((node) => node.kind === ts.SyntaxKind.AnyKeyword)
    .map((node) => ({ file, line: lineOf(source, node), what: 'any' }));
  // Finding the comments takes ten times as long as parsing: only where the words are at all.
  const comments = source.text.match(IN_COMMENT) === null ? [] : commentsOf(source);
  const words = comments.flatMap(({ start, text }) =>
    [...text.matchAll(IN_COMMENT)].map((match) => ({
      file,
      line: lineAt(source, start + match.index),
      what: match[0],
    })),
  );
  return [...types, ...words];
}

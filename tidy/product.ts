import { fileRule } from './rule.ts';
import { commentsOf, isCode, lineAt, type Source } from './source.ts';

/** The patterns are put together from parts, because this file is searched for them as well. */
const NOT_PART_OF_A_PATH = String.raw`(?<![\w.$)}\]>*~-])`;
const MACHINE = String.raw`${NOT_PART_OF_A_PATH}\/(?:work|root|home\/[\w.-]+)\/`;
const NEIGHBOUR = String.raw`\.\.\/(?:shared)`;
const TICKET = String.raw`\b[Ii]ssue\s` + String.raw`#?\d+`;
const ANYWHERE = new RegExp([MACHINE, NEIGHBOUR, TICKET].join('|'), 'g');
const REMINDER = new RegExp(String.raw`\b(?:TO${'DO'}|FIX${'ME'}|X${'XX'}|HA${'CK'})\b`, 'g');

/** Its hashes spell every short word sooner or later. */
const HASHES = 'package-lock.json';

/** The repository speaks of the product alone, whoever reads it and wherever it was written. */
export const productAlone = fileRule(
  'product-alone',
  () => true,
  (source) => [
    ...placesOf(source, { start: 0, text: source.text }, ANYWHERE),
    ...remindersIn(source),
  ],
);

/** Code may hold these words as data; elsewhere every word is text for people. */
function remindersIn(source: Source): { line: number; message: string }[] {
  if (source.file === HASHES) return [];
  const isParsed = isCode(source.file) && !source.file.endsWith('.svelte');
  const texts = isParsed ? commentsOf(source) : [{ start: 0, text: source.text }];
  return texts.flatMap((part) => placesOf(source, part, REMINDER));
}

function placesOf(source: Source, part: { start: number; text: string }, pattern: RegExp) {
  return [...part.text.matchAll(pattern)].map((match) => ({
    line: lineAt(source, part.start + match.index),
    message: `"${match[0]}" says nothing about the product`,
  }));
}

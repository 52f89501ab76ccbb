/**
 * Words: what the shop says, in every language it speaks, and how it writes money, dates and
 * numbers. English is the model: the others have the same keys, or they do not compile. It knows
 * no screen and no server.
 */
export {
  clockTime,
  clockTimeAt,
  dateOf,
  datesOf,
  longDate,
  longDateAt,
  money,
  percent,
  shortDate,
  shortDateAt,
  timeAt,
  zoneName,
} from './formats.ts';
export { isLanguage, LANGUAGES, type Language, language, speak, t } from './language.svelte.ts';
export { type RuleDetails, type RuleWords, sentenceOfRule } from './rule-words.ts';
export type { Words } from './word-keys.ts';
export { instantOf, localOf } from './zones.ts';

/**
 * Words: what the shop says, in every language it speaks, and how it writes money, dates and
 * numbers. English is the model: the others have the same keys, or they do not compile. It knows
 * no screen and no server.
 */
import type { EN } from './en.ts';

export { ERRORS_EN } from './errors-en.ts';
export { clockTime, dateOf, longDate, money, percent, shortDate } from './formats.ts';
export { isLanguage, LANGUAGES, type Language, language, speak, t } from './language.svelte.ts';

/** Text and functions for text, by the keys of the English ones. */
export type Words = typeof EN;

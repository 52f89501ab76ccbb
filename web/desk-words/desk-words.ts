/**
 * Desk words: what the screens for staff say, in every language, apart from the shop's: a buyer
 * fetches none of it. English is the model: the others have the same keys, or they do not compile.
 */

export type { DeskWords } from './desk-language.svelte.ts';
export { d, speakAtDesk } from './desk-language.svelte.ts';

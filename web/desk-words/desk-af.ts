import { COMMON_AF } from './common-af.ts';
import type { DeskWords } from './desk-language.svelte.ts';

/** Alles wat die toonbanke sê, in Afrikaans. */
export const DESK_AF: DeskWords = { common: COMMON_AF };

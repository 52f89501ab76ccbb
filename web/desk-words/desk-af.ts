import { COMMON_AF } from './common-af.ts';
import type { DeskWords } from './desk-language.svelte.ts';
import { ORGANISER_AF } from './organiser-af.ts';
import { PLANS_AF } from './plans-af.ts';

/** Alles wat die toonbanke sê, in Afrikaans. */
export const DESK_AF: DeskWords = { common: COMMON_AF, organiser: ORGANISER_AF, plans: PLANS_AF };

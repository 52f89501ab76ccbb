import { COMMON_AF } from './common-af.ts';
import type { DeskWords } from './desk-language.svelte.ts';
import { DOOR_AF } from './door-af.ts';
import { OFFICE_AF } from './office-af.ts';

/** Alles wat die toonbanke sê, in Afrikaans. */
export const DESK_AF: DeskWords = { common: COMMON_AF, door: DOOR_AF, office: OFFICE_AF };

import type { Language } from '#words';
import { DESK_EN } from './desk-en.ts';

/** Texts and functions for texts, by the keys of the English ones. */
export type DeskWords = typeof DESK_EN;

let current = $state.raw<DeskWords>(DESK_EN);

/** The words of now, by the desk they are said at. */
export function d(): DeskWords {
  return current;
}

export async function speakAtDesk(wanted: Language): Promise<void> {
  current = wanted === 'af' ? (await import('./desk-af.ts')).DESK_AF : DESK_EN;
}

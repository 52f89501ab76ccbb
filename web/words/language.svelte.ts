import { EN } from './en.ts';
import type { Words } from './words.ts';

export const LANGUAGES = ['en', 'af'] as const;
export type Language = (typeof LANGUAGES)[number];

export function isLanguage(text: unknown): text is Language {
  return LANGUAGES.some((known) => known === text);
}

let current = $state.raw<Readonly<{ language: Language; words: Words }>>({
  language: 'en',
  words: EN,
});

/** The words of now: what is drawn with them is drawn again when the language changes. */
export function t(): Words {
  return current.words;
}

export function language(): Language {
  return current.language;
}

/** Only those who speak Afrikaans fetch Afrikaans. */
export async function speak(wanted: Language): Promise<void> {
  const words = wanted === 'af' ? (await import('./af.ts')).AF : EN;
  current = { language: wanted, words };
  document.documentElement.lang = wanted;
}

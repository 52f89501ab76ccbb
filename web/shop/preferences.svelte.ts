import { isLanguage, type Language, speak } from '#words';
import { keep, recall } from './storage.ts';

export type Appearance = 'system' | 'light' | 'dark';

let look = $state<Appearance>('system');
const dark = matchMedia('(prefers-color-scheme: dark)');
let systemIsDark = $state(dark.matches);
dark.addEventListener('change', () => {
  systemIsDark = dark.matches;
});

/** What the visitor chose, and what that means now. */
export function appearance(): Readonly<{ chosen: Appearance; isDark: boolean }> {
  return { chosen: look, isDark: look === 'system' ? systemIsDark : look === 'dark' };
}

export function setAppearance(wanted: Appearance): void {
  look = wanted;
  keep('appearance', wanted === 'system' ? null : wanted);
  const { dataset } = document.documentElement;
  if (wanted === 'system') delete dataset.theme;
  else dataset.theme = wanted;
}

export async function setLanguage(wanted: Language): Promise<void> {
  keep('language', wanted);
  await speak(wanted);
}

/** Before the first pixel: the visitor's choice, else what the browser asks for. */
export async function readPreferences(): Promise<void> {
  const theme = recall<string>('appearance');
  if (theme === 'light' || theme === 'dark') setAppearance(theme);
  const chosen = recall<string>('language');
  const [asked] = navigator.language.split('-');
  await speak(isLanguage(chosen) ? chosen : isLanguage(asked) ? asked : 'en');
}

import type { LayoutVersion } from '@voelgoed/client/client';

/** How a state of a version is tinted; the word beside it says it, too. */
export const LOOKS: Readonly<Record<LayoutVersion['status'], string>> = {
  draft: 'warn',
  active: 'good',
  archived: '',
};

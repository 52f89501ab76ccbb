import { COMMON_AF } from './common-af.ts';
import { DASHBOARD_AF } from './dashboard-af.ts';
import type { DeskWords } from './desk-language.svelte.ts';
import { RECORDS_AF } from './records-af.ts';

/** Alles wat die toonbanke sê, in Afrikaans. */
export const DESK_AF: DeskWords = {
  common: COMMON_AF,
  dashboard: DASHBOARD_AF,
  records: RECORDS_AF,
};

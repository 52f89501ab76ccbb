import { AUDIT_AF } from './audit-af.ts';
import { BLOCKS_AF } from './blocks-af.ts';
import { COMMON_AF } from './common-af.ts';
import { COUNTER_AF } from './counter-af.ts';
import { DASHBOARD_AF } from './dashboard-af.ts';
import type { DeskWords } from './desk-language.svelte.ts';
import { DOOR_AF } from './door-af.ts';
import { DRAWING_AF } from './drawing-af.ts';
import { ERRORS_AF, RULES_AF } from './errors-af.ts';
import { OFFICE_AF } from './office-af.ts';
import { ORGANISER_AF } from './organiser-af.ts';
import { PAPER_AF } from './paper-af.ts';
import { PLANS_AF } from './plans-af.ts';
import { PROBLEMS_AF } from './problems-af.ts';
import { RECORDS_AF } from './records-af.ts';

/** Alles wat die toonbanke sê, in Afrikaans. */
export const DESK_AF: DeskWords = {
  audit: AUDIT_AF,
  blocks: BLOCKS_AF,
  common: COMMON_AF,
  counter: COUNTER_AF,
  dashboard: DASHBOARD_AF,
  door: DOOR_AF,
  drawing: DRAWING_AF,
  errors: ERRORS_AF,
  office: OFFICE_AF,
  organiser: ORGANISER_AF,
  paper: PAPER_AF,
  plans: PLANS_AF,
  problems: PROBLEMS_AF,
  records: RECORDS_AF,
  rules: RULES_AF,
};

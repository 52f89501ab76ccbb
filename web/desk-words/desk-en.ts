import { AUDIT_EN } from './audit-en.ts';
import { BLOCKS_EN } from './blocks-en.ts';
import { COMMON_EN } from './common-en.ts';
import { COUNTER_EN } from './counter-en.ts';
import { DASHBOARD_EN } from './dashboard-en.ts';
import { DOOR_EN } from './door-en.ts';
import { DRAWING_EN } from './drawing-en.ts';
import { ERRORS_EN, RULES_EN } from './errors-en.ts';
import { OFFICE_EN } from './office-en.ts';
import { ORGANISER_EN } from './organiser-en.ts';
import { PAPER_EN } from './paper-en.ts';
import { PLANS_EN } from './plans-en.ts';
import { PROBLEMS_EN } from './problems-en.ts';
import { RECORDS_EN } from './records-en.ts';

/** Everything the desks say, in English. */
export const DESK_EN = {
  audit: AUDIT_EN,
  blocks: BLOCKS_EN,
  common: COMMON_EN,
  counter: COUNTER_EN,
  dashboard: DASHBOARD_EN,
  door: DOOR_EN,
  drawing: DRAWING_EN,
  errors: ERRORS_EN,
  office: OFFICE_EN,
  organiser: ORGANISER_EN,
  paper: PAPER_EN,
  plans: PLANS_EN,
  problems: PROBLEMS_EN,
  records: RECORDS_EN,
  rules: RULES_EN,
};

import { COMMON_EN } from './common-en.ts';
import { DASHBOARD_EN } from './dashboard-en.ts';
import { RECORDS_EN } from './records-en.ts';

/** Everything the desks say, in English. */
export const DESK_EN = { common: COMMON_EN, dashboard: DASHBOARD_EN, records: RECORDS_EN };

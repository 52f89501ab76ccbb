import { COMMON_EN } from './common-en.ts';
import { ORGANISER_EN } from './organiser-en.ts';
import { PLANS_EN } from './plans-en.ts';

/** Everything the desks say, in English. */
export const DESK_EN = { common: COMMON_EN, organiser: ORGANISER_EN, plans: PLANS_EN };

import { COMMON_EN } from './common-en.ts';
import { DOOR_EN } from './door-en.ts';
import { OFFICE_EN } from './office-en.ts';

/** Everything the desks say, in English. */
export const DESK_EN = { common: COMMON_EN, door: DOOR_EN, office: OFFICE_EN };

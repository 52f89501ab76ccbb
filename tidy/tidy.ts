/**
 * The style rules that a machine can check. A median is kept by taste, a tail only by a check. Each
 * rule is a pure function from files to complaints; it knows the names of houses and rooms and
 * nothing of what they do. Only the test beside it calls it.
 */
import { consoleCalls, environment, leftOutTests, sleeps, timeAndChance } from './calls.ts';
import { engineWithoutHttp, houseOrder, importForm, ownDoor, roomOrder } from './imports.ts';
import { fileLength, functionLength, lineLength } from './lengths.ts';
import { expandOnly } from './migrations.ts';
import { documentedNumbers } from './numbers.ts';
import { productAlone } from './product.ts';
import { doorComment, roomDepth, roomDoor, roomKnown } from './rooms.ts';
import type { Rule } from './rule.ts';
import { statementPlace } from './statements.ts';
import { suppressions } from './suppressions.ts';

export { readRepository } from './repository.ts';
export { format } from './rule.ts';

export const rules: readonly Rule[] = [
  roomDepth,
  roomDoor,
  doorComment,
  roomKnown,
  importForm,
  ownDoor,
  roomOrder,
  houseOrder,
  engineWithoutHttp,
  lineLength,
  fileLength,
  functionLength,
  timeAndChance,
  environment,
  consoleCalls,
  sleeps,
  leftOutTests,
  suppressions,
  statementPlace,
  expandOnly,
  documentedNumbers,
  productAlone,
];

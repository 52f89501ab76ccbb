/**
 * The stage of a benchmark: a Postgres of its own that waits for the disk, a stadium of 100,000
 * seats with events on sale and buyers who are known, all made through the product's own doors. It
 * knows services and data and measures nothing. Suites stand on it; a node process joins it by its
 * address.
 */
export { processSeconds, secondsBetween } from './cpu.ts';
export { buyersOf, newEvent, type Stadium, seatIdsOf, stadium } from './stadium.ts';
export { type OpenRedis, openRedis } from './start-redis.ts';
export {
  joinStage,
  openStage,
  type Stage,
  type StageAddress,
  type SuperuserSession,
} from './start-stage.ts';

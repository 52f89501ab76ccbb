/**
 * Stores: the truth and the tier beside it in memory, for running nodes through thousands of
 * schedules. A simulation owns time, dice own chance, so that a seed repeats a run exactly. The
 * database keeps one event with the semantics the writer relies on (a lock with a timeout, reading
 * under it, one guarded write, answers that get lost, a standby that has missed the last commits),
 * Redis as much as the warm tier asks for; the same contract is kept by the real ones. It knows the
 * ports of registry and Redis, and neither Postgres nor a network.
 */
export { Dice } from './dice.ts';
export { ALL_ON, GUARDS, type Guard, type GuardsOff } from './guards.ts';
export { Machine } from './machine.ts';
export { MemoryDatabase, type Say } from './memory-database.ts';
export { type LogRow, MemoryEvent } from './memory-event.ts';
export { MemoryRedis } from './memory-redis.ts';
export { MemoryStore, ROAD_TROUBLES, type RoadTrouble } from './memory-store.ts';
export { RedisRoad, RedisRoads } from './redis-road.ts';
export { Simulation, START_MS } from './simulation.ts';

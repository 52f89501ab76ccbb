/**
 * Sales: an event on sale with its buyers, and nodes that sell it, for tests of the registry.
 * Wishes are made as the routes would make them; what came of them is read from the tables, and
 * `problems` says where the tables contradict each other.
 */
export { aClock, aGate, storeWith, tampered } from './nodes.ts';
export { problems } from './problems.ts';
export { aStandby } from './standby.ts';
export { openSale, type Sale, type TestNode, useSales } from './use-sales.ts';
export { useWarmNodes, type WarmNode } from './warm-nodes.ts';
export { aWish, blockOf, extendOf, holdOf, holdsIn, keyOf, releaseOf } from './wishes.ts';

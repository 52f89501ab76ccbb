/**
 * A million live holds: what they take in Redis and in the memory of a node, how long writing them
 * through takes, and reconciling an empty Redis. It makes them by the writers of ten events and
 * reads what nodes and Redis say. Only `run` calls it.
 */
export { millionSuite } from './million-suite.ts';

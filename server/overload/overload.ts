/**
 * Overload: who may come in when more come than can be answered in time. It knows kinds of requests
 * and their order, how fast this node answers, and how many of each organization are under way; it
 * knows no route's work and no reply. HTTP asks it before anything else is done for a request.
 */
export { Farewells } from './farewells.ts';
export { Gate, type Pass } from './gate.ts';
export { loopUse } from './loop-use.ts';
export { eventIn } from './priorities.ts';

/**
 * Attacks: what somebody does who wants to get in, hold up, hoard or find out. It knows bare
 * connections, how to read answers strictly, how to look for words in every spelling, and how to
 * run a node that can be stalled; what the node must answer is the tests'.
 */

export { type Heard, listen, openBare, sayBare, statusesIn } from './bare.ts';
export { spellingsOf, toldIn } from './canaries.ts';
export { type Phase, type Stall, stallLoop } from './stall.ts';
export { startTarget, type Target, type TargetSettings } from './target.ts';
export { type Shot, together, type Volley, volley } from './volley.ts';

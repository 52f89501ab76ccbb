/**
 * Attacks: what somebody does who wants to get in, hold up, hoard or find out. It knows bare
 * connections and how to look for words in every spelling; the server that is attacked, and what it
 * must answer, are the tests'.
 */

export { type Heard, listen, openBare, sayBare, statusesIn } from './bare.ts';
export { spellingsOf, toldIn } from './canaries.ts';

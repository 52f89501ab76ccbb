/**
 * Callers: buyers who reach a node the way everybody does, by HTTP. They send the hammer's wishes
 * as requests, hang up in the middle now and then, and write down what they were told in the words
 * of `#history`. This room knows routes and answers; nodes are started by whoever calls it, and
 * what the history means is judged elsewhere. For tests alone.
 */
export { HttpWisher } from './http-wisher.ts';

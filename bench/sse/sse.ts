/**
 * The stream under load: thousands who listen to one sale, in a process of their own, and how long
 * a commit takes to reach them all. It knows frames as bytes and servers as processes. Only `run`
 * calls it.
 */
export { sseSuite } from './sse-suite.ts';

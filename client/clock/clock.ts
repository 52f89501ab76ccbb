/**
 * Clock: what time it is on the server, and how long something still lasts there. A page's own
 * clock may be minutes wrong; a hold ends by the server's. It learns from the answers that others
 * get, sends nothing itself, and knows no route.
 */
export {
  Countdown,
  type CountdownListener,
  type CountdownOptions,
  type Moment,
} from './countdown.ts';
export { ServerClock } from './server-clock.ts';

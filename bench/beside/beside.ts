/**
 * Another back end beside this one: any server that takes a hold by one request, started by hand,
 * takes turns with a node under the same load. It knows an address, a path and a body with places
 * to fill in, and nothing of what is behind them. Only `run` calls it.
 */
export { besideSuite, type Stranger, strangerOf } from './beside-suite.ts';

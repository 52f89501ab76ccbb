/**
 * What a hold costs inside a node: how busy its loop is, how much of the time goes into garbage,
 * how many statements, exchanges with Postgres and flushes there are for each hold. It asks the
 * node itself while it holds seats. Only `run` calls it.
 */
export { insideSuite } from './inside-suite.ts';

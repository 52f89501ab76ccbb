/**
 * The command line: what an operator does by hand, as commands over the engine. It knows arguments,
 * tables, questions and exit codes; it knows no environment and starts no service. `processes`
 * hands in the terminal and the installation, and is its only caller besides tests.
 */
export { EXIT } from './failures.ts';
export type { CliHost, Installation, MigrateOptions } from './host.ts';
export { runCli } from './run-cli.ts';

import { isOperatingError, reasonOf } from '@voelgoed/engine/kit';
import { classify } from '@voelgoed/engine/postgres';
import { Command, CommanderError } from 'commander';
import { registerAudit } from './audit-commands.ts';
import { registerClock } from './clock-commands.ts';
import { EXIT, Failure } from './failures.ts';
import { registerHistory } from './history-commands.ts';
import type { CliHost } from './host.ts';
import { registerInstallation } from './installation-commands.ts';
import { registerKeys } from './key-commands.ts';
import { registerLayouts } from './layout-commands.ts';
import { registerLooks } from './look-commands.ts';
import { registerOrganizations } from './organization-commands.ts';
import { registerSearches } from './search-commands.ts';
import { registerSeats } from './seat-commands.ts';
import { Session } from './session.ts';

const CODES = [
  ['0', 'done'],
  ['1', 'failed: a bug, or something that retrying will not change'],
  ['2', 'the arguments or the configuration are wrong; nothing was done'],
  ['3', 'looked, and found something that is not right'],
  ['4', 'there is no such organization, event, key or file'],
  ['5', 'refused: not possible in this state, or not confirmed'],
  ['6', 'the database or Redis is not available; try again'],
] as const;

/** Runs one command; the answer is the exit code. */
export async function runCli(host: CliHost, args: readonly string[]): Promise<number> {
  const session = new Session(host);
  const program = makeProgram(session);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return session.exitCode;
  } catch (error) {
    return tell(host, error);
  }
}

function makeProgram(session: Session): Command {
  const { host } = session;
  const program = new Command('voelgoed')
    .description('Operate a Voelgoed Seating installation')
    .option('--json', 'print JSON for programs instead of tables')
    .option('--as <name>', 'who does it, for the audit trail; default: the user who runs this')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: true })
    .configureOutput({ writeOut: (text) => host.out(text), writeErr: (text) => host.err(text) })
    .showHelpAfterError('(--help shows what it takes)')
    .addHelpText('after', () => exitCodes());
  for (const register of [
    registerInstallation,
    registerOrganizations,
    registerKeys,
    registerLooks,
    registerClock,
    registerSeats,
    registerAudit,
    registerSearches,
    registerHistory,
    registerLayouts,
  ]) {
    register(program, session);
  }
  throwInsteadOfExit(program);
  return program;
}

/** Subcommands do not inherit what was set after they were made. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const one of command.commands) {
    one.copyInheritedSettings(command);
    throwInsteadOfExit(one);
  }
}

function exitCodes(): string {
  return ['', 'Exit codes:', ...CODES.map(([code, text]) => `  ${code}  ${text}`)].join('\n');
}

function tell(host: CliHost, error: unknown): number {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  host.err(`${reasonOf(error)}\n`);
  if (error instanceof Failure) return error.exit;
  if (isOperatingError(error) && error.code === 'old_nodes') return EXIT.refused;
  return isAway(error) ? EXIT.unavailable : EXIT.failed;
}

/** Before there is an engine, a database that cannot be reached is told by the driver itself. */
function isAway(error: unknown): boolean {
  return isOperatingError(error) || classify(error) === 'unavailable';
}

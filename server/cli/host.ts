import type { Engine } from '@voelgoed/engine/workflows';
import type { Config } from '#config';

export type MigrateOptions = Readonly<{
  newSecret?: boolean | undefined;
  /** Whether serving roles must sign the organization of a transaction; else it stays as it is. */
  organizations?: 'signed' | 'unsigned' | undefined;
  /** Signed although nodes that do not sign are writing. */
  force?: boolean | undefined;
}>;

/** What the command line works on. */
export type Installation = Readonly<{
  config: Config;
  ownerUrl: string;
  authSecret: string;
  redisUrl: string | null;
  appUrl: string;
  jobsUrl: string;
  writerUrl: string;
  /** Schema and logins; returns what was run now. */
  migrate(options: MigrateOptions): Promise<string[]>;
}>;

/** The terminal and the machine around a command. */
export type CliHost = Readonly<{
  out(text: string): void;
  err(text: string): void;
  /** Somebody sits in front of it and can be asked. */
  isTerminal: boolean;
  ask(question: string): Promise<string>;
  /** Who runs this, as the operating system says. */
  user: string;
  withInstallation(work: (installation: Installation) => Promise<void>): Promise<void>;
  /** The schema is brought up to date first. */
  withEngine(work: (engine: Engine, installation: Installation) => Promise<void>): Promise<void>;
}>;

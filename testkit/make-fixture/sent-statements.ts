import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SentStatement, ServingRole } from '#fixtures';

/** Postgres writes down every statement, with its name and who sent it, as lines of JSON. */
export const LOG_STATEMENTS = {
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_statement: 'all',
  log_parameter_max_length: '0',
} as const;

const ROLES: readonly ServingRole[] = ['voelgoed_app', 'voelgoed_jobs', 'voelgoed_writer'];

type LogLine = Readonly<{ user?: string; message?: string }>;

/** What was really sent: the only way to see statements that are put together from parts. */
export async function loggedStatements(folder: string): Promise<SentStatement[]> {
  const found = new Map<string, SentStatement>();
  for await (const file of glob('**/log/*.json', { cwd: folder })) {
    for (const line of (await readFile(join(folder, file), 'utf8')).split('\n')) {
      const sent = line === '' ? null : sentIn(JSON.parse(line) as LogLine);
      if (sent) found.set(`${sent.role} ${sent.name}`, sent);
    }
  }
  return [...found.values()];
}

/** Unnamed ones begin and end transactions, listen and set; they name no table. */
function sentIn({ user, message = '' }: LogLine): SentStatement | null {
  const role = ROLES.find((one) => one === user);
  const [, name, text] = /^execute ([^<:][^:]*): (.*)$/s.exec(message) ?? [];
  return role && name !== undefined && text !== undefined ? { name, text, role } : null;
}

const ENGINE = dirname(fileURLToPath(import.meta.resolve('@voelgoed/engine/postgres')));

type Declared = Readonly<{ name: string; text: string }>;

/** What is declared in files of statements, whether it was sent or not. */
export async function declaredStatements(): Promise<Declared[]> {
  const found: Declared[] = [];
  const cwd = dirname(ENGINE);
  for await (const file of glob('*/*.sql.ts', { cwd })) {
    const module = (await import(join(cwd, file))) as Record<string, unknown>;
    for (const one of Object.values(module)) {
      const made = typeof one === 'function' ? call(one as () => unknown) : undefined;
      if (isStatement(made)) found.push({ name: made.name, text: made.text });
    }
  }
  return [...found, await wholeFlush(cwd)];
}

type FlushModule = Readonly<{ writeFlush(parts: readonly string[], values: object): Declared }>;

/** A flush is written by the parts that it has; the statement with all of them stands for any. */
async function wholeFlush(cwd: string): Promise<Declared> {
  const { FLUSH_PARTS } = (await import(join(cwd, 'registry/flush-write.sql.ts'))) as {
    FLUSH_PARTS: readonly string[];
  };
  const { writeFlush } = (await import(join(cwd, 'registry/write-flush.ts'))) as FlushModule;
  const { name, text } = writeFlush(FLUSH_PARTS, {});
  return { name, text };
}

/** A function that needs its values to decide on a text declares no statement by itself. */
function call(make: () => unknown): unknown {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function isStatement(made: unknown): made is Declared {
  if (typeof made !== 'object' || made === null) return false;
  const { name, text } = made as Record<string, unknown>;
  return typeof name === 'string' && typeof text === 'string';
}

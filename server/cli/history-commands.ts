import type { Scope } from '@voelgoed/engine/scope';
import { boardAt, type Engine, exportEvent, pruneHistory } from '@voelgoed/engine/workflows';
import type { Command } from 'commander';
import { readArchive, writeArchive } from './archive-files.ts';
import { Failure } from './failures.ts';
import type { Installation } from './host.ts';
import type { Session } from './session.ts';
import { administrator, asCount, eventOf, tenantOf } from './tenants.ts';

/** What was, from the log alone; and where it is kept. */
export function registerHistory(program: Command, session: Session): void {
  registerReplay(program, session);
  program
    .command('export <organization> <event>')
    .description('write all that is kept of an event as lines of JSON; .gz compresses')
    .requiredOption('--out <file>', 'a file that does not exist yet')
    .action((slug: string, event: string, options: { out: string }, command: Command) =>
      session.engine(async (engine) => {
        const scope = await tenantOf(engine, slug);
        const written = await write(engine, session, scope, event, options.out);
        const { lines, revision } = written;
        const sentence = `${options.out}: ${lines} lines up to revision ${revision}, checked.`;
        session.result(command, { file: options.out, ...written }, sentence);
      }),
    );

  program
    .command('archive <organization> <event>')
    .description('export an archived event, then take its log out of the database')
    .requiredOption('--out <file>', 'a file that does not exist yet')
    .option('--yes', 'do not ask')
    .action(
      (slug: string, event: string, options: { out: string; yes?: boolean }, command: Command) =>
        session.engine(async (engine, installation) => {
          const scope = await tenantOf(engine, slug);
          await archive(engine, session, command, installation, { ...options, scope, event });
        }),
    );

  program
    .command('verify-archive <file>')
    .description('follow the chains in an exported file; needs no database')
    .action(async (file: string, _, command: Command) => {
      const verdict = await readArchive(file, (lines) => session.progress(`${lines} lines …`));
      session.progressDone();
      if (!verdict.ok) session.found();
      const counts = `${verdict.changes} changes, ${verdict.audit} audit rows`;
      const sentence = verdict.ok
        ? `${file} is whole: ${counts}, ${verdict.records} records.`
        : `${file} is BROKEN: ${verdict.problem}.`;
      session.result(command, { file, ...verdict }, sentence);
    });
}

type When = Readonly<{ revision?: number; at?: string }>;

function registerReplay(program: Command, session: Session): void {
  program
    .command('replay <organization> <event>')
    .description('build the board from snapshot and log alone, and compare it with what is stored')
    .option('--revision <number>', 'as it was then; default: now', asCount)
    .option('--at <time>', 'as it was at this time, such as 2026-11-16T10:00:00Z')
    .action((slug: string, event: string, when: When, command: Command) =>
      session.engine(async (engine) => {
        if (when.at !== undefined && Number.isNaN(Date.parse(when.at))) {
          throw new Failure('usage', `--at: "${when.at}" is no time`);
        }
        const scope = await tenantOf(engine, slug);
        await replay(engine, session, command, { scope, event, when });
      }),
    );
}

async function replay(
  engine: Engine,
  session: Session,
  command: Command,
  { scope, event, when }: { scope: Scope; event: string; when: When },
): Promise<void> {
  const { event_id: eventId } = await eventOf(engine, scope, event);
  const past = await boardAt(engine, { scope, eventId }, when);
  if (past.kind === 'event_not_found') throw new Failure('refused', `${event} is not on sale`);
  if (past.kind === 'not_kept') throw new Failure('missing', 'that revision is not kept');
  if (past.kind === 'broken') {
    session.found();
    const sentence = `The log is BROKEN: revision ${past.revision} does not follow.`;
    return session.result(command, past, sentence);
  }
  const { board, rows, matches } = past;
  if (matches === false) session.found();
  const zones = board.config.zones.map(({ name }, zone) => ({ name, ...board.countsOf(zone) }));
  const { revision, digest } = board;
  const verdict = { null: 'not the last revision', true: 'equal', false: 'DIFFERENT' } as const;
  const compared = verdict[`${matches}`];
  const lines = [
    `revision ${revision} from ${rows} rows of the log; digest ${digest}`,
    ...zones.map(
      ({ name, held, sold, blocked }) =>
        `  ${name}: ${held} held, ${sold} sold, ${blocked} blocked`,
    ),
    `compared with the board that is stored: ${compared}`,
  ];
  const at = new Date(board.at_ms).toISOString();
  session.result(command, { revision, at, digest, rows, matches, zones }, lines.join('\n'));
}

/** Written, read again and followed: a file that was not checked is no archive. */
async function write(
  engine: Engine,
  session: Session,
  scope: Scope,
  event: string,
  file: string,
): Promise<{ lines: number; revision: number; changes: number; audit: number; records: number }> {
  const { event_id: eventId } = await eventOf(engine, scope, event);
  const lines = exportEvent(engine, { scope, eventId });
  const count = await writeArchive(file, lines, (done) => session.progress(`${done} lines …`));
  session.progressDone();
  if (count === 0) throw new Failure('refused', `${event} was never on sale`);
  const verdict = await readArchive(file);
  if (!verdict.ok || !verdict.head) {
    throw new Failure('found', `${file} is not whole: ${verdict.problem}`);
  }
  const { changes, audit, records } = verdict;
  return { lines: verdict.lines, revision: verdict.head.revision, changes, audit, records };
}

async function archive(
  engine: Engine,
  session: Session,
  command: Command,
  { ownerUrl }: Installation,
  wanted: { scope: Scope; event: string; out: string; yes?: boolean },
): Promise<void> {
  const { scope, event, out, yes } = wanted;
  const { event_id: eventId, status } = await eventOf(engine, scope, event);
  if (status !== 'archived') {
    throw new Failure('refused', `${event} is ${status}: only an archived event is taken out`);
  }
  const caller = administrator(session, command, scope);
  const written = await write(engine, session, scope, event, out);
  await session.confirm(yes, `the log of ${event} will be in ${out} alone`);
  const { revision } = written;
  const pruned = await pruneHistory(engine, caller, { eventId, revision, ownerUrl });
  if (pruned.kind !== 'pruned') {
    throw new Failure('refused', `nothing was taken out: ${JSON.stringify(pruned)}`);
  }
  const file = `${out}: ${written.lines} lines, checked.`;
  const sentence = `${file} ${pruned.changes} changes were taken out.`;
  session.result(command, { file: out, ...written, ...pruned }, sentence);
}

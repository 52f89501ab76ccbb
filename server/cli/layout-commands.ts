import { readFile, writeFile } from 'node:fs/promises';
import type { Scope } from '@voelgoed/engine/scope';
import {
  draftLayout,
  type Engine,
  judgeLayout,
  type LayoutSource,
} from '@voelgoed/engine/workflows';
import { type Command, InvalidArgumentError } from 'commander';
import { EXIT, Failure } from './failures.ts';
import { isJson, type Session } from './session.ts';
import { administrator, asId, tenantOf } from './tenants.ts';

type Problem = Readonly<{ path: string; code: string; message: string }>;
type ImportOptions = Readonly<{ venue?: string; name?: string; out?: string }>;

/** Plans of halls, from files and into files. */
export function registerLayouts(program: Command, session: Session): void {
  const layout = program.command('layout').description('plans of halls, from and into files');

  layout
    .command('validate <organization> <file>')
    .description('judge a layout by the organization’s policy; every problem at once')
    .action((slug: string, file: string, _, command: Command) =>
      session.engine(async (engine) => {
        const scope = await tenantOf(engine, slug);
        const read = await judge(engine, session, command, scope, {
          kind: 'read',
          text: await textOf(file),
        });
        if (!read) return;
        const { seat_count, total_capacity } = read;
        const sentence = `${file} is valid: ${seat_count} seats, ${total_capacity} places in all.`;
        session.result(command, { valid: true, seat_count, total_capacity }, sentence);
      }),
    );

  layout
    .command('import <organization> <file>')
    .description('take over a seating plan of pretix: as a draft of a venue, or into a file')
    .option('--venue <id>', 'make it a draft of this venue', asId)
    .option('--name <name>', 'what the layout is called')
    .option('--out <file>', 'only write the config there')
    .action((slug: string, file: string, options: ImportOptions, command: Command) =>
      session.engine(async (engine) => {
        const scope = await tenantOf(engine, slug);
        const source = { kind: 'import', text: await textOf(file) } as const;
        await keep(engine, session, command, scope, source, options);
      }),
    );

  layout
    .command('generate <organization>')
    .description('draw a hall from a preset or a file with shapes: as a draft, or into a file')
    .option('--preset <name>', 'theatre, arena, festival or gala')
    .option('--with <values>', 'numbers of the preset, such as seats=5000,vip=true', asValues)
    .option('--spec <file>', 'shapes, instead of a preset')
    .option('--venue <id>', 'make it a draft of this venue', asId)
    .option('--name <name>', 'what the layout is called')
    .option('--out <file>', 'only write the config there')
    .action((slug: string, options: GenerateOptions, command: Command) =>
      session.engine(async (engine) => {
        const scope = await tenantOf(engine, slug);
        const source = { kind: 'generate', text: await specOf(options) } as const;
        await keep(engine, session, command, scope, source, options);
      }),
    );
}

type GenerateOptions = ImportOptions &
  Readonly<{ preset?: string; with?: Record<string, unknown>; spec?: string }>;

async function specOf({ preset, with: values, spec }: GenerateOptions): Promise<string> {
  if ((preset === undefined) === (spec === undefined)) {
    throw new Failure('usage', 'say --preset or --spec, one of them');
  }
  return spec === undefined ? JSON.stringify({ preset, ...values }) : textOf(spec);
}

/** A draft of a venue, a file, or both refused together with all their problems. */
async function keep(
  engine: Engine,
  session: Session,
  command: Command,
  scope: Scope,
  source: LayoutSource,
  { venue, name, out }: ImportOptions,
): Promise<void> {
  if ((venue === undefined) === (out === undefined)) {
    throw new Failure('usage', 'say where it goes: --venue or --out, one of them');
  }
  const read = await judge(engine, session, command, scope, source);
  if (!read) return;
  const { seat_count, total_capacity, report } = read;
  if (out !== undefined) {
    await writeFile(out, `${read.config}\n`, { flag: 'wx' }).catch(() => {
      throw new Failure('refused', `${out} is there already or cannot be written`);
    });
    const answer = { file: out, seat_count, total_capacity, report };
    return session.result(command, answer, `${out}: ${seat_count} seats${toldOf(report)}`);
  }
  const caller = administrator(session, command, scope);
  const wish = { layoutId: null, venueId: venue ?? null, name, source };
  const outcome = await draftLayout(engine, caller, wish);
  if (outcome.kind === 'venue_not_found') throw new Failure('missing', 'there is no such venue');
  if (outcome.kind === 'invalid') return tellProblems(session, command, outcome.problems);
  if (outcome.kind !== 'done') throw new Failure('refused', `not drafted: ${outcome.kind}`);
  const { layout } = outcome.answer;
  const sentence = `draft ${layout.layout_id}: ${seat_count} seats${toldOf(report)}`;
  session.result(command, { ...layout, report }, sentence);
}

function toldOf(report: object | null): string {
  return report ? `\n${JSON.stringify(report, null, 2)}` : '';
}

async function judge(
  engine: Engine,
  session: Session,
  command: Command,
  scope: Scope,
  source: LayoutSource,
) {
  const read = await judgeLayout(engine, administrator(session, command, scope), source);
  if (read.kind !== 'invalid') return read;
  tellProblems(session, command, read.problems);
  return null;
}

function tellProblems(session: Session, command: Command, problems: readonly Problem[]): void {
  session.exitCode = EXIT.found;
  if (isJson(command)) return session.json({ valid: false, problems });
  const columns = [
    { name: 'where', of: ({ path }: Problem) => path || '-' },
    { name: 'code', of: ({ code }: Problem) => code },
    { name: 'what', of: ({ message }: Problem) => message },
  ];
  session.show(command, problems, columns, '');
}

function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new Failure('missing', `${file} cannot be read`);
  });
}

/** `seats=5000,vip=true`: numbers, true and false; anything else is a text. */
function asValues(text: string): Record<string, unknown> {
  const pairs = text.split(',').map((pair) => {
    const [, name, value = ''] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    if (!name) throw new InvalidArgumentError(`"${pair}" is not name=value.`);
    const known = { true: true, false: false }[value];
    return [name, known ?? (Number.isNaN(Number(value)) ? value : Number(value))] as const;
  });
  return Object.fromEntries(pairs);
}

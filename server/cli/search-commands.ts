import { scopesOf } from '@voelgoed/engine/accounts';
import {
  type Engine,
  type FoundEntry,
  type FoundRefusal,
  readRefusals,
  searchAudit,
} from '@voelgoed/engine/workflows';
import { type Command, InvalidArgumentError } from 'commander';
import { Failure } from './failures.ts';
import type { Session } from './session.ts';
import type { Column } from './table.ts';
import { asCount, asId, eventOf, tenantOf } from './tenants.ts';

const MOST = 500;
const SCOPES = scopesOf('owner');

/** Questions of a dispute: who had it, what happened to whom, and what was refused. */
export function registerSearches(program: Command, session: Session): void {
  searching(program, 'audit', 'what was done to a seat, a user or a checkout, and by whom')
    .addHelpText('after', '\nHolds and tickets of a user are in the logs of events: name one.')
    .option('--checkout <id>', 'with its holds, payments, tickets and refunds', asId)
    .option('--action <action>', 'what was done, for example seat_reserved')
    .option('--actor <who>', 'who did it: an id, or a part of the name of a member or a key')
    .option('--before <sequence>', 'entries before this one, for the next page', asCount)
    .action((slug: string, event: string | undefined, options: AuditOptions, command: Command) =>
      session.engine((engine) => audit(engine, session, command, { slug, event, options })),
    );
  searching(program, 'refusals', 'requests for seats that were refused in the last 30 days')
    .option('--code <code>', 'with this answer, for example seat_held_by_another_user')
    .option('--before <id>', 'refusals before this one, for the next page', asId)
    .action((slug: string, event: string | undefined, options: RefusalOptions, command: Command) =>
      session.engine((engine) => refusals(engine, session, command, { slug, event, options })),
    );
}

function searching(program: Command, name: string, what: string): Command {
  return program
    .command(`${name} <organization> [event]`)
    .description(what)
    .option('--seat <label>', 'a label such as A-1, or an id; needs the event')
    .option('--user <who>', 'an id, or an address of e-mail')
    .option('--from <time>', 'not before, such as 2026-11-16T10:00:00Z', asTime)
    .option('--to <time>', 'before this time', asTime)
    .option('--limit <number>', `so many at most (${MOST})`, asCount, 100);
}

type Options = Readonly<{
  seat?: string;
  user?: string;
  from?: string;
  to?: string;
  limit: number;
}>;
type AuditOptions = Options &
  Readonly<{ checkout?: string; action?: string; actor?: string; before?: number }>;
type RefusalOptions = Options & Readonly<{ code?: string; before?: string }>;
type Asked<Given> = Readonly<{ slug: string; event: string | undefined; options: Given }>;

async function audit(
  engine: Engine,
  session: Session,
  command: Command,
  { slug, event, options }: Asked<AuditOptions>,
): Promise<void> {
  const { checkout: checkoutId, ...rest } = options;
  const caller = await callerFor(engine, slug, event, options);
  const { eventId, ...who } = caller;
  const limit = options.limit + 1;
  const found = await searchAudit(engine, who, { ...rest, eventId, checkoutId, limit });
  if (found.kind !== 'found') throw missing(found.kind);
  const entries = found.entries.slice(0, options.limit);
  session.show(command, entries, ENTRY_COLUMNS, 'No entry is so.');
  if (found.entries.length > entries.length) sayMore(session, entries.at(-1)?.sequence);
}

async function refusals(
  engine: Engine,
  session: Session,
  command: Command,
  { slug, event, options }: Asked<RefusalOptions>,
): Promise<void> {
  const { eventId, ...who } = await callerFor(engine, slug, event, options);
  const found = await readRefusals(engine, who, { ...options, eventId });
  if (found.kind !== 'found') throw missing(found.kind);
  const { refusals: rows, next } = found;
  const none = next ? 'Nothing was found among the newest refusals.' : 'Nothing was refused so.';
  session.show(command, rows, REFUSAL_COLUMNS, none);
  if (next) sayMore(session, next);
}

/** Beside the result, which may go to a program. */
function sayMore({ host }: Session, before: string | number | undefined): void {
  host.err(`The list was cut. It goes on with --before ${before}\n`);
}

async function callerFor(
  engine: Engine,
  slug: string,
  event: string | undefined,
  { seat, limit }: Options,
) {
  if (seat !== undefined && event === undefined) {
    throw new Failure('usage', '--seat needs the event: every event has its own seats');
  }
  if (limit < 1 || limit > MOST) throw new Failure('usage', `--limit: 1 to ${MOST}`);
  const scope = await tenantOf(engine, slug);
  const eventId = event === undefined ? undefined : (await eventOf(engine, scope, event)).event_id;
  return { scope, scopes: SCOPES, eventId };
}

function missing(kind: string): Failure {
  return new Failure('missing', SENTENCES[kind] ?? kind);
}

const SENTENCES: Readonly<Record<string, string>> = {
  event_not_found: 'the event is not on sale',
  seat_not_found: 'there is no such seat in this event',
  checkout_not_found: 'there is no such checkout',
  user_not_found: 'no user has this address of e-mail',
  actor_not_found: 'no member and no API key is called so',
  actor_vague: 'too many members and API keys are called so: say more',
};

function asTime(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text) || Number.isNaN(Date.parse(text))) {
    throw new InvalidArgumentError('It is no time such as 2026-11-16T10:00:00Z.');
  }
  return new Date(text).toISOString();
}

const ENTRY_COLUMNS: readonly Column<FoundEntry>[] = [
  { name: 'sequence', of: ({ sequence }) => sequence, right: true },
  { name: 'time (UTC)', of: ({ at }) => at },
  { name: 'action', of: ({ action }) => action },
  { name: 'seats', of: ({ seat_labels }) => seat_labels.join(' ') || null },
  { name: 'user', of: ({ user_name }) => user_name },
  { name: 'user id', of: ({ user_id }) => user_id },
  { name: 'by', of: ({ actor_kind, actor_role }) => actor_role ?? actor_kind },
  { name: 'name', of: ({ actor_name, actor_erased }) => (actor_erased ? 'erased' : actor_name) },
  { name: 'actor id', of: ({ actor_id }) => actor_id },
  { name: 'about', of: ({ entity_type }) => entity_type },
  { name: 'id', of: ({ entity_id }) => entity_id },
];

const named = (places: FoundRefusal['seats']) =>
  places.map(({ id, name }) => name ?? id).join(' ') || null;

const REFUSAL_COLUMNS: readonly Column<FoundRefusal>[] = [
  { name: 'time (UTC)', of: ({ at }) => at },
  { name: 'code', of: ({ code }) => code },
  { name: 'times', of: ({ times }) => times, right: true },
  { name: 'seats', of: ({ seats }) => named(seats) },
  { name: 'zones', of: ({ zones }) => named(zones) },
  { name: 'user', of: ({ user_name }) => user_name },
  { name: 'user id', of: ({ user_id }) => user_id },
  { name: 'address', of: ({ ip_hash }) => ip_hash },
  { name: 'program', of: ({ user_agent }) => user_agent },
  { name: 'id', of: ({ refusal_id }) => refusal_id },
];

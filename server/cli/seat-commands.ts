import type { Scope } from '@voelgoed/engine/scope';
import {
  blockSeats,
  type Caller,
  type Engine,
  eventTallies,
  expireNow,
  releaseByStaff,
} from '@voelgoed/engine/workflows';
import type { Command } from 'commander';
import { Failure } from './failures.ts';
import type { Session } from './session.ts';
import { administrator, asId, asIds, eventOf, tenantOf } from './tenants.ts';

const REASON_CHARACTERS = 500;

/** Commands about who has a seat. */
export function registerSeats(program: Command, session: Session): void {
  registerRelease(program, session);
  for (const kind of ['block', 'unblock'] as const) registerBlock(program, session, kind);
  program
    .command('expire-now <organization> [event]')
    .description('end what is due, as the sweep does each second')
    .action((slug: string, event: string | undefined, _, command: Command) =>
      session.engine(async (engine) => {
        const scope = await tenantOf(engine, slug);
        await expire(engine, session, command, scope, event);
      }),
    );
}

type ReleaseOptions = Readonly<{
  holds?: string[];
  user?: string;
  event?: string;
  reason: string;
  notes?: string;
  force?: boolean;
  yes?: boolean;
}>;

function registerRelease(program: Command, session: Session): void {
  program
    .command('release <organization>')
    .description('end holds of others: by id, of a user, of an event')
    .option('--holds <ids>', 'holds, separated by commas', asIds)
    .option('--user <id>', 'all of this user', asId)
    .option('--event <event>', 'only in this event; alone: everything that is held in it')
    .requiredOption('--reason <text>', 'why, for the audit trail')
    .option('--notes <text>', 'more about it')
    .option('--force', 'also what somebody is paying for at this moment')
    .option('--yes', 'do not ask')
    .action((slug: string, options: ReleaseOptions, command: Command) =>
      session.engine(async (engine) => {
        const scope = await tenantOf(engine, slug);
        await release(engine, session, command, scope, options);
      }),
    );
}

async function release(
  engine: Engine,
  session: Session,
  command: Command,
  scope: Scope,
  options: ReleaseOptions,
): Promise<void> {
  const { holds, user, event, force = false } = options;
  if (!holds && !user && !event) {
    throw new Failure('usage', 'say what to release: --holds, --user or --event');
  }
  const reason = reasonIn(options);
  const caller = administrator(session, command, scope);
  const eventId = event === undefined ? null : (await eventOf(engine, scope, event)).event_id;
  const what = holds ? `${holds.length} holds` : user ? `all of user ${user}` : 'every hold';
  await session.confirm(options.yes, `${what} will be released${event ? ` in ${event}` : ''}`);
  const done = await releaseByStaff(engine, caller, {
    holdIds: holds ?? null,
    userId: user ?? null,
    eventId,
    reason,
    notes: options.notes ?? null,
    force,
  });
  if (done.kind !== 'released') throw new Failure('refused', `${event} is not on sale`);
  const { seats, holds: outcomes } = done;
  const other = outcomes.filter(({ outcome }) => outcome !== 'released');
  const rest = other.map(({ hold_id, outcome }) => `\n${hold_id}  ${outcome}`).join('');
  const answer = { seats_released: seats, holds: outcomes };
  session.result(command, answer, `${seats} seats and places were released.${rest}`);
}

type BlockOptions = Readonly<{ seats: string; reason: string; yes?: boolean }>;

function registerBlock(program: Command, session: Session, kind: 'block' | 'unblock'): void {
  const what = kind === 'block' ? 'take seats out of the sale' : 'put blocked seats back on sale';
  program
    .command(`${kind} <organization> <event>`)
    .description(what)
    .requiredOption('--seats <labels>', 'labels such as A-1, or ids, separated by commas')
    .requiredOption('--reason <text>', 'why, for the audit trail')
    .option('--yes', 'do not ask')
    .action((slug: string, event: string, options: BlockOptions, command: Command) =>
      session.engine(async (engine) => {
        const scope = await tenantOf(engine, slug);
        const { event_id } = await eventOf(engine, scope, event);
        const seatIds = await seatsIn(engine, scope, event_id, options.seats);
        const reason = reasonIn(options);
        const caller = administrator(session, command, scope);
        await session.confirm(options.yes, `${seatIds.length} seats: ${kind}`);
        await block(engine, session, command, caller, event_id, { kind, seatIds, reason });
      }),
    );
}

async function block(
  engine: Engine,
  session: Session,
  command: Command,
  caller: Caller,
  eventId: string,
  wish: Parameters<typeof blockSeats>[3],
): Promise<void> {
  const done = await blockSeats(engine, caller, eventId, wish);
  if (done.kind === 'refused') {
    const { code, details } = done.refusal;
    throw new Failure('refused', `${code}: ${JSON.stringify(details ?? {})}`);
  }
  if (done.kind !== 'done') throw new Failure('refused', 'the event is not on sale');
  const { revision } = done.answer;
  const count = wish.seatIds.length;
  const sentence = `${count} seats: ${wish.kind} is done, at revision ${revision}.`;
  session.result(command, { [`${wish.kind}ed`]: wish.seatIds, revision }, sentence);
}

/** By label, as people call them, or by id. */
async function seatsIn(
  engine: Engine,
  scope: Scope,
  eventId: string,
  text: string,
): Promise<string[]> {
  const board = await engine.registry.board({ scope, eventId });
  if (!board) throw new Failure('refused', 'the event is not on sale');
  const { plan } = board;
  const byName = new Map<string, string>();
  for (let ordinal = 0; ordinal < plan.seatCount; ordinal++) {
    const id = plan.seatIdOf(ordinal);
    byName.set(plan.labelOf(ordinal), id).set(id, id);
  }
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !byName.has(name));
  if (unknown.length > 0) {
    throw new Failure('missing', `there is no seat ${unknown.join(', ')} in this event`);
  }
  return [...new Set(names.map((name) => byName.get(name) ?? ''))];
}

function reasonIn({ reason }: { reason: string }): string {
  const text = reason.trim();
  if (text === '' || text.length > REASON_CHARACTERS || /\p{Cc}/u.test(text)) {
    throw new Failure('usage', `--reason: 1 to ${REASON_CHARACTERS} printable characters`);
  }
  return text;
}

async function expire(
  engine: Engine,
  session: Session,
  command: Command,
  scope: Scope,
  name: string | undefined,
): Promise<void> {
  const only = name === undefined ? null : (await eventOf(engine, scope, name)).event_id;
  const due = (await eventTallies(engine, scope)).filter(
    ({ event_id, due_holds }) => due_holds > 0 && (only === null || only === event_id),
  );
  const events: { event_id: string; ended: number; left: number }[] = [];
  for (const { event_id, due_holds } of due) {
    session.progress(`${events.length} of ${due.length} events …`);
    const left = await expireNow(engine, scope, event_id);
    events.push({ event_id, ended: due_holds - left, left });
  }
  session.progressDone();
  const sum = (field: 'ended' | 'left') => events.reduce((total, one) => total + one[field], 0);
  const paying = sum('left') > 0 ? `, ${sum('left')} are being paid for and stay` : '';
  const sentence = `${sum('ended')} holds in ${events.length} events were ended${paying}.`;
  session.result(command, { ended: sum('ended'), left: sum('left'), events }, sentence);
}

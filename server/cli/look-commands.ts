import type { TallyRow } from '@voelgoed/engine/registry';
import type { Scope } from '@voelgoed/engine/scope';
import {
  type Engine,
  eventHolds,
  eventTallies,
  reconcileRegistry,
  registryStatus,
} from '@voelgoed/engine/workflows';
import type { Command } from 'commander';
import { Failure } from './failures.ts';
import { isJson, type Session } from './session.ts';
import type { Column } from './table.ts';
import {
  administrator,
  asCount,
  eventOf,
  everyEvent,
  everyTenant,
  everything,
  PAGE,
  tenantOf,
} from './tenants.ts';

/** Commands that look and change nothing that is true. */
export function registerLooks(program: Command, session: Session): void {
  program
    .command('status [organization] [event]')
    .description('all organizations, one with its events, or one event in every tier')
    .action((slug: string | undefined, event: string | undefined, _, command: Command) =>
      session.engine(async (engine) => {
        if (slug === undefined) return showTenants(engine, session, command);
        const scope = await tenantOf(engine, slug);
        if (event === undefined) return showEvents(engine, session, command, scope);
        return showTiers(engine, session, command, scope, event);
      }),
    );

  program
    .command('events <organization>')
    .description('events with their state and how full they are')
    .option('--status <status>', 'only those: draft, published, live, postponed, ended, …')
    .action((slug: string, options: { status?: string }, command: Command) =>
      session.engine(async (engine) => {
        const scope = await tenantOf(engine, slug);
        await showEvents(engine, session, command, scope, options.status);
      }),
    );

  program
    .command('holds <organization> <event>')
    .description('who holds what, the first to expire first')
    .option('--due <seconds>', 'only those that end within so many seconds', asCount)
    .action((slug: string, event: string, options: { due?: number }, command: Command) =>
      session.engine(async (engine) => {
        const scope = await tenantOf(engine, slug);
        await showHolds(engine, session, command, { scope, event, due: options.due });
      }),
    );

  program
    .command('reconcile <organization> [event]')
    .description('make Redis say what Postgres says, for one event or for all on sale')
    .action((slug: string, event: string | undefined, _, command: Command) =>
      session.engine(async (engine) => {
        const scope = await tenantOf(engine, slug);
        const eventId = event === undefined ? null : (await eventOf(engine, scope, event)).event_id;
        const done = await reconcileRegistry(engine, { scope }, eventId);
        if (!done) throw new Failure('refused', `${event} is not on sale`);
        session.result(command, done, `${done.events} events: ${done.message}`);
      }),
    );
}

type Tenant = Readonly<{
  slug: string;
  status: string;
  organization_id: string;
  on_sale: number;
  held: number;
  sold: number;
  due_holds: number;
}>;

async function showTenants(engine: Engine, session: Session, command: Command): Promise<void> {
  const rows: Tenant[] = [];
  for (const { organization_id, slug, status } of await everyTenant(engine)) {
    session.progress(`${rows.length} organizations …`);
    const tallies = await eventTallies(engine, await tenantOf(engine, slug));
    const sum = (field: 'held' | 'sold' | 'due_holds') =>
      tallies.reduce((total, row) => total + row[field], 0);
    const counts = { held: sum('held'), sold: sum('sold'), due_holds: sum('due_holds') };
    rows.push({ slug, status, organization_id, on_sale: tallies.length, ...counts });
  }
  session.progressDone();
  session.show(command, rows, TENANT_COLUMNS, 'There is no organization.');
}

const TENANT_COLUMNS: readonly Column<Tenant>[] = [
  { name: 'organization', of: ({ slug }) => slug },
  { name: 'status', of: ({ status }) => status },
  { name: 'events', of: ({ on_sale }) => on_sale, right: true },
  { name: 'held', of: ({ held }) => held, right: true },
  { name: 'sold', of: ({ sold }) => sold, right: true },
  { name: 'due', of: ({ due_holds }) => due_holds, right: true },
  { name: 'id', of: ({ organization_id }) => organization_id },
];

type EventLine = Readonly<{
  event_id: string;
  slug: string;
  name: string;
  status: string;
  starts_at: string;
  /** Null: not published yet. */
  tally: Omit<TallyRow, 'event_id'> | null;
}>;

async function showEvents(
  engine: Engine,
  session: Session,
  command: Command,
  scope: Scope,
  status?: string,
): Promise<void> {
  const tallies = new Map(
    (await eventTallies(engine, scope)).map(({ event_id, ...tally }) => [event_id, tally]),
  );
  const events = await everyEvent(engine, scope, status);
  const rows = events.map(({ event_id, slug, name, status: state, starts_at }) => ({
    event_id,
    slug,
    name,
    status: state,
    starts_at,
    tally: tallies.get(event_id) ?? null,
  }));
  session.show(command, rows, EVENT_COLUMNS, 'There is no event.');
}

const EVENT_COLUMNS: readonly Column<EventLine>[] = [
  { name: 'event', of: ({ slug }) => slug },
  { name: 'name', of: ({ name }) => name },
  { name: 'status', of: ({ status }) => status },
  { name: 'starts', of: ({ starts_at }) => starts_at.slice(0, 16) },
  { name: 'places', of: ({ tally }) => tally?.capacity ?? null, right: true },
  { name: 'held', of: ({ tally }) => tally?.held ?? null, right: true },
  { name: 'sold', of: ({ tally }) => tally?.sold ?? null, right: true },
  { name: 'blocked', of: ({ tally }) => tally?.blocked ?? null, right: true },
  { name: 'due', of: ({ tally }) => tally?.due_holds ?? null, right: true },
  { name: 'revision', of: ({ tally }) => tally?.revision ?? null, right: true },
  { name: 'id', of: ({ event_id }) => event_id },
];

const TIERS = ['memory', 'redis', 'postgres'] as const;

async function showTiers(
  engine: Engine,
  session: Session,
  command: Command,
  scope: Scope,
  name: string,
): Promise<void> {
  const { event_id } = await eventOf(engine, scope, name);
  const status = await registryStatus(engine, { scope }, event_id);
  if (!status) throw new Failure('refused', `${name} is not on sale`);
  if (!status.consistent) session.found();
  if (isJson(command)) return session.json(status);
  for (const tier of TIERS) {
    const seen = status[tier];
    if (seen) session.say(`${tier.padEnd(8)}  ${seen.digest}  ${seen.count} holds`);
  }
  session.say(status.message);
}

async function showHolds(
  engine: Engine,
  session: Session,
  command: Command,
  wanted: { scope: Scope; event: string; due: number | undefined },
): Promise<void> {
  const { scope, due } = wanted;
  const { event_id } = await eventOf(engine, scope, wanted.event);
  const caller = administrator(session, command, scope);
  const held = await everything(async (last: HoldLine | undefined) => {
    const page = { after: last?.hold_id, limit: PAGE, dueWithin: due };
    const found = await eventHolds(engine, caller, event_id, page);
    if (!found) throw new Failure('refused', `${wanted.event} is not on sale`);
    return found.holds.map(({ hold, place }) => ({
      hold_id: hold.hold_id,
      place: place.seat?.label ?? place.zone_name,
      zone: place.zone_name,
      quantity: hold.quantity,
      user_id: hold.user_id,
      source: hold.source,
      checkout_id: hold.checkout_id,
      expires_in_seconds: Math.ceil((hold.until_ms - found.at_ms) / 1_000),
    }));
  });
  const rows = held.sort((one, other) => one.expires_in_seconds - other.expires_in_seconds);
  session.show(command, rows, HOLD_COLUMNS, 'Nothing is held.');
}

type HoldLine = Readonly<{
  hold_id: string;
  place: string;
  zone: string;
  quantity: number;
  user_id: string;
  source: string;
  checkout_id: string | null;
  expires_in_seconds: number;
}>;

const HOLD_COLUMNS: readonly Column<HoldLine>[] = [
  { name: 'place', of: ({ place }) => place },
  { name: 'zone', of: ({ zone }) => zone },
  { name: 'places', of: ({ quantity }) => quantity, right: true },
  { name: 'ends in s', of: ({ expires_in_seconds }) => expires_in_seconds, right: true },
  { name: 'source', of: ({ source }) => source },
  { name: 'user', of: ({ user_id }) => user_id },
  { name: 'checkout', of: ({ checkout_id }) => checkout_id },
  { name: 'hold', of: ({ hold_id }) => hold_id },
];

import type { TallyRow } from '@voelgoed/engine/registry';
import type { Scope } from '@voelgoed/engine/scope';
import {
  type Caller,
  type Engine,
  eventHolds,
  eventTallies,
  reconcileRegistry,
} from '@voelgoed/engine/workflows';
import { type Command, InvalidArgumentError } from 'commander';
import { Failure } from './failures.ts';
import type { Session } from './session.ts';
import { showTiers } from './show-tiers.ts';
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

/** Addresses of nodes, one after the other. */
function asNodes(text: string, before: readonly string[] = []): readonly string[] {
  const isAddress = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isAddress) throw new InvalidArgumentError('It is no http address.');
  return [...before, text];
}

/** Commands that look and change nothing that is true. */
export function registerLooks(program: Command, session: Session): void {
  program
    .command('status [organization] [event]')
    .description('all organizations, one with its events, or one event in every tier')
    .option('--node <url>', 'ask this running node for its memory; may be given again', asNodes)
    .action(
      (
        slug: string | undefined,
        name: string | undefined,
        { node: nodes = [] }: { node?: readonly string[] },
        command: Command,
      ) =>
        session.engine(async (engine, installation) => {
          if (slug === undefined) return showTenants(engine, session, command);
          const scope = await tenantOf(engine, slug);
          if (name === undefined) return showEvents(engine, session, command, scope);
          const wanted = { slug, scope, name, nodes };
          return showTiers(engine, installation, session, command, wanted);
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
    .command('holds <organization> [event]')
    .description('who holds what in one event or in all, the first to expire first')
    .option('--due <seconds>', 'only those that end within so many seconds', asCount)
    .action(
      (slug: string, event: string | undefined, options: { due?: number }, command: Command) =>
        session.engine(async (engine) => {
          const scope = await tenantOf(engine, slug);
          await showHolds(engine, session, command, { scope, event, due: options.due });
        }),
    );

  program
    .command('reconcile <organization> [event]')
    .description('make memory and Redis say what Postgres says, for one event or all on sale')
    .action((slug: string, event: string | undefined, _, command: Command) =>
      session.engine(async (engine) => {
        const scope = await tenantOf(engine, slug);
        const eventId = event === undefined ? null : (await eventOf(engine, scope, event)).event_id;
        const outcome = await reconcileRegistry(engine, { scope }, eventId);
        if (outcome.kind === 'event_not_found') {
          throw new Failure('refused', `${event} is not on sale`);
        }
        if (outcome.kind === 'redis_unavailable') {
          throw new Failure('unavailable', outcome.done.message);
        }
        const { done } = outcome;
        if (done.failed > 0) session.found();
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
  { name: 'starts (UTC)', of: ({ starts_at }) => `${starts_at.slice(0, 16)}Z` },
  { name: 'places', of: ({ tally }) => tally?.capacity ?? null, right: true },
  { name: 'held', of: ({ tally }) => tally?.held ?? null, right: true },
  { name: 'sold', of: ({ tally }) => tally?.sold ?? null, right: true },
  { name: 'blocked', of: ({ tally }) => tally?.blocked ?? null, right: true },
  { name: 'due', of: ({ tally }) => tally?.due_holds ?? null, right: true },
  { name: 'revision', of: ({ tally }) => tally?.revision ?? null, right: true },
  { name: 'id', of: ({ event_id }) => event_id },
];

async function showHolds(
  engine: Engine,
  session: Session,
  command: Command,
  wanted: { scope: Scope; event: string | undefined; due: number | undefined },
): Promise<void> {
  const { scope, event: name, due } = wanted;
  const caller = administrator(session, command, scope);
  const rows: HoldLine[] = [];
  if (name !== undefined) {
    const { event_id, slug } = await eventOf(engine, scope, name);
    const found = await holdsOf(engine, caller, { event_id, slug, due });
    if (!found) throw new Failure('refused', `${name} is not on sale`);
    rows.push(...found);
  } else {
    const held = new Set(
      (await eventTallies(engine, scope)).flatMap((one) => (one.held > 0 ? [one.event_id] : [])),
    );
    for (const { event_id, slug } of await everyEvent(engine, scope)) {
      if (!held.has(event_id)) continue;
      session.progress(`${rows.length} holds …`);
      rows.push(...((await holdsOf(engine, caller, { event_id, slug, due })) ?? []));
    }
    session.progressDone();
  }
  rows.sort((one, other) => one.expires_in_seconds - other.expires_in_seconds);
  session.show(command, rows, HOLD_COLUMNS, 'Nothing is held.');
}

type HoldsWanted = Readonly<{ event_id: string; slug: string; due: number | undefined }>;

/** Null: the event is not on sale. */
async function holdsOf(
  engine: Engine,
  caller: Caller,
  { event_id, slug, due }: HoldsWanted,
): Promise<HoldLine[] | null> {
  let isOnSale = true;
  const rows = await everything(async (last: HoldLine | undefined) => {
    const page = { after: last?.hold_id, limit: PAGE, dueWithin: due };
    const found = await eventHolds(engine, caller, event_id, page);
    isOnSale = found !== null;
    return (found?.holds ?? []).map(({ hold, place, holder }) => ({
      event: slug,
      hold_id: hold.hold_id,
      place: place.seat?.label ?? place.zone_name,
      zone: place.zone_name,
      quantity: hold.quantity,
      user_id: hold.user_id,
      user_name: holder,
      source: hold.source,
      checkout_id: hold.checkout_id,
      expires_in_seconds: Math.ceil((hold.until_ms - (found?.at_ms ?? 0)) / 1_000),
    }));
  });
  return isOnSale ? rows : null;
}

type HoldLine = Readonly<{
  event: string;
  hold_id: string;
  place: string;
  zone: string;
  quantity: number;
  user_id: string;
  user_name: string | null;
  source: string;
  checkout_id: string | null;
  expires_in_seconds: number;
}>;

const HOLD_COLUMNS: readonly Column<HoldLine>[] = [
  { name: 'event', of: ({ event }) => event },
  { name: 'place', of: ({ place }) => place },
  { name: 'zone', of: ({ zone }) => zone },
  { name: 'places', of: ({ quantity }) => quantity, right: true },
  { name: 'ends in s', of: ({ expires_in_seconds }) => expires_in_seconds, right: true },
  { name: 'source', of: ({ source }) => source },
  { name: 'user', of: ({ user_name }) => user_name },
  { name: 'user id', of: ({ user_id }) => user_id },
  { name: 'checkout', of: ({ checkout_id }) => checkout_id },
  { name: 'hold', of: ({ hold_id }) => hold_id },
];

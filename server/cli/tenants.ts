import { scopeOfSlug, scopesOf } from '@voelgoed/engine/accounts';
import { isUuid } from '@voelgoed/engine/kit';
import type { Scope } from '@voelgoed/engine/scope';
import {
  type Caller,
  type Engine,
  type EventDetail,
  listAllEvents,
  listOrganizations,
  readEvent,
} from '@voelgoed/engine/workflows';
import { type Command, InvalidArgumentError } from 'commander';
import { Failure } from './failures.ts';
import type { Session } from './session.ts';

export const PAGE = 500;
const NAME_CHARACTERS = 100;

/**
 * Whoever can run the command line of an installation is its administrator. Their name stands in
 * the trail's context, which can be erased; the chain itself names nobody.
 */
export function administrator(session: Session, command: Command, scope: Scope): Caller {
  const said: unknown = command.optsWithGlobals().as;
  const name = typeof said === 'string' ? said : session.host.user;
  if (name === '' || name.length > NAME_CHARACTERS || /\p{Cc}/u.test(name)) {
    throw new Failure('usage', `--as: a name has 1 to ${NAME_CHARACTERS} printable characters`);
  }
  return {
    scope,
    actor: { kind: 'platform', id: null, role: null },
    role: 'owner',
    scopes: scopesOf('owner'),
    ip: null,
    userAgent: `command line, as ${name}`,
    idempotency: null,
  };
}

export async function tenantOf(engine: Engine, slug: string): Promise<Scope> {
  const scope = await scopeOfSlug(engine.postgres, slug);
  if (!scope) throw new Failure('missing', `there is no organization "${slug}"`);
  return scope;
}

/** By id or by slug, as people have it at hand. */
export async function eventOf(engine: Engine, scope: Scope, text: string): Promise<EventDetail> {
  const eventId = isUuid(text) ? text.toLowerCase() : await idOfSlug(engine, scope, text);
  const event = eventId === null ? null : await readEvent(engine, { scope }, eventId);
  if (!event) throw new Failure('missing', `there is no event "${text}" in this organization`);
  return event;
}

async function idOfSlug(engine: Engine, scope: Scope, slug: string): Promise<string | null> {
  const events = await everyEvent(engine, scope);
  return events.find((event) => event.slug === slug)?.event_id ?? null;
}

export async function everyEvent(engine: Engine, scope: Scope, status?: string) {
  const caller = { scope } as Caller;
  return everything((last: { event_id: string } | undefined) =>
    listAllEvents(engine, caller, { status, after: last?.event_id, limit: PAGE }),
  );
}

export function everyTenant(engine: Engine) {
  return everything((last: { slug: string } | undefined) =>
    listOrganizations(engine, { after: last?.slug ?? '', limit: PAGE }),
  );
}

/** Page after page until one is not full. */
export async function everything<Row>(
  page: (last: Row | undefined) => Promise<Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const rows = await page(all.at(-1));
    all.push(...rows);
    if (rows.length < PAGE) return all;
  }
}

/** For commander: an argument that is an id. */
export function asId(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError('It is no id.');
  return text.toLowerCase();
}

export function asIds(text: string): string[] {
  return text.split(',').map((one) => asId(one.trim()));
}

export function asCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) {
    throw new InvalidArgumentError('It is no whole number.');
  }
  return count;
}

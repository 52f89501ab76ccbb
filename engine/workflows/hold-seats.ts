import { Admission, describeUser, userIdOf } from '#accounts';
import type {
  BestRequest,
  Board,
  HeldOutcome,
  Hold,
  HoldCommand,
  HoldItem,
  HoldPlace,
  HoldSource,
  Refused,
} from '#board';
import { isKnownKey } from '#idempotency';
import { isOperatingError } from '#kit';
import { holdSeconds, type SeatingPolicy } from '#policies';
import type { Scope } from '#scope';
import { ipHash } from './address-hash.ts';
import type { Caller, Engine, KeyReused } from './change.ts';
import { wishFor } from './wish.ts';

/** What a buyer wishes to hold. */
export type HoldWish = Readonly<{
  items: readonly HoldItem[];
  /** Instead of items: the engine chooses. */
  best?: BestRequest;
  orphans?: HoldCommand['orphans'] & string;
  cart_token: string | null;
  source: HoldSource;
}>;

/** A hold as its holder sees it, at the moment of the answer. */
export type HeldPlace = Readonly<{ hold: Hold; place: HoldPlace }>;

export type Held = Readonly<{
  kind: 'held';
  holds: readonly HeldPlace[];
  existing: boolean;
  cart_token: string;
  revision: number;
  /** The database's time of the answer. */
  at_ms: number;
  replayed: boolean;
}> &
  Pick<HeldOutcome, 'orphans' | 'offer'>;

export type HoldRefusal = Readonly<{ kind: 'refused'; refusal: Refused; at_ms: number }>;
export type EventMissing = Readonly<{ kind: 'event_not_found' }>;

type Outcome = Held | HoldRefusal | EventMissing | KeyReused;

/** All of the wish or nothing, for whoever calls. */
export async function holdSeats(
  engine: Engine,
  caller: Caller,
  eventId: string,
  wish: HoldWish,
): Promise<Outcome> {
  await buyerOf(engine, caller);
  return hold(engine, caller, eventId, commandOf(engine, caller, wish));
}

/** A wish as the board decides it. */
export function commandOf(engine: Engine, caller: Caller, wish: HoldWish): HoldCommand {
  return {
    kind: 'hold',
    user_id: buyerIdOf(caller.scope.organizationId, caller.actor),
    ...wish,
    ip: ipHash(engine, caller),
    role: caller.role,
    guest: caller.guestOf !== undefined,
    made_by: null,
    hold_seconds: null,
    notes: null,
  };
}

/** A refusal that is known; `tell` when it is given as the answer. */
export type RefusalAtHand = Readonly<{
  refusal: Refused;
  at_ms: number;
  policy: SeatingPolicy;
  tell(): void;
}>;

/** What memory alone refuses, at once; null: it has to be wished for. */
export function refusalAtHand(
  engine: Engine,
  caller: Caller,
  eventId: string,
  wish: HoldWish,
): RefusalAtHand | null {
  const event = { scope: caller.scope, eventId };
  const board = engine.registry.loadedBoard(event);
  const command = commandOf(engine, caller, wish);
  const screened = engine.registry.screen(event, { command, exact: caller.suspended });
  if (!board || !screened) return null;
  const { outcome: refusal, at_ms } = screened;
  const tell = () => {
    const { telemetry } = engine;
    const seen = { what: 'board', source: 'memory', hit: true, duration_ms: 0 } as const;
    telemetry.emit({ kind: 'cache.lookup', ...seen });
    const ids = () => wantedIds(caller, eventId, command);
    const method = methodOf(engine);
    telemetry.emit({ kind: 'hold.attempt', seats: seatsIn(command), method, ids });
    telemetry.emit({ kind: 'hold.refused_fast', code: refusal.code });
    noteRefused(engine, caller, eventId, command, refusal, at_ms);
  };
  return { refusal, at_ms, policy: board.config.policy, tell };
}

export type CallerWish = Readonly<{
  items: readonly HoldItem[];
  /** The name of the caller. */
  for: string;
  /** Which caller; absent: the one with this name. */
  callerId?: string | null;
  minutes: number | null;
  notes: string | null;
}>;

/** For somebody on the telephone: staff judge sale window and limits themselves. */
export async function holdForCaller(
  engine: Engine,
  caller: Caller,
  eventId: string,
  wish: CallerWish,
): Promise<Outcome> {
  const board = await engine.registry.board({ scope: caller.scope, eventId });
  if (!board) return { kind: 'event_not_found' };
  const user_id = await callerNamed(engine, caller.scope, wish);
  return hold(engine, caller, eventId, {
    kind: 'hold',
    user_id,
    items: wish.items,
    cart_token: null,
    source: 'box_office',
    ip: null,
    role: 'customer',
    guest: false,
    made_by: caller.actor.id,
    hold_seconds: wish.minutes === null ? null : holdSeconds(wish.minutes),
    notes: wish.notes,
  });
}

async function hold(
  engine: Engine,
  caller: Caller,
  eventId: string,
  command: HoldCommand,
): Promise<Outcome> {
  const { clock, telemetry } = engine;
  const started_ms = clock.monotonic();
  const method = methodOf(engine);
  const wanted = () => wantedIds(caller, eventId, command);
  telemetry.emit({ kind: 'hold.attempt', seats: seatsIn(command), method, ids: wanted });
  const answer = await wishFor(engine, caller, eventId, command).catch((error) => {
    // A buyer who has closed the page while waiting is no failure of ours.
    const reason = codeOf(error);
    if (!caller.signal?.aborted) telemetry.emit({ kind: 'hold.error', reason, ids: wanted });
    throw error;
  });
  if (answer.kind === 'key_reused') return answer;
  if (answer.kind === 'not_on_sale') return { kind: 'event_not_found' };
  const { outcome, at_ms, revision, replayed } = answer;
  if (outcome.kind === 'refused') {
    noteRefused(engine, caller, eventId, command, outcome, at_ms);
    return { kind: 'refused', refusal: outcome, at_ms };
  }
  if (outcome.kind !== 'held') throw new Error(`a hold was answered by ${outcome.kind}`);
  if (!outcome.existing && !replayed) {
    const duration_ms = clock.monotonic() - started_ms;
    const ids = () => holdIds(caller, eventId, command, outcome);
    telemetry.emit({ kind: 'hold.success', seats: seatsIn(command), duration_ms, method, ids });
    tellOrphans(engine, caller, eventId, outcome);
  }
  const { existing, cart_token, orphans, offer } = outcome;
  const holds = outcome.holds.flatMap((one, index) => {
    const place = outcome.places[index];
    return place ? [{ hold: one, place }] : [];
  });
  const chosen = { ...(orphans ? { orphans } : {}), ...(offer ? { offer } : {}) };
  return { kind: 'held', holds, existing, cart_token, revision, at_ms, replayed, ...chosen };
}

/** Who wants what, for a line in the log. */
function wantedIds({ scope }: Caller, event_id: string, { user_id, items }: HoldCommand) {
  return {
    organization_id: scope.organizationId,
    event_id,
    user_id,
    seat_ids: items.flatMap((item) => ('seat_id' in item ? [item.seat_id] : [])),
    zone_ids: items.flatMap((item) => ('zone_id' in item ? [item.zone_id] : [])),
  };
}

/** Whose hold it is and how long, for a line in the log. */
function holdIds(
  { scope }: Caller,
  event_id: string,
  { user_id }: HoldCommand,
  { holds, places }: HeldOutcome,
) {
  const [first] = holds;
  return {
    organization_id: scope.organizationId,
    event_id,
    user_id,
    hold_ids: holds.map(({ hold_id }) => hold_id),
    seat_ids: places.flatMap(({ seat }) => seat?.seat_id ?? []),
    held_until: first ? new Date(first.until_ms).toISOString() : null,
  };
}

function methodOf({ warm }: Engine): 'redis' | 'postgres' {
  return warm?.state === 'closed' ? 'redis' : 'postgres';
}

function noteRefused(
  { telemetry, refusals }: Engine,
  { scope, userAgent: user_agent }: Caller,
  event_id: string,
  { user_id, ip }: HoldCommand,
  refusal: Refused,
  at_ms: number,
): void {
  const { code, items } = refusal;
  const seat_ids = items.flatMap(({ seat_id }) => seat_id ?? []);
  const zone_ids = items.flatMap(({ zone_id }) => zone_id ?? []);
  const about = { event_id, user_id, seat_ids, zone_ids };
  refusals.note(scope, { ...about, code, at_ms, ip, user_agent });
  const ids = () => ({ organization_id: scope.organizationId, ...about });
  telemetry.emit({ kind: 'hold.conflict', code, ids });
  if (code !== 'zone_access_denied') return;
  telemetry.emit({ kind: 'zone.access', granted: false, reason: code, ids });
}

function codeOf(error: unknown): string {
  return isOperatingError(error) ? error.code : 'internal';
}

function tellOrphans(
  { telemetry }: Engine,
  { scope }: Caller,
  event_id: string,
  { orphans }: HeldOutcome,
): void {
  if (!orphans) return;
  const ids = { organization_id: scope.organizationId, event_id };
  const { labels, reason } = orphans;
  telemetry.emit({ kind: 'orphans.left', orphans: labels.length, reason, ids });
}

/** Seats and places of a wish that its user does not have yet, as far as memory knows. */
export function newSeats(
  { registry }: Engine,
  board: Board,
  { scope, actor }: Caller,
  { items, best }: HoldWish,
): number {
  const buyer = buyerIdOf(scope.organizationId, actor);
  const now_ms = registry.now(board);
  const wanted = new Set<number>();
  let places = best?.quantity ?? 0;
  for (const item of items) {
    if ('quantity' in item) places += item.quantity;
    else wanted.add(board.plan.ordinalOf(item.seat_id) ?? -1);
  }
  const isOwn = (ordinal: number) => {
    const hold = ordinal < 0 ? undefined : board.holdOfSeat(ordinal);
    return hold !== undefined && hold.user_id === buyer && hold.until_ms > now_ms;
  };
  return places + [...wanted].filter((ordinal) => !isOwn(ordinal)).length;
}

/** Was this wish fulfilled before, by its key? Then asking again costs nothing. */
export async function isRepeat(
  { postgres }: Engine,
  { scope, idempotency }: Caller,
  eventId: string,
): Promise<boolean> {
  if (!idempotency) return false;
  return postgres.transaction(scope, { name: 'holds.repeat' }, (transaction) =>
    isKnownKey(transaction, scope, eventId, idempotency),
  );
}

function seatsIn({ items, best }: HoldCommand): number {
  const named = items.reduce((sum, item) => sum + ('quantity' in item ? item.quantity : 1), 0);
  return named + (best?.quantity ?? 0);
}

/** A user is known since they logged in; an API key buys as a user of its own. */
export async function buyerOf(engine: Engine, { scope, actor }: Caller): Promise<string> {
  const { organizationId } = scope;
  if (actor.kind !== 'user') {
    await new Admission(engine.postgres).admit(organizationId, subjectOf(actor));
  }
  return buyerIdOf(organizationId, actor);
}

type Buyer = Pick<Caller['actor'], 'kind' | 'id'>;

/** As whom somebody buys. */
export function buyerIdOf(organizationId: string, actor: Buyer): string {
  if (actor.kind === 'user' && actor.id !== null) return actor.id;
  return userIdOf(organizationId, subjectOf(actor));
}

function subjectOf({ kind, id }: Buyer): string {
  return `${kind}:${id}`;
}

/**
 * The same id is the same person, or without one the same words; the name is personal and can be
 * erased. A subject with an id in it says nothing about a person.
 */
async function callerNamed(
  engine: Engine,
  scope: Scope,
  { for: name, callerId }: Pick<CallerWish, 'for' | 'callerId'>,
): Promise<string> {
  const { organizationId } = scope;
  const subject = `caller:${callerId ?? name}`;
  const userId = userIdOf(organizationId, subject);
  await engine.postgres.ask(scope, describeUser(organizationId, userId, subject, null, name));
  return userId;
}

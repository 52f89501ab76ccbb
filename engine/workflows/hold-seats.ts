import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { Admission, describeUser, userIdOf } from '#accounts';
import type { Hold, HoldCommand, HoldItem, HoldPlace, HoldSource, Refused } from '#board';
import { forgetOldest } from '#kit';
import { holdSeconds } from '#policies';
import type { Scope } from '#scope';
import type { Caller, Engine, KeyReused } from './change.ts';
import { wishFor } from './wish.ts';

/** What a buyer wishes to hold. */
export type HoldWish = Readonly<{
  items: readonly HoldItem[];
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
}>;

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
  const user_id = await buyerOf(engine, caller);
  return hold(engine, caller, eventId, {
    kind: 'hold',
    user_id,
    ...wish,
    ip: ipHash(engine, caller),
    role: caller.role,
    guest: caller.guestOf !== undefined,
    made_by: null,
    hold_seconds: null,
    notes: null,
  });
}

/** For somebody on the telephone: staff judge sale window and limits themselves. */
export async function holdForCaller(
  engine: Engine,
  caller: Caller,
  eventId: string,
  wish: { items: readonly HoldItem[]; for: string; minutes: number | null; notes: string | null },
): Promise<Outcome> {
  const user_id = await personNamed(engine, caller.scope, wish.for);
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
  engine.telemetry.emit({ kind: 'hold.attempt', seats: seatsIn(command.items) });
  const answer = await wishFor(engine, caller, eventId, command);
  if (answer.kind === 'key_reused') return answer;
  if (answer.kind === 'not_on_sale') return { kind: 'event_not_found' };
  const { outcome, at_ms, revision, replayed } = answer;
  if (outcome.kind === 'refused') {
    const { user_id } = command;
    engine.refusals.note(caller.scope, eventId, { user_id, refusal: outcome, at_ms });
    engine.telemetry.emit({ kind: 'hold.conflict', code: outcome.code });
    if (outcome.details?.status === 'archived') return { kind: 'event_not_found' };
    return { kind: 'refused', refusal: outcome, at_ms };
  }
  if (outcome.kind !== 'held') throw new Error(`a hold was answered by ${outcome.kind}`);
  if (!outcome.existing && !replayed) {
    engine.telemetry.emit({ kind: 'hold.success', seats: seatsIn(command.items) });
  }
  const { existing, cart_token } = outcome;
  const holds = outcome.holds.flatMap((one, index) => {
    const place = outcome.places[index];
    return place ? [{ hold: one, place }] : [];
  });
  return { kind: 'held', holds, existing, cart_token, revision, at_ms, replayed };
}

export function seatsIn(items: readonly HoldItem[]): number {
  return items.reduce((sum, item) => sum + ('quantity' in item ? item.quantity : 1), 0);
}

/** A user is known since they logged in; an API key buys as a user of its own. */
export async function buyerOf(engine: Engine, { scope, actor }: Caller): Promise<string> {
  if (actor.kind === 'user' && actor.id !== null) return actor.id;
  const subject = `${actor.kind}:${actor.id}`;
  await new Admission(engine.postgres).admit(scope.organizationId, subject);
  return userIdOf(scope.organizationId, subject);
}

/** The same words are the same person; the name is personal and can be erased. */
async function personNamed(engine: Engine, scope: Scope, name: string): Promise<string> {
  const { organizationId } = scope;
  const subject = `caller:${name}`;
  const userId = userIdOf(organizationId, subject);
  await engine.postgres.transaction(scope, { name: 'holds.caller' }, (transaction) =>
    transaction.query(describeUser(organizationId, userId, subject, null, name)),
  );
  return userId;
}

/** Counts an address without keeping it: keyed, per organization, IPv6 by its network. */
function ipHash({ ipSecret }: Engine, { ip, scope }: Caller): string | null {
  if (ip === null) return null;
  const { organizationId } = scope;
  const name = `${ipSecret} ${organizationId} ${ip}`;
  const known = ipHashes.get(name);
  if (known !== undefined) return known;
  const network = isIPv6(ip) ? networkOf(ip) : ip;
  const hmac = createHmac('sha256', ipSecret).update(organizationId).update(network);
  const hash = hmac.digest('base64url').slice(0, 22);
  ipHashes.set(name, hash);
  forgetOldest(ipHashes, MOST_IP_HASHES);
  return hash;
}

/** Of the last while: an address holds more than once, and a hash costs 5 µs. */
const ipHashes = new Map<string, string>();
const MOST_IP_HASHES = 10_000;

/** The first 64 bits, which is what one customer of a provider gets. */
function networkOf(ip: string): string {
  const [head = '', tail] = ip.toLowerCase().split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

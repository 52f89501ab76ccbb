import { systemClock } from '@voelgoed/engine/kit';
import { signPayment } from '@voelgoed/server/routes';
import { newId } from '@voelgoed/testkit/builders';
import type { Visit } from './visit.ts';

/** What a connection does again and again; it crosses a process boundary as JSON. */
export type Play =
  /** The next free seat. */
  | Readonly<{ kind: 'reserve'; keys?: boolean }>
  /** Seats that others have. */
  | Readonly<{ kind: 'refused' }>
  /** A seat is held and given back: any hall lasts for any time. */
  | Readonly<{ kind: 'turnover' }>
  /** The engine chooses so many seats. */
  | Readonly<{ kind: 'best'; quantity: number }>
  /** So many seats by name, all or nothing. */
  | Readonly<{ kind: 'named'; quantity: number }>
  /** Hold, check out, begin to pay, the provider's message. */
  | Readonly<{ kind: 'purchase'; secret: string }>
  /** Of twenty requests 14 look, 4 hold, 1 gives back, 1 checks out. */
  | Readonly<{ kind: 'on-sale'; givesBack?: boolean }>
  /** `again`: with the tag of the answer before, as a browser has it. */
  | Readonly<{ kind: 'read'; path: string; again: boolean }>
  | Readonly<{ kind: 'post'; path: string }>
  /** Another server's way to take a seat: `{seat}` and `{user}` are filled in. */
  | Readonly<{ kind: 'foreign'; path: string; body: string; status: number }>;

/** Which step of a play is counted as one of it; null: every request. */
export const MAIN_STEP: Readonly<Record<Play['kind'], string | null>> = {
  reserve: 'hold',
  refused: 'hold',
  turnover: 'hold',
  best: 'hold',
  named: 'hold',
  purchase: 'message',
  'on-sale': null,
  read: 'read',
  post: 'post',
  foreign: 'hold',
};

/** One turn of one connection. False: there is nothing left to do. */
export type Move = (visit: Visit) => Promise<boolean>;

export function moveOf(play: Play): Move {
  switch (play.kind) {
    case 'reserve':
      return (visit) => takeNext(visit, play.keys ?? false);
    case 'refused':
      return wantTaken;
    case 'turnover':
      return holdAndGiveBack;
    case 'best':
      return (visit) => takeBest(visit, play.quantity);
    case 'named':
      return (visit) => takeNamed(visit, play.quantity);
    case 'purchase':
      return (visit) => purchase(visit, play.secret);
    case 'on-sale':
      return (visit) => visitSale(visit, play.givesBack ?? false);
    case 'read':
      return (visit) => read(visit, play.path, play.again);
    case 'post':
      return (visit) => post(visit, play.path);
    case 'foreign':
      return (visit) => takeElsewhere(visit, play);
  }
}

const WISH = { source: 'web' };

async function takeNext(visit: Visit, keys: boolean): Promise<boolean> {
  const [seatId] = visit.nextSeats(1);
  if (seatId === undefined) return false;
  visit.beSomebodyElse();
  const headers: Record<string, string> = keys ? { 'idempotency-key': newId() } : {};
  await visit.ask('hold', 201, 'POST', seatPath(visit, seatId), { body: WISH, headers });
  return true;
}

async function wantTaken(visit: Visit): Promise<boolean> {
  visit.beSomebodyElse();
  const path = seatPath(visit, visit.anySeat());
  await visit.ask('hold', 409, 'POST', path, { body: WISH });
  return true;
}

async function holdAndGiveBack(visit: Visit): Promise<boolean> {
  visit.beSomebodyElse();
  const path = seatPath(visit, visit.ownSeat());
  const held = await visit.ask('hold', 201, 'POST', path, { body: WISH });
  if (held === 201) await giveBack(visit, visit.field('hold_id'));
  return true;
}

async function takeBest(visit: Visit, quantity: number): Promise<boolean> {
  visit.beSomebodyElse();
  const path = `/api/events/${visit.eventId}/holds/best-available`;
  return (await visit.ask('hold', 201, 'POST', path, { body: { quantity } })) === 201;
}

async function takeNamed(visit: Visit, quantity: number): Promise<boolean> {
  const seats = visit.nextSeats(quantity);
  if (seats.length < quantity) return false;
  visit.beSomebodyElse();
  const body = { items: seats.map((seat_id) => ({ seat_id })) };
  await visit.ask('hold', 201, 'POST', `/api/events/${visit.eventId}/holds`, { body });
  return true;
}

async function purchase(visit: Visit, secret: string): Promise<boolean> {
  const [seatId] = visit.nextSeats(1);
  if (seatId === undefined) return false;
  visit.beSomebodyElse();
  if ((await visit.ask('hold', 201, 'POST', seatPath(visit, seatId), { body: WISH })) !== 201) {
    return true;
  }
  const wish = { event_id: visit.eventId, hold_ids: [visit.field('hold_id')] };
  if ((await visit.ask('checkout', 201, 'POST', '/api/checkouts', { body: wish })) !== 201) {
    return true;
  }
  const pay = `/api/checkouts/${visit.field('checkout_id')}/pay`;
  if ((await visit.ask('pay', 200, 'POST', pay, { body: {} })) !== 200) {
    return true;
  }
  const created = Math.floor(systemClock.now() / 1_000);
  const text = JSON.stringify({
    id: newId(),
    type: 'payment.succeeded',
    attempt_id: visit.field('attempt_id'),
    amount_cents: Number(visit.field('amount_cents')),
    currency: visit.field('currency'),
    created,
  });
  const headers = { 'x-signature': signPayment(secret, text, created) };
  await visit.ask('message', 200, 'POST', '/webhooks/payments/bank', { text, headers });
  return true;
}

type Act = 'browse' | 'hold' | 'release' | 'checkout';

/** Spread over the twenty, so that every stretch of time has the same mixture. */
const B = 'browse';
export const SALE_ACTS: readonly Act[] = [
  ...([B, B, 'hold', B, B, B, 'hold', B, B, 'release'] as const),
  ...([B, B, 'hold', B, B, 'checkout', B, B, 'hold', B] as const),
];

/** Everybody stays for twenty requests. */
async function visitSale(visit: Visit, givesBack: boolean): Promise<boolean> {
  visit.beSomebodyElse();
  const holds: string[] = [];
  for (const [index, act] of SALE_ACTS.entries()) {
    if (visit.isOver) break;
    if (act === 'browse') await browse(visit, index);
    if (act === 'hold') {
      const seatId = givesBack ? visit.ownSeat() : visit.nextSeats(1)[0];
      if (seatId === undefined) return false;
      const path = seatPath(visit, seatId);
      const status = await visit.ask('hold', 201, 'POST', path, { body: WISH });
      if (status === 201) holds.push(visit.field('hold_id'));
    }
    const held = act === 'release' || act === 'checkout' ? holds.shift() : undefined;
    if (act === 'release' && held) await giveBack(visit, held);
    if (act === 'checkout' && held) await checkOut(visit, held, givesBack);
  }
  if (givesBack) for (const held of holds) await giveBack(visit, held);
  return true;
}

async function browse(visit: Visit, index: number): Promise<void> {
  const event = `/api/events/${visit.eventId}`;
  // Mostly the map; now and then one seat, or the page of the event.
  if (index % 5 === 0) await visit.ask('browse', 200, 'GET', event);
  else if (index % 3 === 0) {
    await visit.ask('browse', 200, 'GET', `${event}/seats/${visit.anySeat()}`);
  } else await visit.ask('browse', 200, 'GET', `${event}/availability`, { again: true });
}

async function checkOut(visit: Visit, holdId: string, cancels: boolean): Promise<void> {
  const wish = { event_id: visit.eventId, hold_ids: [holdId] };
  const status = await visit.ask('checkout', 201, 'POST', '/api/checkouts', { body: wish });
  if (!cancels || status !== 201) return;
  const path = `/api/checkouts/${visit.field('checkout_id')}/cancel`;
  await visit.ask('cancel', 200, 'POST', path, { body: {} });
}

async function giveBack(visit: Visit, holdId: string): Promise<void> {
  await visit.ask('release', 200, 'DELETE', `/api/holds/${holdId}`);
}

async function read(visit: Visit, path: string, again: boolean): Promise<boolean> {
  const place = path.replace('{event}', visit.eventId).replace('{seat}', visit.anySeat());
  await visit.ask('read', 200, 'GET', place, { again });
  return true;
}

async function post(visit: Visit, path: string): Promise<boolean> {
  await visit.ask('post', 201, 'POST', path, { body: WISH });
  return true;
}

async function takeElsewhere(
  visit: Visit,
  { path, body, status }: Extract<Play, { kind: 'foreign' }>,
): Promise<boolean> {
  const [seatId] = visit.nextSeats(1);
  if (seatId === undefined) return false;
  const user = newId();
  const filled = (text: string) => text.replaceAll('{seat}', seatId).replaceAll('{user}', user);
  await visit.ask('hold', status, 'POST', filled(path), { text: filled(body) });
  return true;
}

function seatPath(visit: Visit, seatId: string): string {
  return `/api/events/${visit.eventId}/seats/${seatId}/reserve`;
}

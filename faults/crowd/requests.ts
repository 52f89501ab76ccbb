import type { ReportedHold } from '#history';
import type { Reply } from './connection.ts';
import type { CrowdWish, Returned } from './stage.ts';

export type Request = Readonly<{
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  body: object | null;
  as: 'buyer' | 'staff' | 'provider';
}>;

/** When a provider says that it was paid; nothing depends on it. */
const CREATED = 1_700_000_000;

/** The request that says a wish. */
export function requestOf({ asked, wish, event }: CrowdWish): Request {
  const of = (
    method: Request['method'],
    path: string,
    body: object | null = null,
    as: Request['as'] = 'buyer',
  ): Request => ({ method, path, body, as });
  switch (asked.op) {
    case 'hold': {
      const cart_token = wish;
      const [only, ...others] = asked.items;
      if (only && 'seat_id' in only && others.length === 0) {
        return of('POST', `/api/events/${event}/seats/${only.seat_id}/reserve`, { cart_token });
      }
      return of('POST', `/api/events/${event}/holds`, { items: asked.items, cart_token });
    }
    case 'extend':
      return of('POST', `/api/holds/${asked.hold_id}/extend`);
    case 'release':
      return of('DELETE', `/api/holds/${asked.hold_ids[0]}`);
    case 'checkout':
      return of('POST', '/api/checkouts', {
        event_id: event,
        hold_ids: asked.hold_ids,
        allow_orphan: true,
      });
    case 'pay':
      return of('POST', `/api/checkouts/${asked.checkout_id}/pay`, {});
    case 'message': {
      const { message_id: id, type, attempt_id, amount_cents } = asked;
      const body = { id, type, attempt_id, amount_cents, currency: 'ZAR', created: CREATED };
      return of('POST', '/webhooks/payments/bank', body, 'provider');
    }
    case 'tickets':
      return of('GET', `/api/tickets?checkout_id=${asked.checkout_id}`);
    case 'sell': {
      const body = { hold_ids: asked.hold_ids, method: 'cash', for_holder: true };
      return of('POST', `/api/admin/events/${event}/sell`, body, 'staff');
    }
    case 'void':
      return of('POST', `/api/admin/tickets/${asked.ticket_id}/void`, { reason: 'test' }, 'staff');
    case 'override': {
      const body = { hold_ids: asked.hold_ids, reason: 'test' };
      return of('POST', '/api/admin/seats/release', body, 'staff');
    }
    case 'read':
      return of('GET', `/api/events/${event}/seats/${asked.seat_id}`);
  }
}

type HeldJson = {
  hold_id: string;
  seat_id: string | null;
  zone_id: string;
  quantity: number;
  held_until?: string;
};
type TicketJson = { ticket_id: string; seat: { seat_id: string } | null; status: string };
type Data = Partial<HeldJson> & {
  revision?: number;
  holds?: (HeldJson & { outcome?: string })[];
  released_seats?: HeldJson[];
  checkout_id?: string;
  attempt_id?: string | null;
  amount_cents?: number;
  outcome?: string;
  status?: string;
  tickets?: TicketJson[];
};

const NOTHING = { code: null, replayed: false, revision: null, holds: [] } as const;
/** What the message said was heard, although it is answered by an error. */
const HEARD = 'amount_mismatch';

/** What the sender knows after a reply. Only `outcome_unknown` and silence promise nothing. */
export function returnedOf({ asked }: CrowdWish, reply: Reply): Returned {
  if (reply.kind === 'unsent') return { ...NOTHING, outcome: 'failed', code: 'no connection' };
  if (reply.kind === 'lost') return { ...NOTHING, outcome: 'unknown', code: reply.why };
  const { status, replayed, text } = reply;
  const { error, data } = parsed(text);
  if (status >= 400 && error !== HEARD) {
    const code = error ?? `status ${status}`;
    if (code === 'outcome_unknown') return { ...NOTHING, outcome: 'unknown', code };
    return { ...NOTHING, outcome: status < 500 ? 'refused' : 'failed', code };
  }
  const list = Array.isArray(data) ? (data as TicketJson[]) : null;
  // A message that was heard and not believed has no data.
  const one = ((list ? null : data) ?? {}) as Data;
  return {
    outcome: 'done',
    code: String(status),
    replayed,
    revision: one.revision ?? null,
    holds: holdsIn(asked.op, one),
    ...toldIn(asked.op, one, list),
  };
}

function parsed(text: string): { error?: string; data?: unknown } {
  try {
    return JSON.parse(text) as { error?: string; data?: unknown };
  } catch {
    return {};
  }
}

function holdsIn(op: CrowdWish['asked']['op'], data: Data): ReportedHold[] {
  if (op === 'override') {
    const ended = (data.holds ?? []).filter(({ outcome }) => outcome === 'released');
    return ended.map(({ hold_id }) => ({ ...NOBODY, hold_id }));
  }
  if (op !== 'hold' && op !== 'extend' && op !== 'release') return [];
  const own = data.hold_id ? [data as HeldJson] : [];
  return [...own, ...(data.holds ?? []), ...(data.released_seats ?? [])].map(
    ({ hold_id, seat_id, zone_id, quantity, held_until }) => {
      const until_ms = held_until === undefined ? 0 : Date.parse(held_until);
      return { hold_id, seat_id, zone_id: seat_id === null ? zone_id : null, quantity, until_ms };
    },
  );
}

/** An answer that names a hold and nothing else about it. */
const NOBODY = { seat_id: null, zone_id: null, quantity: 0, until_ms: 0 } as const;

function toldIn(
  op: CrowdWish['asked']['op'],
  data: Data,
  list: TicketJson[] | null,
): Pick<Returned, 'told'> {
  const tickets = (list ?? data.tickets)?.map(({ ticket_id, seat, status }) => ({
    ticket_id,
    seat_id: seat?.seat_id ?? null,
    status,
  }));
  const { checkout_id, attempt_id, amount_cents, outcome, status } = data;
  if (op === 'read') return status === undefined ? {} : { told: { status } };
  if (op === 'checkout') return checkout_id ? { told: { checkout_id } } : {};
  if (op === 'message') return outcome === undefined ? {} : { told: { outcome } };
  if (op === 'pay') {
    if (!attempt_id || amount_cents === undefined) return {};
    return { told: { attempt_id, amount_cents } };
  }
  return tickets ? { told: { tickets } } : {};
}

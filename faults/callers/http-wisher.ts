import { type Random, reasonOf, seededRandom, systemClock } from '@voelgoed/engine/kit';
import type { Again, Recorder } from '#hammer';
import type { Operation, ReportedHold } from '#history';

type Returned = Pick<Operation, 'outcome' | 'code' | 'replayed' | 'revision' | 'holds'>;

const NOTHING = { code: null, replayed: false, revision: null, holds: [] } as const;
/** How many hang up before the answer, and how long they had patience at most. */
const IMPATIENT = 0.03;
const PATIENCE_MS = 8;

type HeldJson = {
  hold_id: string;
  seat_id: string | null;
  zone_id: string;
  quantity: number;
  held_until?: string;
};
type Answer = {
  error?: string;
  data?: { revision?: number; holds?: HeldJson[]; released_seats?: HeldJson[] } & Partial<HeldJson>;
};

/** Sends wishes to one node as requests of buyers and writes down what came of them. */
export class HttpWisher {
  readonly #address: string;
  readonly #eventId: string;
  readonly #tokenOf: (user: string) => string;
  readonly #recorder: Recorder;
  readonly #random: Random;
  /** False: everybody waits for their answer. */
  impatient = true;

  constructor(tools: {
    address: string;
    eventId: string;
    tokenOf: (user: string) => string;
    recorder: Recorder;
    seed: number;
  }) {
    this.#address = tools.address;
    this.#eventId = tools.eventId;
    this.#tokenOf = tools.tokenOf;
    this.#recorder = tools.recorder;
    this.#random = seededRandom(tools.seed);
  }

  send(wish: Again): Promise<Returned> {
    return this.#recorder.record(wish, () => this.#request(wish));
  }

  async #request(wish: Again): Promise<Returned> {
    const { route, body } = requestOf(this.#eventId, wish);
    const [method = '', path = ''] = route.split(' ');
    const hangUp = new AbortController();
    const done = new AbortController();
    if (this.impatient && this.#random.next() < IMPATIENT) {
      const patience_ms = this.#random.next() * PATIENCE_MS;
      void systemClock.sleep(patience_ms, done.signal).then(
        () => hangUp.abort(),
        () => {},
      );
    }
    try {
      const reply = await fetch(`${this.#address}${path}`, {
        method,
        signal: hangUp.signal,
        headers: {
          authorization: `Bearer ${this.#tokenOf(wish.user)}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(wish.key === null ? {} : { 'idempotency-key': wish.key }),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return returned(reply, (await reply.json()) as Answer);
    } catch (error) {
      const code = hangUp.signal.aborted ? 'hung up' : `network: ${reasonOf(error)}`;
      return { ...NOTHING, outcome: 'unknown', code };
    } finally {
      done.abort();
    }
  }
}

function requestOf(eventId: string, { asked, wish }: Again): { route: string; body?: object } {
  const [only, ...others] = asked.op === 'hold' ? asked.items : [];
  switch (asked.op) {
    case 'hold': {
      const body = { cart_token: wish };
      if (only && 'seat_id' in only && others.length === 0) {
        return { route: `POST /api/events/${eventId}/seats/${only.seat_id}/reserve`, body };
      }
      const { items } = asked;
      return { route: `POST /api/events/${eventId}/holds`, body: { items, ...body } };
    }
    case 'extend':
      return { route: `POST /api/holds/${asked.hold_id}/extend` };
    case 'release':
      return { route: `DELETE /api/holds/${asked.hold_ids[0]}` };
  }
}

/** Every answer but one says what is true: only `outcome_unknown` promises nothing. */
function returned({ status, headers }: Response, { error, data }: Answer): Returned {
  if (status >= 400) {
    const code = error ?? `status ${status}`;
    if (code === 'outcome_unknown') return { ...NOTHING, outcome: 'unknown', code };
    return { ...NOTHING, outcome: status < 500 ? 'refused' : 'failed', code };
  }
  const own = data?.hold_id ? [data as HeldJson] : [];
  return {
    outcome: 'done',
    code: String(status),
    replayed: headers.get('idempotent-replayed') === 'true',
    revision: data?.revision ?? null,
    holds: [...own, ...(data?.holds ?? []), ...(data?.released_seats ?? [])].map(reportedHold),
  };
}

function reportedHold({ hold_id, seat_id, zone_id, quantity, held_until }: HeldJson): ReportedHold {
  const until_ms = held_until === undefined ? 0 : Date.parse(held_until);
  return { hold_id, seat_id, zone_id: seat_id === null ? zone_id : null, quantity, until_ms };
}

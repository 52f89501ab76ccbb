import { type Clock, reasonOf } from '#kit';
import type { Salts, WebhookSecrets } from './secrets.ts';

export type PostWish = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Aborted when the node stops. */
  signal: AbortSignal | null;
}>;

/**
 * Sends one request and returns the answer's status and the beginning of its body. Throws when
 * there was none in time, and when the address must not be reached.
 */
export type Post = (wish: PostWish) => Promise<Readonly<{ status: number; body: string }>>;

/** How one try went. */
export type Posted = Readonly<{
  arrived: boolean;
  response_status: number | null;
  response_body: string | null;
  duration_ms: number;
  error: string | null;
}>;

/** As much of an answer as helps to find out what was wrong. */
const BODY_CHARACTERS = 500;
const ERROR_CHARACTERS = 200;

type Parcel = Readonly<{ delivery_id: string; kind: string; attempt: number; body: string }>;

export function headersOf(
  secrets: WebhookSecrets,
  salts: Salts,
  { delivery_id, kind, attempt, body }: Parcel,
  now_ms: number,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-delivery-id': delivery_id,
    'x-delivery-kind': kind,
    'x-delivery-attempt': String(attempt),
    'x-webhook-id': salts.webhook_id,
    'x-signature': secrets.sign(salts, body, now_ms),
  };
}

/** One try. Only an answer from 200 to 299 says that it has arrived; a redirect does not. */
export async function postOnce(post: Post, clock: Clock, wish: PostWish): Promise<Posted> {
  const started = clock.monotonic();
  const took = () => Math.round(clock.monotonic() - started);
  try {
    const { status, body } = await post(wish);
    const arrived = status >= 200 && status < 300;
    const error = arrived ? null : `answered ${status}`;
    const response_body = storable(body, BODY_CHARACTERS);
    return { arrived, response_status: status, response_body, duration_ms: took(), error };
  } catch (error) {
    const reason = storable(reasonOf(error), ERROR_CHARACTERS);
    const nothing = { response_status: null, response_body: null };
    return { arrived: false, ...nothing, duration_ms: took(), error: reason };
  }
}

/** Postgres has no place for U+0000, and half a letter is none. Certificates may have both. */
function storable(text: string, characters: number): string {
  return text.toWellFormed().replaceAll('\u0000', '').slice(0, characters).toWellFormed();
}

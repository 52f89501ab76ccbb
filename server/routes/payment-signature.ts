import { createHmac, timingSafeEqual } from 'node:crypto';

/** A message older or younger than this is not believed: nobody replays what was overheard. */
const WINDOW_SECONDS = 300;

/** `t=<unix>,v1=<hex>`: the time and the body, bound by the secret that both sides have. */
export function signPayment(secret: string, body: string, unix: number): string {
  return `t=${unix},v1=${macOf(secret, body, unix).toString('hex')}`;
}

/**
 * `stale`: made with the secret, at another time. An overheard message looks like that, and so does
 * one of a provider whose clock, or whose queue, is behind: it is not heard, and may come again.
 */
export type Signature = 'good' | 'stale' | 'wrong';

/** While a secret is changed a provider may send two signatures; one good one is enough. */
export function judgeSignature(
  secret: string,
  body: string,
  header: string,
  now_seconds: number,
): Signature {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time)) return 'wrong';
  const unix = Number(time);
  const expected = macOf(secret, body, unix);
  const isOurs = parts.some(([name, hex = '']) => {
    if (name !== 'v1' || !/^[0-9a-f]{64}$/i.test(hex)) return false;
    return timingSafeEqual(Buffer.from(hex, 'hex'), expected);
  });
  if (!isOurs) return 'wrong';
  return Math.abs(now_seconds - unix) > WINDOW_SECONDS ? 'stale' : 'good';
}

function macOf(secret: string, body: string, unix: number): Buffer {
  return createHmac('sha256', secret).update(`${unix}.`).update(body).digest();
}

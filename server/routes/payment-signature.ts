import { createHmac, timingSafeEqual } from 'node:crypto';

/** A message older or younger than this is not believed: nobody replays what was overheard. */
const WINDOW_SECONDS = 300;

/** `t=<unix>,v1=<hex>`: the time and the body, bound by the secret that both sides have. */
export function signPayment(secret: string, body: string, unix: number): string {
  return `t=${unix},v1=${macOf(secret, body, unix).toString('hex')}`;
}

/** While a secret is changed a provider may send two signatures; one good one is enough. */
export function isSignedBy(
  secret: string,
  body: string,
  header: string,
  now_seconds: number,
): boolean {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time)) return false;
  const unix = Number(time);
  if (Math.abs(now_seconds - unix) > WINDOW_SECONDS) return false;
  const expected = macOf(secret, body, unix);
  return parts.some(([name, hex = '']) => {
    if (name !== 'v1' || !/^[0-9a-f]{64}$/i.test(hex)) return false;
    return timingSafeEqual(Buffer.from(hex, 'hex'), expected);
  });
}

function macOf(secret: string, body: string, unix: number): Buffer {
  return createHmac('sha256', secret).update(`${unix}.`).update(body).digest();
}

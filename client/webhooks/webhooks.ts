/**
 * Webhooks: signing messages and knowing whether one is genuine, the same way in a browser, on a
 * server and at the edge. It knows the header and the secret; what is in a message is for others.
 */
import { systemHost } from '#host';

const WINDOW_SECONDS = 300;
const encoder = new TextEncoder();

/** `t=<unix>,v1=<hex of the HMAC-SHA256 of "<t>.<body>">` */
export async function signWebhook(
  secret: string,
  body: string,
  now_ms: number = systemHost.now(),
): Promise<string> {
  const unix = Math.floor(now_ms / 1_000);
  const key = await keyOf(secret, 'sign');
  const mac = await crypto.subtle.sign('HMAC', key, encoder.encode(`${unix}.${body}`));
  return `t=${unix},v1=${hexOf(new Uint8Array(mac))}`;
}

export type SignedMessage = Readonly<{
  /** The body as it came, byte for byte: parse it afterwards. */
  body: string;
  /** The header `X-Signature`. */
  signature: string | null | undefined;
  /** That of the endpoint; two while it is being changed. */
  secret: string | readonly string[];
}>;

/**
 * Is it genuine, and not older than five minutes? While a secret is changed a sender may sign with
 * both; one good signature is enough. Compared in a time that tells nothing.
 */
export async function verifyWebhook(
  { body, signature, secret }: SignedMessage,
  options: Readonly<{ now_ms?: number; window_seconds?: number }> = {},
): Promise<boolean> {
  const parts = (signature ?? '').split(',').map((part) => part.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time)) return false;
  const { now_ms = systemHost.now(), window_seconds = WINDOW_SECONDS } = options;
  if (Math.abs(now_ms / 1_000 - Number(time)) > window_seconds) return false;
  const macs = parts.filter(([name, hex = '']) => name === 'v1' && /^[0-9a-f]{64}$/i.test(hex));
  const text = encoder.encode(`${time}.${body}`);
  const keys = await Promise.all([secret].flat().map((one) => keyOf(one, 'verify')));
  const checks = keys.flatMap((key) =>
    macs.map(([, hex = '']) => crypto.subtle.verify('HMAC', key, bytesOf(hex), text)),
  );
  return (await Promise.all(checks)).includes(true);
}

function keyOf(secret: string, usage: 'sign' | 'verify') {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [usage]);
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

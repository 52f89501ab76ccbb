import { createHmac, timingSafeEqual } from 'node:crypto';
import { systemClock } from '@voelgoed/engine/kit';

/** As many as a node of this product remembers. */
const MOST = 20_000;

type Known = Readonly<{ userId: string; expires: number }>;

/** HS256, its time, and a bounded memory of verified tokens: as much as we do ourselves. */
export function tokenCheck(secret: string): (header: string | undefined) => string | null {
  const known = new Map<string, Known>();
  return (header) => {
    const token = /^Bearer ([\x21-\x7e]+)$/i.exec(header ?? '')?.[1];
    if (!token) return null;
    const claims = known.get(token) ?? verify(token, secret);
    if (!claims || claims.expires < systemClock.now() / 1_000) return null;
    if (!known.has(token)) {
      if (known.size >= MOST) known.delete(known.keys().next().value ?? '');
      known.set(token, claims);
    }
    return claims.userId;
  };
}

function verify(token: string, secret: string): Known | null {
  const [head, payload, mac] = token.split('.');
  const expected = createHmac('sha256', secret).update(`${head}.${payload}`).digest();
  const given = Buffer.from(mac ?? '', 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString());
  return { userId: claims.sub, expires: claims.exp };
}

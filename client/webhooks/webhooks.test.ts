import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signWebhook, verifyWebhook } from './webhooks.ts';

const NOW_MS = 1_800_000_000_500;
const UNIX = 1_800_000_000;
const BODY = '{"id":"1","name":"Wörd 🎟"}';
const SECRET = 'a secret of both sides';

/** As the server signs. */
function mac(secret: string, body: string, unix = UNIX): string {
  return createHmac('sha256', secret).update(`${unix}.${body}`).digest('hex');
}

const signed = (signature: string | null, secret: string | string[] = SECRET) =>
  verifyWebhook({ body: BODY, signature, secret }, { now_ms: NOW_MS });

describe('a signed message', () => {
  it('is signed as the server does it', async () => {
    expect(await signWebhook(SECRET, BODY, NOW_MS)).toBe(`t=${UNIX},v1=${mac(SECRET, BODY)}`);
  });

  it('is genuine, also with upper case, spaces, or one good signature among others', async () => {
    const good = mac(SECRET, BODY);
    const bad = mac('another', BODY);
    for (const header of [
      `t=${UNIX},v1=${good}`,
      `t=${UNIX}, v1=${good.toUpperCase()}`,
      `t=${UNIX},v1=${bad},v1=${good},v2=x`,
    ]) {
      expect([header, await signed(header)]).toEqual([header, true]);
    }
    expect(await signed(`t=${UNIX},v1=${bad}`, [SECRET, 'another'])).toBe(true);
  });

  it('is not believed when anything is different', async () => {
    const good = mac(SECRET, BODY);
    for (const header of [
      null,
      '',
      'nonsense',
      `v1=${good}`,
      `t=${UNIX}`,
      `t=${UNIX},v1=`,
      `t=${UNIX},v1=${good.slice(2)}`,
      `t=${UNIX + 1},v1=${good}`,
      `t=-1,v1=${mac(SECRET, BODY, -1)}`,
      `t=${UNIX},v1=${mac(SECRET, `${BODY} `)}`,
      `t=${UNIX},v1=${mac('another', BODY)}`,
      `t=${UNIX - 301},v1=${mac(SECRET, BODY, UNIX - 301)}`,
      `t=${UNIX + 301},v1=${mac(SECRET, BODY, UNIX + 301)}`,
    ]) {
      expect([header, await signed(header)]).toEqual([header, false]);
    }
  });

  it('may be as old as the receiver says', async () => {
    const signature = `t=${UNIX - 3_000},v1=${mac(SECRET, BODY, UNIX - 3_000)}`;
    const message = { body: BODY, signature, secret: SECRET };
    expect(await verifyWebhook(message, { now_ms: NOW_MS, window_seconds: 3_600 })).toBe(true);
  });

  it('is looked at by the time of now when no other is given', async () => {
    const signature = await signWebhook(SECRET, BODY);
    expect(await verifyWebhook({ body: BODY, signature, secret: SECRET })).toBe(true);
    const old = await signWebhook(SECRET, BODY, 1_000_000_000_000);
    expect(await verifyWebhook({ body: BODY, signature: old, secret: SECRET })).toBe(false);
  });
});

import { systemClock } from '@voelgoed/engine/kit';
import { signPayment } from '@voelgoed/server/routes';
import { newId } from '#builders';

export const PAYMENT_SECRET = 'a secret of the provider and of us alone';

export type Said = Readonly<{ status: number; body: Record<string, unknown> }>;

/** A provider that signs what it says. Everything can be said differently, also wrongly. */
export async function tell(
  address: string,
  message: Readonly<Record<string, unknown>>,
  wrong: {
    secret?: string;
    unix?: number;
    header?: string | null;
    text?: string;
    provider?: string;
  } = {},
): Promise<Said> {
  const now = Math.floor(systemClock.now() / 1_000);
  const currency = 'ZAR';
  const signed = JSON.stringify({ id: newId(), currency, created: now, ...message });
  const secret = wrong.secret ?? PAYMENT_SECRET;
  const header = wrong.header ?? signPayment(secret, signed, wrong.unix ?? now);
  const reply = await fetch(`${address}/webhooks/payments/${wrong.provider ?? 'bank'}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(wrong.header === null ? {} : { 'x-signature': header }),
    },
    body: wrong.text ?? signed,
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Clock, type Random, type Timers, uuidv7 } from '@voelgoed/engine/kit';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { type Http, refuse } from '#http';
import { type Payments, type PaymentToMake, signPayment } from '#routes';
import { ownAddress } from './own-address.ts';
import { backToShop, PAY_POLICY, payPage } from './pay-page.ts';
import { PAY_LANGUAGES, type PayLanguage } from './pay-words.ts';

/** What the pay page can do, as providers do it. */
export const DEMO_ACTIONS = [
  'success',
  'decline',
  'slow',
  'duplicate',
  'late',
  'wrong_amount',
] as const;
export type DemoAction = (typeof DEMO_ACTIONS)[number];

const SLOW_MS = 5_000;
/** After the deadline by so much. */
const LATE_MS = 2_000;
/** A provider tries again when we are away, as long as somebody may be watching. */
const TRIES = 6;
const PAUSE_MS = 1_000;

type ProviderOptions = Readonly<{
  secret: string;
  /** Other providers that buyers may name. */
  others: readonly string[];
  tools: Readonly<{ clock: Clock & Timers; random: Random }>;
  /** Pending messages are given up when the node stops. */
  stopping: AbortSignal;
}>;

const PageQuery = Type.Object({
  amount: Type.Integer({ minimum: 0 }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  deadline: Type.Integer({ minimum: 0 }),
  checkout: Type.String({ format: 'uuid' }),
  key: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  lang: Type.Optional(Type.Enum([...PAY_LANGUAGES])),
});
const PageParams = Type.Object({ attempt_id: Type.String({ format: 'uuid' }) });
const PageForm = Type.Object({ action: Type.Enum([...DEMO_ACTIONS]) });

/**
 * A payment provider for trying things out. It has a page with buttons instead of cards, keeps
 * nothing, knows nothing of seats, and talks to the server by the signed webhook alone.
 */
export function demoPayments(options: ProviderOptions): Payments {
  return {
    webhookSecret: options.secret,
    providers: ['demo', ...options.others],
    payUrl: (payment, base) =>
      payment.provider === 'demo' ? `${base}${pageOf(options.secret, payment)}` : null,
  };
}

function pageOf(secret: string, payment: Omit<PaymentToMake, 'provider'>): string {
  const { attempt_id, checkout_id, amount_cents, currency, deadline_ms } = payment;
  const query = new URLSearchParams({
    amount: String(amount_cents),
    currency,
    deadline: String(deadline_ms),
    checkout: checkout_id,
    key: keyOf(secret, payment).toString('hex'),
  });
  return `/demo/pay/${attempt_id}?${query}`;
}

/** Nobody makes a page for another amount, or one that leads elsewhere afterwards. */
function keyOf(secret: string, payment: Omit<PaymentToMake, 'provider'>): Buffer {
  const { attempt_id, checkout_id, amount_cents, currency, deadline_ms } = payment;
  const signed = [attempt_id, checkout_id, amount_cents, currency, deadline_ms];
  const text = JSON.stringify(['demo page', ...signed]);
  return createHmac('sha256', secret).update(text).digest();
}

export function registerDemoProvider(http: Http, options: ProviderOptions): void {
  const schema = { hide: true, params: PageParams, querystring: PageQuery };
  const access = { access: { kind: 'open' }, anyQuery: 'a page of a provider' } as const;
  http.register(async (part) => {
    // What a page's form sends, and nothing else here.
    part.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1_024 },
      async (_: unknown, text: string) => Object.fromEntries(new URLSearchParams(text)),
    );
    const own = part as unknown as Http;
    own.get('/demo/pay/:attempt_id', { config: access, schema }, async (request, reply) => {
      const payment = paymentOf(options.secret, request.params.attempt_id, request.query);
      if (!payment) return refuse(reply, 'not_found', 'There is no such payment.');
      return asPage(reply).send(payPage(payment, languageOf(request.query), null));
    });
    own.post(
      '/demo/pay/:attempt_id',
      { config: access, schema: { ...schema, body: PageForm } },
      async (request, reply) => {
        const payment = paymentOf(options.secret, request.params.attempt_id, request.query);
        if (!payment) return refuse(reply, 'not_found', 'There is no such payment.');
        const action = request.body.action as DemoAction;
        const done = act(options, ownAddress(http), payment, action);
        // What comes later comes while nobody waits.
        if (action === 'slow' || action === 'late') void done;
        else await done;
        // As providers do: who is done is sent back, who has to wait is told so first.
        const isDone = action === 'success' || action === 'decline';
        const isBrowser = /text\/html/.test(request.headers.accept ?? '');
        if (isDone && isBrowser) return reply.redirect(backToShop(payment.checkout_id), 303);
        return asPage(reply).send(payPage(payment, languageOf(request.query), action));
      },
    );
  });
}

function asPage(reply: FastifyReply): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', PAY_POLICY);
}

function languageOf({ lang = 'en' }: { lang?: string }): PayLanguage {
  return PAY_LANGUAGES.find((known) => known === lang) ?? 'en';
}

function paymentOf(
  secret: string,
  attempt_id: string,
  query: { amount: number; currency: string; deadline: number; checkout: string; key: string },
): Omit<PaymentToMake, 'provider'> | null {
  const { amount, currency, deadline, checkout, key } = query;
  const about = { attempt_id, checkout_id: checkout, currency };
  const payment = { ...about, amount_cents: amount, deadline_ms: deadline };
  return timingSafeEqual(Buffer.from(key, 'hex'), keyOf(secret, payment)) ? payment : null;
}

async function act(
  options: ProviderOptions,
  server: string,
  payment: Omit<PaymentToMake, 'provider'>,
  action: DemoAction,
): Promise<void> {
  const { clock, random } = options.tools;
  const { attempt_id, currency, deadline_ms } = payment;
  if (action === 'slow') await pause(options, SLOW_MS);
  if (action === 'late') await pause(options, deadline_ms - clock.now() + LATE_MS);
  if (options.stopping.aborted) return;
  const type = action === 'decline' ? 'payment.failed' : 'payment.succeeded';
  const amount_cents = payment.amount_cents + (action === 'wrong_amount' ? 1 : 0);
  const say = (id: string) => {
    const created = Math.floor(clock.now() / 1_000);
    return send(options, server, { id, type, attempt_id, amount_cents, currency, created });
  };
  const id = `demo_${uuidv7({ clock, random })}`;
  await say(id);
  // The same message again, and another one about the same money.
  if (action === 'duplicate') await Promise.all([say(id), say(`${id}_again`)]);
}

async function send(options: ProviderOptions, server: string, message: object): Promise<void> {
  const body = JSON.stringify(message);
  for (let attempt = 0; attempt < TRIES && !options.stopping.aborted; attempt++) {
    const unix = Math.floor(options.tools.clock.now() / 1_000);
    const status = await fetch(`${server}/webhooks/payments/demo`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-signature': signPayment(options.secret, body, unix),
      },
      body,
      signal: options.stopping,
    }).then(
      (reply) => reply.status,
      () => 503,
    );
    if (status < 500) return;
    await pause(options, PAUSE_MS * 2 ** attempt);
  }
}

function pause({ tools, stopping }: ProviderOptions, time_ms: number): Promise<void> {
  return tools.clock.sleep(Math.max(0, time_ms), stopping).catch(() => {});
}

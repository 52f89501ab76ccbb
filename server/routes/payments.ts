import { Data, PaymentBody, PaymentReply, ProviderParams } from '@voelgoed/client/wire';
import type { PaymentMessage } from '@voelgoed/engine/checkouts';
import { receivePayment } from '@voelgoed/engine/workflows';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { checkShape, type Http, refuse, replies, withTextBodies } from '#http';
import type { RouteContext } from './context.ts';
import { judgeSignature, type Signature } from './payment-signature.ts';

/** A message has a dozen fields; providers send a little more. */
const BODY_BYTES = 64 * 1024;
/** A provider waits longer than a buyer, and tries again after a 5xx. */
const DEADLINE_MS = 5_000;

const OTHER = 'The payment was begun with another provider: nothing was done.';

const DESCRIPTION =
  'Signed by `X-Signature: t=<unix>,v1=<hex HMAC-SHA256 of "<t>.<body>">`, at most 300 seconds ' +
  'old by the clock of the database; a right signature of another time is 503, to be signed ' +
  'anew. Heard once per id, in any order. After a 4xx do not send it again; after a 5xx do. ' +
  '422 amount_mismatch: it was heard, and the money is to be given back.';

/** What providers tell us. The signature is the credential, so it is verified over the bytes. */
export function registerPayments(http: Http, context: RouteContext): void {
  withTextBodies(http, BODY_BYTES, (part) => {
    part.post(
      '/webhooks/payments/:provider',
      {
        config: {
          access: { kind: 'open' },
          anyQuery: 'providers add to it; refused, money is lost',
        },
        // The body is a text here, because its bytes are signed; what is in it is judged below.
        validatorCompiler: () => () => true,
        schema: {
          tags: ['payments'],
          summary: 'A message of a payment provider',
          description: DESCRIPTION,
          params: ProviderParams,
          body: PaymentBody,
          response: replies({ 200: Data(PaymentReply) }, [
            'invalid_request',
            'signature_invalid',
            'not_found',
            'amount_mismatch',
            'provider_mismatch',
            'idempotency_key_reused',
            'body_too_large',
            'event_busy',
            'outcome_unknown',
            'unavailable',
          ]),
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-cache, no-store');
        if (context.payments.webhookSecret === null) {
          // The operator forgot it: what was paid meanwhile has to be told again.
          const message = 'No secret for payment messages is set (PAYMENT_WEBHOOK_SECRET).';
          return refuse(reply, 'unavailable', message);
        }
        const signature = await signatureOf(context, request);
        if (signature === 'wrong') {
          return refuse(reply, 'signature_invalid', 'The signature does not fit the message.');
        }
        if (signature !== 'good') return refuse(reply, 'unavailable', NOT_JUDGED[signature]);
        const read = readMessage(request.params, textOf(request));
        if (read.problems) {
          const { problems } = read;
          return refuse(reply, 'invalid_request', 'The message is not valid.', { problems });
        }
        const { engine } = context;
        const deadline_ms = engine.clock.monotonic() + DEADLINE_MS;
        const heard = await receivePayment(engine, read.message, deadline_ms);
        if (heard.kind === 'no_attempt') {
          return refuse(reply, 'not_found', 'There is no such payment attempt.');
        }
        if (heard.kind === 'other_provider') return refuse(reply, 'provider_mismatch', OTHER);
        if (heard.kind === 'message_reused') {
          const message = 'Another message had this id: this one was not heard.';
          return refuse(reply, 'idempotency_key_reused', message);
        }
        const { outcome, checkout_id, status, repeated } = heard;
        if (outcome === 'amount_mismatch') {
          const message = 'Another amount was asked for: this one is to be given back.';
          return refuse(reply, 'amount_mismatch', message, { checkout_id, status });
        }
        const data = { outcome, checkout_id, checkout_status: status, repeated };
        return { data: { status: 'processed' as const, ...data } };
      },
    );
  });
}

function textOf({ body }: FastifyRequest<{ Body: unknown }>): string {
  return typeof body === 'string' ? body : '';
}

/** Money may hang on it, so the provider is asked to send it again. */
const NOT_JUDGED = {
  stale: 'The signature is right and its time is not within 300 seconds of ours: sign it anew.',
  unknown: 'This node does not know the time yet.',
} as const;

/** By the clock of the database: a node whose own clock is wrong refuses no message. */
async function signatureOf(
  { payments, engine }: RouteContext,
  request: FastifyRequest,
): Promise<Signature | 'unknown'> {
  const { webhookSecret } = payments;
  const header = request.headers['x-signature'];
  if (webhookSecret === null || typeof header !== 'string') return 'wrong';
  const { registry } = engine;
  if (!registry.knowsTime) await registry.readClock();
  if (!registry.knowsTime) return 'unknown';
  const now_seconds = Math.floor(registry.wall() / 1_000);
  return judgeSignature(webhookSecret, textOf(request), header, now_seconds);
}

type Read =
  | { message: PaymentMessage; problems?: undefined }
  | { problems: readonly { path: string; message: string }[] };

function readMessage(params: Static<typeof ProviderParams>, text: string): Read {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { problems: [{ path: 'body', message: 'is not valid JSON' }] };
  }
  const problems = [
    ...checkShape(ProviderParams, params, 'params'),
    ...checkShape(PaymentBody, body),
  ];
  if (problems.length > 0) return { problems };
  const { id, type, attempt_id, amount_cents, currency } = body as Static<typeof PaymentBody>;
  const { provider } = params;
  const message = { provider, message_id: id, type: type as PaymentMessage['type'] };
  return { message: { ...message, attempt_id, amount_cents, currency } };
}

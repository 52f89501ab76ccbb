/**
 * Receivers: real HTTP servers that webhooks are sent to. Each keeps what it was sent, answers as
 * it is told, and can check a signature as the documentation says. It knows the message on the
 * wire and nothing of how it came about.
 */
import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { eventually } from '#eventually';

export { useCouriers } from './couriers.ts';

type Data = Record<string, unknown>;

export type Received = Readonly<{
  id: string;
  kind: string;
  attempt: number;
  signature: string;
  /** As it came, byte for byte. */
  body: string;
  message: Data & { event_id: string; revision: number; data: Data; event: Data; people: Data[] };
}>;

/** A status, or nothing: then the request hangs until the receiver answers it itself. */
type Answering = (received: Received, reply: ServerResponse) => number | undefined;

export type Receiver = Readonly<{
  url: string;
  received: Received[];
  /** From now on; every request is kept before it is answered. */
  answer(answering: Answering): void;
  kinds(): string[];
  ids(): string[];
  /** The first one of a kind, as soon as it is there. */
  one(kind: string, within_ms?: number): Promise<Received>;
  close(): Promise<void>;
}>;

export async function aReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let answering: Answering = () => 204;
  const server = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { headers } = request;
      const one: Received = {
        id: String(headers['x-delivery-id']),
        kind: String(headers['x-delivery-kind']),
        attempt: Number(headers['x-delivery-attempt']),
        signature: String(headers['x-signature']),
        body,
        message: JSON.parse(body),
      };
      received.push(one);
      const status = answering(one, reply);
      if (status !== undefined) reply.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    answer: (next) => {
      answering = next;
    },
    kinds: () => received.map(({ kind }) => kind),
    ids: () => received.map(({ id }) => id),
    one: (kind, within_ms = 8_000) =>
      eventually(() => received.find((one) => one.kind === kind), { within_ms }).catch(() => {
        throw new Error(`no ${kind} came; there were ${received.map((one) => one.kind)}`);
      }),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Receivers that are closed after the last test. */
export function useReceivers(): () => Promise<Receiver> {
  const opened: Receiver[] = [];
  afterAll(async () => {
    await Promise.all(opened.map((receiver) => receiver.close()));
  });
  return async () => {
    const receiver = await aReceiver();
    opened.push(receiver);
    return receiver;
  };
}

/** How many of the signatures are good for this secret; what a receiver has to do. */
export function goodSignatures(secret: string, { signature, body }: Received): number {
  const unix = /^t=(\d+)/.exec(signature)?.[1] ?? '';
  const expected = createHmac('sha256', secret).update(`${unix}.${body}`).digest('hex');
  const given = [...signature.matchAll(/v1=([0-9a-f]{64})/g)].map((match) => match[1]);
  return given.filter((one) => one === expected).length;
}

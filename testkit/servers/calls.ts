import { connect } from 'node:net';
import type { Role } from '@voelgoed/engine/accounts';
import { systemClock } from '@voelgoed/engine/kit';
import { signToken } from '@voelgoed/server/tokens';
import { testServices } from '#services';

export type Reply = Readonly<{
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
  /** `data` of the body as one thing, or as a list. */
  data: Record<string, unknown>;
  list: Record<string, unknown>[];
}>;

export type CallOptions = {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
};

/** One request with JSON in and out. */
export async function call(
  address: string,
  route: string,
  options: CallOptions = {},
): Promise<Reply> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const reply = await fetch(`${address}${path}`, {
    method,
    headers: {
      ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await reply.text();
  const body = text.startsWith('{') ? JSON.parse(text) : {};
  return {
    status: reply.status,
    headers: reply.headers,
    body,
    data: body.data ?? {},
    list: Array.isArray(body.data) ? body.data : [],
  };
}

/** A token as the operator signs it. */
export function tokenFor(
  organizationId: string,
  claims: { role?: Role; subject?: string; seconds?: number } = {},
): string {
  const { role = 'owner', subject = 'tester', seconds = 600 } = claims;
  const expires = Math.floor(systemClock.now() / 1_000) + seconds;
  return signToken(testServices().authSecret, { subject, organizationId, role, expires });
}

/** Sends raw bytes and returns everything that came back until the connection ended. */
export function sendRaw(address: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

/** A machine that is too busy for this many tries is broken. */
const MOST_TRIES = 50;

/**
 * Every reply to a request that is sent again after a 503, as clients do; the last one is no 503.
 * On a busy machine a node refuses what it could only answer late, and a test that counts exactly
 * is not about that.
 */
export async function untilServed(send: () => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (;;) {
    const reply = await send();
    replies.push(reply);
    if (reply.status !== 503) return replies;
    if (replies.length === MOST_TRIES)
      throw new Error(`${MOST_TRIES} times 503: ${reply.body.error}`);
  }
}

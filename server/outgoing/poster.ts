import { Agent as HttpAgent, type IncomingMessage, request as overHttp } from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';
import { isPublicHttps } from './addresses.ts';
import { lookupOf, type Resolve } from './names.ts';

type Letter = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal | null;
}>;
type Answer = Readonly<{ status: number; body: string }>;

export type Poster = Readonly<{
  post(letter: Letter): Promise<Answer>;
  /** Lets go of connections that were kept for the next letter. */
  close(): void;
}>;

/** From the first byte that we send to the last one that we read. */
const LIMIT_MS = 10_000;
/** What we read of an answer; nobody needs more to understand what was wrong. */
const BODY_BYTES = 2_048;
/** Connections that wait for the next letter, and for how long. */
const FREE_CONNECTIONS = 64;
const FREE_MS = 15_000;

/**
 * Posts to addresses that tenants have given us. A connection is kept for the next letter to the
 * same place; its address was checked when it was made, and stays what it was.
 */
export function createPoster(options: {
  allowInternal: boolean;
  resolve?: Resolve;
  limit_ms?: number;
}): Poster {
  const { allowInternal, resolve, limit_ms = LIMIT_MS } = options;
  const kept = {
    keepAlive: true,
    maxFreeSockets: FREE_CONNECTIONS,
    timeout: FREE_MS,
    ...(allowInternal && !resolve ? {} : { lookup: lookupOf(resolve) }),
  };
  const agents = { 'http:': new HttpAgent(kept), 'https:': new HttpsAgent(kept) };
  return {
    post: async (letter) => {
      if (!allowInternal && !isPublicHttps(letter.url)) {
        throw new Error('not a public https address');
      }
      const limit = AbortSignal.timeout(limit_ms);
      const signal = letter.signal ? AbortSignal.any([letter.signal, limit]) : limit;
      return postOnce(agents, letter, signal).catch((error: unknown) => {
        throw limit.aborted ? new Error(`no answer within ${limit_ms / 1_000} s`) : error;
      });
    },
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

type Agents = Readonly<{ 'http:': HttpAgent; 'https:': HttpsAgent }>;

function postOnce(
  agents: Agents,
  letter: Letter,
  signal: AbortSignal,
  again = false,
): Promise<Answer> {
  const { url, body } = letter;
  const headers = {
    ...letter.headers,
    'user-agent': 'voelgoed',
    'content-length': String(Buffer.byteLength(body)),
  };
  return new Promise((resolve, reject) => {
    const read = (reply: IncomingMessage) => readAnswer(reply).then(resolve, reject);
    const asked =
      new URL(url).protocol === 'https:'
        ? overHttps(url, { method: 'POST', headers, signal, agent: agents['https:'] }, read)
        : overHttp(url, { method: 'POST', headers, signal, agent: agents['http:'] }, read);
    // Who wants to speak another protocol has answered, and Node tells nobody else about it.
    asked.on('upgrade', (reply, socket) => {
      socket.destroy();
      resolve({ status: reply.statusCode ?? 0, body: '' });
    });
    // Whatever else happens to a connection: the limit ends it.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    asked.on('error', (error: Error & { code?: string }) => {
      // A kept connection that the other side has closed in the same moment says nothing about it.
      const stale = asked.reusedSocket && error.code === 'ECONNRESET' && !again;
      if (stale) postOnce(agents, letter, signal, true).then(resolve, reject);
      else reject(error);
    });
    asked.end(body);
  });
}

/** The status counts as soon as the beginning of the body is there; the rest is not read. */
function readAnswer(reply: IncomingMessage): Promise<Answer> {
  const status = reply.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let size = 0;
  const answer = (): Answer => {
    return { status, body: Buffer.concat(chunks).subarray(0, BODY_BYTES).toString('utf8') };
  };
  return new Promise((resolve, reject) => {
    reply.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= BODY_BYTES) return;
      resolve(answer());
      reply.destroy();
    });
    reply.on('end', () => resolve(answer()));
    reply.on('error', reject);
  });
}

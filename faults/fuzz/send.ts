import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { gunzipSync } from 'node:zlib';

export type Answer = Readonly<{
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}>;

/** Nobody answered within the bound, or the connection broke: both are told apart from a reply. */
export type NoAnswer = Readonly<{ status: 0; reason: string }>;

type Wish = Readonly<{
  address: string;
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer | null;
  bound_ms: number;
}>;

export function newAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 8 });
}

/** As bare as possible: the path is sent as it is. A stream is left after its first words. */
export function send(agent: Agent, wish: Wish): Promise<Answer | NoAnswer> {
  const { address, method, path, headers, body, bound_ms } = wish;
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    let over = false;
    const finish = (answer: Answer | NoAnswer) => {
      clearTimeout(bound);
      over = true;
      resolve(answer);
    };
    // Said for every method: else a body after GET would stand there as the next request.
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const said = { ...headers, ...length };
    const asking = request({ agent, hostname, port, method, path, headers: said });
    const bound = setTimeout(() => {
      finish({ status: 0, reason: `no answer within ${bound_ms} ms` });
      asking.destroy();
    }, bound_ms);
    asking.on('error', (error) => {
      if (!over) finish({ status: 0, reason: error.message });
    });
    asking.on('response', (reply) => {
      const status = reply.statusCode ?? 0;
      const chunks: Buffer[] = [];
      const done = () => {
        if (over) return;
        finish({ status, headers: reply.headers, text: textOf(reply.headers, chunks) });
      };
      const streams = reply.headers['content-type']?.startsWith('text/event-stream');
      reply.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (!streams) return;
        done();
        reply.destroy();
      });
      reply.on('end', done);
      reply.on('error', done);
    });
    asking.end(body ?? undefined);
  });
}

function textOf(headers: IncomingHttpHeaders, chunks: readonly Buffer[]): string {
  const bytes = Buffer.concat(chunks);
  const isGzip = headers['content-encoding'] === 'gzip' && bytes.length > 0;
  return (isGzip ? gunzipSync(bytes) : bytes).toString('utf8');
}

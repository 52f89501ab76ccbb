import { systemClock } from '@voelgoed/engine/kit';
import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';

/** One request that was answered. */
export type RequestLine = Readonly<{
  request_id: string;
  method: string;
  route: string;
  status: number;
  seconds: number;
}>;

const { info = 30, ...others } = pino.levels.values;
const { streamSym, chindingsSym } = pino.symbols;

/**
 * Writes a line for every request, as the logger would and to where it does, without its help: it
 * looks for secrets in each value, which took twice as long as writing, and left as much garbage as
 * deciding a hold. Of these five only the method and the route are not ours, and both are known
 * words: a method that HTTP knows, a route as it was registered.
 */
export function requestLines(logger: FastifyBaseLogger): (line: RequestLine) => void {
  const inside = logger as unknown as Record<symbol, unknown>;
  const stream = inside[streamSym] as { write(text: string): void } | undefined;
  // Another logger than ours.
  if (!stream) return (line) => logger.info(line, 'request');
  const isQuiet = (others[logger.level] ?? 0) > info || logger.level === 'silent';
  if (isQuiet) return () => {};
  const head = (inside[chindingsSym] as string | undefined) ?? '';
  // Those of a turn of the loop together: measuring each took the stream longer than taking it.
  let lines: string[] = [];
  const writeAll = () => {
    const text = lines.join('');
    lines = [];
    stream.write(text);
  };
  return ({ request_id, method, route, status, seconds }) => {
    const length = lines.push(
      `{"level":${info},"time":${systemClock.now()}${head},"request_id":"${request_id}",` +
        `"method":"${method}","route":"${route}","status":${status},"seconds":${seconds},` +
        `"msg":"request"}\n`,
    );
    if (length === 1) setImmediate(writeAll);
  };
}

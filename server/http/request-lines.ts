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
  let [now, beginning] = [0, ''];
  return ({ request_id, method, route, status, seconds }) => {
    // Spelling 13 digits for each line was 1 % of what a refusal costs.
    const time = systemClock.now();
    if (now !== time) {
      now = time;
      beginning = `{"level":${info},"time":${now}${head},"request_id":"`;
    }
    const length = lines.push(
      `${beginning}${request_id}","method":"${method}","route":"${route}","status":${status},` +
        `"seconds":${secondsText(seconds)},"msg":"request"}\n`,
    );
    if (length === 1) setImmediate(writeAll);
  };
}

/** To the microsecond, which is quicker than all the digits that a number can have. */
function secondsText(seconds: number): string {
  const micros = Math.round(seconds * 1e6);
  const whole = Math.floor(micros / 1e6);
  return `${whole}.${String(micros - whole * 1e6).padStart(6, '0')}`;
}

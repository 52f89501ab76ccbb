import type { FastifyInstance } from 'fastify';

/** Deeper than any shape of ours; far less than what makes recursive code fail. */
const DEPTH = 32;

/** A body that is no good, in words for whoever sent it. */
export class BadBody extends Error {
  readonly statusCode = 400;
}

/** JSON as UTF-8, not too deep, with texts that Postgres and other programs can take. */
export function parseJsonBodies(http: FastifyInstance): void {
  http.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_: unknown, raw: Buffer) => {
      const source = decode(raw);
      // Many clients send the header on requests without a body.
      if (source === '') return undefined;
      refuseDepth(source);
      return parse(source);
    },
  );
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The body as text, not parsed: parsing megabytes would keep everybody else waiting. */
export function takeTextBodies(http: FastifyInstance, bodyLimit: number): void {
  http.removeContentTypeParser('application/json');
  const options = { parseAs: 'buffer', bodyLimit } as const;
  http.addContentTypeParser('application/json', options, async (_: unknown, raw: Buffer) =>
    decode(raw),
  );
}

function decode(raw: Buffer): string {
  try {
    return utf8.decode(raw);
  } catch {
    throw new BadBody('The body is not valid UTF-8.');
  }
}

function parse(source: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(source, refusePoison);
  } catch (error) {
    if (error instanceof BadBody) throw error;
    throw new BadBody('The body is not valid JSON.');
  }
  // Only an escape can bring in what is not a character; without one there is nothing to look for.
  if (source.includes('\\u') && !isGoodText(value)) throw new BadBody(BAD_TEXT);
  return value;
}

export const BAD_TEXT = 'A text has a character that no text can have (U+0000 or half a pair).';

/** Names that would change what every object inherits. */
function refusePoison(name: string, value: unknown): unknown {
  if (name === '__proto__' || (name === 'constructor' && typeof value === 'object')) {
    throw new BadBody(`The body has a name that is not allowed: ${name}.`);
  }
  return value;
}

/** Counts brackets outside of texts: before parsing, because parsing is what depth endangers. */
function refuseDepth(source: string): void {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < source.length; index++) {
    const code = source.charCodeAt(index);
    if (inText) {
      if (code === 0x5c) index++;
      else if (code === 0x22) inText = false;
    } else if (code === 0x22) inText = true;
    else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) depth--;
    if (depth > DEPTH) throw new BadBody(`The body is nested deeper than ${DEPTH} levels.`);
  }
}

/** No U+0000 and no half of a surrogate pair, in any name or value. */
export function isGoodText(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([name, inner]) => isGoodText(name) && isGoodText(inner));
}

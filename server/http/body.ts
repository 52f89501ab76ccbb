import type { IncomingMessage } from 'node:http';
import { isGoodText, isTooDeep, JSON_DEPTH, repeatedKey } from '@voelgoed/engine/reading';
import type { FastifyInstance } from 'fastify';

/** A body that is no good, in words for whoever sent it, and with the place if it has one. */
export class BadBody extends Error {
  readonly statusCode = 400;
  readonly path: string | null;

  constructor(message: string, path: string | null = null) {
    super(message);
    this.path = path;
  }
}

/** JSON as UTF-8, not too deep, with texts that Postgres and other programs can take. */
export function parseJsonBodies(http: FastifyInstance): void {
  http.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_: unknown, raw: Buffer) => readJson(raw),
  );
}

/** What a body says; undefined where it is empty. Throws what is wrong with it. */
export function readJson(raw: Buffer): unknown {
  const source = decode(raw);
  // Many clients send the header on requests without a body.
  if (source === '') return undefined;
  refuseDepth(source);
  return parse(source);
}

/** Is all of a body here? Asked in the turn of its head, before the parser has seen its end. */
export function isWhole({ complete, headers, readableLength }: IncomingMessage): boolean {
  return complete || String(readableLength) === headers['content-length'];
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
    // Asked about every name, the parser takes ten times as long.
    value = MAY_POISON.test(source) ? JSON.parse(source, refusePoison) : JSON.parse(source);
  } catch (error) {
    if (error instanceof BadBody) throw error;
    throw new BadBody('The body is not valid JSON.');
  }
  // Only an escape can bring in what is not a character; without one there is nothing to look for.
  const place = source.includes('\\u') ? badTextIn(value, 'body') : null;
  if (place !== null) throw new BadBody(BAD_TEXT, place);
  const twice = repeatedKey(source);
  if (twice !== null) throw new BadBody('The body says this name twice.', `body.${twice}`);
  return value;
}

export const BAD_TEXT = 'A text has a character that no text can have (U+0000 or half a pair).';

/** Such a name, or an escape that could hide one. */
const MAY_POISON = /__proto__|constructor|\\u/;

/** Names that would change what every object inherits. */
function refusePoison(name: string, value: unknown): unknown {
  if (name === '__proto__' || (name === 'constructor' && typeof value === 'object')) {
    throw new BadBody(`The body has a name that is not allowed: ${name}.`);
  }
  return value;
}

function refuseDepth(source: string): void {
  if (isTooDeep(source)) throw new BadBody(`The body is nested deeper than ${JSON_DEPTH} levels.`);
}

/** Where U+0000 or half of a surrogate pair is, in a name or a value; null: nowhere. */
export function badTextIn(value: unknown, path: string): string | null {
  if (typeof value === 'string') return isGoodText(value) ? null : path;
  if (value === null || typeof value !== 'object') return null;
  for (const [name, inner] of Object.entries(value)) {
    // A name that cannot be written down is told by where it stands.
    const place = isGoodText(name) ? badTextIn(inner, `${path}/${name}`) : path;
    if (place !== null) return place;
  }
  return null;
}

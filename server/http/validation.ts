import { NAME_PATTERN } from '@voelgoed/client/wire';
import { isUuid } from '@voelgoed/engine/kit';
import { TIER_PATTERN, TIER_SENTENCE } from '@voelgoed/engine/policies';
import { Ajv, type AnySchema, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { BAD_TEXT, BadBody, badTextIn } from './body.ts';
import { asMeant } from './union-problems.ts';

/**
 * Bodies are taken as they are: "5" is not 5, and a field we do not know is a mistake to report,
 * not to drop. Everything in a URL is text, so there numbers and flags are read from text.
 */
const COMMON = { strict: false, strictNumbers: true } as const;
const body = { first: new Ajv(COMMON), all: new Ajv({ ...COMMON, allErrors: true }) };
const READ_TEXT = { ...COMMON, coerceTypes: 'array', useDefaults: true } as const;
const url = { first: new Ajv(READ_TEXT), all: new Ajv({ ...READ_TEXT, allErrors: true }) };

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-](\d{2}):(\d{2}))$/i;

/** What both JavaScript and Postgres take for the same instant: no year 0, no offset of a day. */
function isInstant(text: string): boolean {
  const [, year, month, day, hour, minute, second, offset = '0', minutes = '0'] =
    INSTANT.exec(text) ?? [];
  if (year === undefined || Number(year) < 1970 || Number(year) > 9998) return false;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return false;
  if (Number(offset) > 15 || Number(minutes) > 59) return false;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return date.getUTCDate() === Number(day) && date.getUTCMonth() + 1 === Number(month);
}

for (const ajv of [body.first, body.all, url.first, url.all]) {
  addFormats.default(ajv);
  // The library's own are wider than what the database takes.
  ajv.addFormat('uuid', isUuid);
  ajv.addFormat('date-time', isInstant);
}

/**
 * A body with more values than this gets its first problem only: listing all would be the attack.
 */
const MANY_VALUES = 200;

type Judge = ((value: unknown) => boolean) & { errors?: ErrorObject[] | null };

/** Finds the first problem, which is quick; all of them only where that is cheap, too. */
function judgeWith(kind: typeof body | typeof url, schema: AnySchema): Judge {
  // Compiled when the first value comes: most routes of a node are never called.
  const first = once(() => kind.first.compile(schema));
  const all = once(() => kind.all.compile(schema));
  const judge: Judge = (value) => {
    const good = first()(value) === true;
    judge.errors = null;
    if (good) return true;
    const judged = hasFewValues(value) ? all() : first();
    if (judged !== first()) judged(value);
    judge.errors = asMeant(judged.errors ?? []);
    return false;
  };
  return judge;
}

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function hasFewValues(value: unknown): boolean {
  let left = MANY_VALUES;
  const count = (inner: unknown): void => {
    if (--left < 0 || inner === null || typeof inner !== 'object') return;
    for (const one of Object.values(inner)) {
      if (left < 0) return;
      count(one);
    }
  };
  count(value);
  return left >= 0;
}

export const validatorCompiler: FastifySchemaCompiler<AnySchema> = ({ schema, httpPart }) =>
  judgeWith(httpPart === 'body' ? body : url, schema);

/** For routes whose bodies are texts that are judged elsewhere: the rest is judged as usual. */
export const validatorBesideTexts: FastifySchemaCompiler<AnySchema> = (part) =>
  part.httpPart === 'body' ? () => true : validatorCompiler(part);

/** What is in the URL can hide the same characters as a body. Ids in it get one spelling. */
export function refuseBadText(http: FastifyInstance): void {
  http.addHook('preValidation', (request, _reply, done) => {
    spellIds(request.params);
    spellIds(request.query);
    const place = badTextIn(request.params, 'params') ?? badTextIn(request.query, 'querystring');
    // No body is an empty one: then the validator says which fields are missing, if any are.
    if (request.routeOptions.schema?.body && request.body === undefined) request.body = {};
    done(place === null ? undefined : new BadBody(BAD_TEXT, place));
  });
}

function spellIds(named: unknown): void {
  const values = named as Record<string, unknown>;
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string' && isUuid(value)) values[name] = value.toLowerCase();
  }
}

/** Has a body this shape? For those who need not know what is wrong with it. */
export function shapeTest<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => value is Static<Schema> {
  const judge = body.first.compile(schema as AnySchema);
  return (value): value is Static<Schema> => judge(value) === true;
}

/** The same judgement for something that did not come as a body of its own. */
export function checkShape(
  schema: TSchema,
  value: unknown,
  part = 'body',
): { path: string; message: string }[] {
  const judge = judgeWith(body, schema);
  if (judge(value)) return [];
  return (judge.errors ?? []).map((error) => ({
    path: `${part}${error.instancePath}`,
    message: sentenceOf(error),
  }));
}

const UNSEEN = 'must not contain control characters or characters that nobody sees';

type ValidationError = Readonly<{
  keyword: string;
  params: Record<string, unknown>;
  message?: string | undefined;
}>;

/** The validator's words, with what it left out: which name, which values. */
export function sentenceOf({ keyword, params, message }: ValidationError): string {
  if (keyword === 'additionalProperties') {
    return `has an unknown field "${params.additionalProperty}"`;
  }
  if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
    return `must be one of ${params.allowedValues.join(', ')}`;
  }
  if (keyword === 'pattern' && params.pattern === TIER_PATTERN) return TIER_SENTENCE;
  if (keyword === 'pattern' && params.pattern === NAME_PATTERN) return UNSEEN;
  return message ?? 'is not valid';
}

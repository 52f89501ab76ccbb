import { Ajv, type AnySchema } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { BAD_TEXT, BadBody, isGoodText } from './body.ts';

/**
 * Bodies are taken as they are: "5" is not 5, and a field we do not know is a mistake to report,
 * not to drop. Everything in a URL is text, so there numbers and flags are read from text.
 */
const body = new Ajv({ allErrors: true, coerceTypes: false, strict: false });
const url = new Ajv({ allErrors: true, coerceTypes: 'array', useDefaults: true, strict: false });
for (const ajv of [body, url]) addFormats.default(ajv);

export const validatorCompiler: FastifySchemaCompiler<AnySchema> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? body : url).compile(schema);

/** What is in the URL can hide the same characters as a body. */
export function refuseBadText(http: FastifyInstance): void {
  http.addHook('preValidation', (request, _reply, done) => {
    const good = isGoodText(request.params) && isGoodText(request.query);
    // No body is an empty one: then the validator says which fields are missing, if any are.
    if (request.routeOptions.schema?.body && request.body === undefined) request.body = {};
    done(good ? undefined : new BadBody(BAD_TEXT));
  });
}

/** The same judgement for something that did not come as a body of its own. */
export function checkShape(schema: TSchema, value: unknown): { path: string; message: string }[] {
  const validate = body.compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => ({
    path: `body${error.instancePath}`,
    message: sentenceOf(error),
  }));
}

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
  return message ?? 'is not valid';
}

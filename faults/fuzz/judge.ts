import { ERRORS, type ErrorCode } from '@voelgoed/client/wire';
import type { Operation } from './operations.ts';
import type { Answer } from './send.ts';

/** Words of machines that are no business of whoever asks. */
const INSIDES = new RegExp(
  [
    'node_modules',
    String.raw`\bat \S+ \((?:file:|node:|/)`,
    String.raw`violates \w+ constraint`,
    'relation "',
    'syntax error at',
    'ECONNREFUSED',
    'WRONGTYPE',
  ].join('|'),
);

/** Routes outside the list in the OpenAPI file answer by these alone. */
const ANYWHERE: readonly ErrorCode[] = ['not_found', 'invalid_request'];

type Judged = Pick<Answer, 'status' | 'headers' | 'text'>;

/** What is wrong with an answer, whatever was asked. Null for `operation`: it met no route. */
export function problemsOf(answer: Judged, operation: Operation | null, method: string): string[] {
  const { status, headers, text } = answer;
  const problems: string[] = [];
  if (status >= 500) problems.push(`${status}: ${text.slice(0, 200)}`);
  if (headers['x-content-type-options'] !== 'nosniff') problems.push('no protecting headers');
  if ('x-injected' in headers || 'set-cookie' in headers) problems.push('a header was injected');
  if (status < 400) {
    const known = operation === null || operation.replies.has(status) || status === 304;
    return known ? problems : [...problems, `${status} is not described`];
  }
  if (INSIDES.test(text)) problems.push(`tells of its insides: ${text.slice(0, 200)}`);
  if (method === 'HEAD') return problems;
  return [...problems, ...problemsOfRefusal(answer, operation)];
}

/** The one format of every refusal, with a code that belongs to the status and to the route. */
export function problemsOfRefusal({ status, text }: Judged, operation: Operation | null): string[] {
  const body = parsed(text);
  if (body === null) return [`${status} is no JSON object: ${text.slice(0, 100)}`];
  const { error, message, details, request_id } = body;
  const names = Object.keys(body).sort().join(' ');
  if (names !== 'details error message request_id') return [`a refusal of ${names}`];
  if (typeof message !== 'string' || typeof request_id !== 'string') return ['no sentence'];
  if (details === null || typeof details !== 'object') return ['no details'];
  if (ERRORS[error as ErrorCode] !== status) return [`${status} is not ${String(error)}`];
  const codes: readonly string[] = operation?.replies.get(status) ?? [];
  const described = codes.includes(error as string);
  if (operation ? described : ANYWHERE.includes(error as ErrorCode)) return [];
  return [`${status} ${String(error)} is not described`];
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

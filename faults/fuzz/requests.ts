import type { Dice } from './dice.ts';
import { hostileJson, hostileText } from './hostile.ts';
import { mutated } from './mutate.ts';
import { kindOf, type Operation, type Parameter } from './operations.ts';
import type { Pool } from './pool.ts';
import type { Values } from './values.ts';

/** How wrong a request is meant to be. */
export type Style = 'valid' | 'nearly' | 'broken' | 'odd';

export type Asked = Readonly<{
  operation: Operation;
  style: Style;
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer | null;
}>;

export type Making = Readonly<{
  dice: Dice;
  pool: Pool;
  values: Values;
  /** Good bodies of routes whose schema says only "an object". */
  samples: Readonly<Record<string, readonly unknown[]>>;
  /** What a provider of payments puts beside a body. */
  sign(body: string | Buffer): Record<string, string>;
}>;

export function makeRequest(making: Making, operation: Operation): Asked {
  const { dice } = making;
  const style = dice.weighted<Style>([
    [45, () => 'valid'],
    [37, () => 'nearly'],
    [10, () => 'broken'],
    [8, () => 'odd'],
  ]);
  const body = bodyOf(making, operation, style);
  // A body that was spoilt is told so only where everything before it is right.
  const spoilPath = style === 'nearly' && (body === null || dice.chance(0.2));
  return {
    operation,
    style,
    method: style === 'odd' && dice.chance(0.3) ? dice.one(METHODS) : operation.method,
    path: pathOf(making, operation, spoilPath),
    headers: { ...headersOf(making, operation, style, body) },
    body,
  };
}

const METHODS = ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'POST', 'GET', 'TRACE', 'PROPFIND'];
const TYPES = [
  'application/json; charset=utf-8',
  'application/json;charset=latin1',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/json, text/plain',
  ';;;',
  'application/json; q="',
];

function pathOf({ dice, pool, values }: Making, operation: Operation, spoil: boolean): string {
  const { path, parameters } = operation;
  const ofPath = parameters.filter((parameter) => parameter.in === 'path');
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const spoilt = spoil ? dice.one([...ofPath, ...query, null]) : null;
  const text = (parameter: Parameter, kind: string) =>
    spoilt === parameter ? hostileText(dice) : String(values.of(parameter.schema, kind));
  const filled = path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => {
    const parameter = ofPath.find((one) => one.name === name);
    if (!parameter) throw new Error(`${path} does not describe {${name}}`);
    return percent(text(parameter, kindOf(path, name)));
  });
  const asked = query
    .filter((parameter) => parameter.required || parameter === spoilt || dice.chance(0.35))
    .map((parameter) => `${parameter.name}=${percent(text(parameter, parameter.name))}`);
  if (spoil && spoilt === null) {
    const value = percent(pool.any(dice) ?? '1');
    asked.push(`${percent(hostileText(dice).slice(0, 200))}=${value}`);
    if (asked[0]) asked.push(asked[0]);
  }
  return asked.length > 0 ? `${filled}?${asked.join('&')}`.slice(0, 7_000) : filled;
}

/** Every byte that is not plain is escaped, also those of texts that are no texts. */
function percent(text: string): string {
  return [...Buffer.from(text.slice(0, 1_500))]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      if (/[A-Za-z0-9._~:-]/.test(character)) return character;
      return `%${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
}

function bodyOf(making: Making, operation: Operation, style: Style): string | Buffer | null {
  const { dice, values, samples } = making;
  const { body: schema, name } = operation;
  if (!schema) return style === 'odd' && dice.chance(0.3) ? '{"x":1}' : null;
  const known = samples[name];
  const value = known ? dice.one(known) : values.of(schema);
  if (style === 'nearly') return JSON.stringify(mutated(dice, value)) ?? '';
  const text = JSON.stringify(value);
  return style === 'broken' ? hostileJson(dice, text) : text;
}

function headersOf(
  { dice, pool, sign }: Making,
  operation: Operation,
  style: Style,
  body: string | Buffer | null,
): Record<string, string> {
  const headers: Record<string, string> = {};
  if (body !== null) headers['content-type'] = 'application/json';
  if (dice.chance(0.15)) headers['accept-encoding'] = dice.one(['gzip', 'br', 'gzip;q=0', '*']);
  if (dice.chance(0.25)) headers['idempotency-key'] = keyOf(dice);
  if (operation.path.startsWith('/webhooks/payments/') && body !== null && dice.chance(0.9)) {
    Object.assign(headers, sign(body));
  }
  if (style !== 'odd') return headers;
  const latin = hostileText(dice).replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?');
  if (body !== null && dice.chance(0.3)) headers['content-type'] = dice.one(TYPES);
  const name = dice.one([
    'if-none-match',
    'last-event-id',
    'x-forwarded-for',
    'x-http-method-override',
    'x-request-id',
    'traceparent',
    'origin',
    'cookie',
    'range',
    'content-encoding',
    'accept',
    'host',
    'idempotency-key',
    'user-agent',
    'x-signature',
  ]);
  const known = percent(pool.any(dice) ?? '1');
  headers[name] = dice.chance(0.3) ? known : latin.slice(0, 3_000).trim();
  return headers;
}

/** Often one that was used before, for the same or for something else. */
function keyOf(dice: Dice): string {
  return dice.chance(0.9) ? `key-${dice.upTo(40)}` : 'k'.repeat(dice.one([1, 255, 256, 3_000]));
}

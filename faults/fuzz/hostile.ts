import type { Dice } from './dice.ts';

const LONG = 70_000;

/** Texts that have broken programs: databases, shells, pages, logs, headers, prototypes. */
const TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u2066abc',
  '\ufeff',
  'e\u0301'.repeat(50),
  '👨‍👩‍👧‍👦'.repeat(20),
  'İıſK',
  '\r\nset-cookie: x-injected=1\r\nx-injected: 1',
  '%0d%0ax-injected:%201',
  "' or 1=1; drop table events; --",
  "'; select pg_sleep(30); --",
  '$1',
  '\\',
  "redis.call('flushall')",
  '*\r\n$8\r\nFLUSHALL\r\n',
  '{{constructor.constructor("return process")()}}',
  `\${process.exit(1)}`,
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '../../../../etc/passwd',
  '..%2f..%2f..%2fetc%2fpasswd',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data',
  'javascript:alert(1)',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'true',
  'NaN',
  '-1',
  '1e309',
  '9'.repeat(400),
  '0x1F',
  '=cmd|/c calc!A0',
  '%s%s%n',
  '%',
  '%zz',
  '(a+)+$',
  'a'.repeat(256),
  'a'.repeat(LONG),
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '0199F0F0-0000-7000-8000-00000000000G',
  '2024-02-30T00:00:00Z',
  '275760-09-13T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
];

const NUMBERS: readonly number[] = [
  0,
  -0,
  -1,
  1,
  0.5,
  1e-320,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53),
  2 ** 63,
  2 ** 64,
  1e21,
  1e308,
  -1e308,
];

const OTHERS: readonly unknown[] = [null, true, false, [], {}, [[]], [null], { $ne: null }];

export function hostileText(dice: Dice): string {
  return dice.one(TEXTS);
}

/** Something of any kind that is probably not what was asked for. */
export function hostileValue(dice: Dice): unknown {
  return dice.weighted([
    [5, () => hostileText(dice)],
    [3, () => dice.one(NUMBERS)],
    [2, () => dice.one(OTHERS)],
    [1, () => nested(dice.upTo(60))],
    [1, () => Array.from({ length: dice.one([2, 100, 1_001, 5_000]) }, () => dice.one(NUMBERS))],
  ]);
}

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value };
  return value;
}

/** Bodies that no value can be written as: JSON that says the same name twice, NaN, a cut. */
export function hostileJson(dice: Dice, text: string): string | Buffer {
  return dice.weighted<string | Buffer>([
    [2, () => text.slice(0, dice.upTo(text.length))],
    [2, () => `${text}${text}`],
    [2, () => text.replace(/^\{/, '{"__proto__":{"role":"owner","scopes":["*"]},')],
    [2, () => text.replace(/^\{/, '{"constructor":{"prototype":{"admin":true}},')],
    [2, () => text.replace(/"([a-z_]+)":/, (all) => `${all}null,${all}`)],
    [2, () => text.replace(/\d+/, () => dice.one(['NaN', '1e999', '-1e999', '0.1e-999', '01']))],
    [2, () => text.replace(/"([^"]*)"([,}\]])/, '"\\ud800"$2')],
    [1, () => '['.repeat(dice.one([31, 33, 10_000]))],
    [1, () => `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
    [1, () => Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from(text)])],
    [1, () => Buffer.from([0x22, 0xc3, 0x28, 0x22])],
    [1, () => Buffer.from(text, 'utf16le')],
    [1, () => `"${'x'.repeat(LONG)}"`],
    [1, () => dice.one(['null', '[]', '""', '0', ' ', '{}', 'undefined'])],
  ]);
}

import { describe, expect, it } from 'vitest';
import { MOST_COLUMNS, MOST_FILE_LINES, MOST_FUNCTION_LINES } from './lengths.ts';
import { NARROWING, WIDENING } from './migration-examples.sql.ts';
import { format } from './rule.ts';
import { suppressionRule } from './suppressions.ts';
import { rules } from './tidy.ts';

/** A file, what stands in it, and the names of the files that stand around it. */
type Example = [file: string, text: string, ...others: string[]];

const DOOR = '/**\n * Knows the seats.\n * Must not know the web.\n */\n';
/** What a template in an example puts in. */
const PUT_IN = '$' + '{name}';
const lines = (count: number, line = '//') => `${line}\n`.repeat(count);
const body = (count: number) => `{\n${lines(count - 2)}}`;

/**
 * The control: every rule is shown something bad, because a rule that cannot fail checks nothing,
 * and something good that looks like it, because a false alarm teaches people to look away.
 */
const controls: Record<string, { bad: Example[]; good: Example[] }> = {
  'room-depth': {
    bad: [
      ['engine/board/deep/a.ts', ''],
      ['engine/a.ts', ''],
    ],
    good: [
      ['engine/board/a.ts', ''],
      ['tidy/a/b/c.ts', ''],
      ['web/vite.config.ts', ''],
    ],
  },
  'room-door': {
    bad: [['engine/board/state.ts', '', 'engine/kit/kit.ts']],
    good: [
      ['engine/board/state.ts', '', 'engine/board/board.ts'],
      ['engine/fixtures/plan.json', '{}'],
      ['scripts/run.mjs', ''],
    ],
  },
  'door-comment': {
    bad: [
      ['engine/board/board.ts', 'export {};'],
      ['engine/board/board.ts', '/**\n * One line.\n */'],
      ['engine/board/board.ts', `import './a.ts';\n${DOOR}`],
      ['engine/board/board.ts', '// Two lines\n// of the wrong kind.'],
    ],
    good: [
      ['engine/board/board.ts', DOOR],
      ['engine/board/state.ts', 'export {};'],
    ],
  },
  'room-known': {
    bad: [
      ['engine/cellar/cellar.ts', ''],
      ['server/cellar/cellar.ts', ''],
    ],
    good: [
      ['engine/board/board.ts', ''],
      ['faults/proxy/proxy.ts', ''],
    ],
  },
  'import-form': {
    bad: [
      ['engine/board/a.ts', "import '../kit/kit.ts';"],
      ['engine/board/a.test.ts', "import '../kit/kit.ts';"],
      ['engine/board/a.ts', "export * from './deep/b.ts';", 'engine/board/deep/b.ts'],
      ['engine/board/a.ts', "import './gone.ts';", 'engine/kit/gone.ts'],
      ['engine/board/a.ts', "import './b';", 'engine/board/b.ts'],
      ['engine/board/a.ts', "import type { A } from '#kit/clock';"],
      ['engine/board/a.ts', "await import('@voelgoed/engine/kit/clock.ts');"],
      ['engine/board/a.ts', "type A = import('@voelgoed/engine').A;"],
      ['engine/board/a.ts', "import { b } from '#board';"],
      ['tidy/a.ts', "import '#kit';"],
      ['web/map/map.svelte', '<script lang="ts">\nimport \'../kit/kit.ts\';\n</script>'],
    ],
    good: [
      ['engine/board/a.ts', "import { b } from './b.ts';", 'engine/board/b.ts'],
      ['engine/board/a.ts', "import { type Clock } from '#kit';"],
      ['server/http/a.ts', "import { kit } from '@voelgoed/engine/kit';"],
      ['engine/board/a.ts', "import fs from 'node:fs';\nimport pg from 'pg';"],
      ['server/http/a.ts', "import swagger from '@fastify/swagger';\nimport 'vitest/config';"],
      ['engine/board/a.ts', "// import '../kit/kit.ts';\nconst text = '../kit';"],
      ['web/map/map.svelte', "<p>import '../kit/kit.ts'</p>"],
    ],
  },
  'own-door': {
    bad: [['engine/board/state.ts', "import { decide } from './board.ts';"]],
    good: [
      ['engine/board/board.test.ts', "import { decide } from './board.ts';"],
      ['engine/board/state.ts', "import { seat } from './seat.ts';"],
    ],
  },
  'room-order': {
    bad: [
      ['engine/kit/a.ts', "import { decide } from '#board';"],
      ['engine/board/a.ts', "export type { Hold } from '#registry';"],
      ['engine/board/a.ts', "import '#cellar';"],
      ['server/config/a.ts', "import '#processes';"],
    ],
    good: [
      ['engine/board/a.ts', "import { assert } from '#kit';"],
      ['engine/kit/a.test.ts', "import { decide } from '#board';"],
      ['faults/proxy/a.ts', "import '#checker';"],
    ],
  },
  'house-order': {
    bad: [
      ['client/wire/a.ts', "import '@voelgoed/engine/kit';"],
      ['engine/kit/a.ts', "import '@voelgoed/server/http';"],
      ['engine/kit/a.ts', "import type { Wire } from '@voelgoed/client/wire';"],
      ['engine/kit/a.ts', "import '@voelgoed/testkit/postgres';"],
      ['engine/kit/a.test.ts', "import '@voelgoed/client/wire';"],
      ['engine/board/a.ts', "import '@voelgoed/engine/kit';"],
      ['testkit/suite/a.ts', "import '@voelgoed/testkit/postgres';"],
      ['faults/proxy/a.ts', "import '@voelgoed/testkit/postgres';"],
      ['server/http/a.ts', "import '@voelgoed/cellar/wine';"],
    ],
    good: [
      ['server/http/a.ts', "import '@voelgoed/engine/kit';\nimport '@voelgoed/client/wire';"],
      ['engine/kit/a.test.ts', "import '@voelgoed/testkit/postgres';"],
      ['client/wire/a.test.ts', "import '@voelgoed/faults/proxy';"],
      ['testkit/suite/a.ts', "import '@voelgoed/faults/proxy';\nimport '@voelgoed/bench/load';"],
    ],
  },
  'engine-without-http': {
    bad: [
      ['engine/jobs/a.ts', "import fastify from 'fastify';"],
      ['engine/jobs/a.ts', "import http from 'node:http';"],
      ['engine/jobs/a.ts', "import https from 'node:https';"],
      ['engine/jobs/a.test.ts', "import '@fastify/swagger';"],
    ],
    good: [
      ['server/http/a.ts', "import fastify from 'fastify';"],
      ['engine/redis/a.ts', "import net from 'node:net';"],
    ],
  },
  'line-length': {
    bad: [
      ['a.ts', 'x'.repeat(MOST_COLUMNS + 1)],
      ['db/1.sql', `\n${'🎟'.repeat(MOST_COLUMNS + 1)}\n`],
    ],
    good: [
      ['a.ts', `${'🎟'.repeat(MOST_COLUMNS)}\r\n`],
      ['db/schema.sql', 'x'.repeat(MOST_COLUMNS + 1)],
      ['README.md', 'x'.repeat(MOST_COLUMNS + 1)],
    ],
  },
  'file-length': {
    bad: [['a.svelte', lines(MOST_FILE_LINES + 1)]],
    good: [
      ['a.ts', lines(MOST_FILE_LINES)],
      ['db/schema.sql', lines(MOST_FILE_LINES + 1)],
    ],
  },
  'function-length': {
    bad: [
      ['a.ts', `function a() ${body(MOST_FUNCTION_LINES + 1)}`],
      ['a.ts', `const a = () => ${body(MOST_FUNCTION_LINES + 1)};`],
      ['a.mjs', `class A { b() ${body(MOST_FUNCTION_LINES + 1)} }`],
      ['a.ts', `describe('a', () => ${body(MOST_FUNCTION_LINES + 1)});`],
      ['a.test.ts', `it('a', () => b(() => ${body(MOST_FUNCTION_LINES + 1)}));`],
    ],
    good: [
      ['a.ts', `function a() ${body(MOST_FUNCTION_LINES)}`],
      ['a.test.ts', `describe('a', () => ${body(MOST_FUNCTION_LINES + 1)});`],
      ['a.test.ts', `it.each([1])('a', () => ${body(MOST_FUNCTION_LINES + 1)});`],
    ],
  },
  'time-and-chance': {
    bad: [
      ['engine/board/a.ts', 'const now = Date.now();'],
      ['engine/board/a.test.ts', 'const clock = { now: Date.now };'],
      ['engine/board/a.ts', 'const now = new Date();'],
      ['engine/board/a.ts', 'const now = new Date;'],
      ['engine/board/a.ts', 'Math.random();'],
      ['engine/board/a.ts', "performance['now']();"],
      ['engine/board/a.ts', 'globalThis.crypto.randomUUID();'],
      ['engine/board/a.ts', "import { randomUUID } from 'node:crypto';\nrandomUUID();"],
    ],
    good: [
      ['engine/kit/clock.ts', 'Date.now(); new Date(); Math.random(); crypto.randomUUID();'],
      ['engine/board/a.ts', 'new Date(event.starts_at); Date.UTC(2026); Math.floor(1);'],
      ['engine/board/a.ts', "// Date.now()\nconst text = 'Math.random()';"],
      ['engine/board/a.ts', 'clock.now();'],
    ],
  },
  environment: {
    bad: [
      ['server/config/a.ts', 'process.env.PORT;'],
      ['engine/postgres/a.ts', "globalThis.process['env'];"],
    ],
    good: [
      ['server/processes/start.ts', 'process.env.PORT;'],
      ['testkit/suite/suite.ts', 'process.env;'],
      ['scripts/run.mjs', 'process.env;'],
      ['vitest.config.ts', 'process.env;'],
      ['server/config/a.ts', 'process.exit(); // process.env'],
    ],
  },
  console: {
    bad: [
      ['server/http/a.ts', "console.log('a');"],
      ['tidy/a.ts', 'console.error(1);'],
    ],
    good: [
      ['server/processes/cli.ts', 'console.log(1);'],
      ['faults/proxy/a.ts', 'console.log(1);'],
      ['server/http/a.ts', 'log.info(1); // console.log(1)'],
    ],
  },
  sleep: {
    bad: [
      ['engine/board/a.ts', 'await new Promise((resolve) => setTimeout(resolve, 10));'],
      ['engine/board/a.test.ts', 'new Promise<void>((done) => { setTimeout(() => done(), 1); });'],
      ['server/http/a.ts', "import { setTimeout } from 'node:timers/promises';"],
    ],
    good: [
      ['engine/kit/clock.ts', 'new Promise((resolve) => setTimeout(resolve, 10));'],
      ['server/http/a.ts', 'setTimeout(flush, 10);'],
      ['server/http/a.ts', 'new Promise((resolve, reject) => setTimeout(reject, 10));'],
      ['server/http/a.ts', 'new Promise((done) => setTimeout(() => done(false), 10));'],
    ],
  },
  'left-out-test': {
    bad: [
      ['a.test.ts', "it.only('a', () => {});"],
      ['a.test.ts', "it.skip('a', () => {});"],
      ['a.test.ts', "it.todo('a');"],
      ['a.test.ts', "describe.only('a', () => {});"],
      ['a.test.ts', "describe.skip.each([1])('a', () => {});"],
      ['a.test.ts', "test.concurrent.only('a', () => {});"],
    ],
    good: [
      ['a.test.ts', "it('a', () => { page.skip(); }); // it.only"],
      ['a.test.ts', "it.each([1])('a', () => {});"],
    ],
  },
  suppression: {
    bad: [
      ['a.ts', 'let a: any;'],
      ['a.ts', 'const a = <any>b;'],
      ['a.ts', 'f(\n// @ts-expect-error\n1);'],
      ['a.mjs', '/** @ts-ignore */\nlet a;'],
      ['a.ts', '{ /* @ts-nocheck */ }'],
      ['a.ts', 'let a; // biome-ignore lint: why'],
    ],
    good: [
      ['a.ts', "const any = '@ts-ignore'; const text = `// biome-ignore`;"],
      ['a.ts', '// any of them'],
    ],
  },
  'statement-place': {
    bad: [
      ['engine/board/a.ts', "const a = 'select id from seats';"],
      ['engine/board/a.ts', 'const a = `\n  -- why\n  SELECT *\n  FROM seats`;'],
      ['engine/board/a.ts', `const a = \`select ${PUT_IN} from ${PUT_IN} where true\`;`],
      ['engine/board/a.ts', "const a = 'select pg_notify($1, $2)';"],
      ['engine/board/a.ts', "const a = 'insert into seats values (1)';"],
      ['engine/board/a.ts', `const a = \`update ${PUT_IN} s set state = 1\`;`],
      ['engine/board/a.ts', "const a = 'delete from seats';"],
      ['engine/board/a.ts', "const a = 'with free as (select 1) select 2';"],
      ['scripts/a.mjs', "const a = 'create table seats (id int)';"],
      ['server/http/a.ts', "const a = 'create unique index on seats (id)';"],
    ],
    good: [
      ['engine/board/seats.sql.ts', "const a = 'select id from seats';"],
      ['engine/postgres/a.ts', "const a = 'select id from seats';"],
      ['engine/board/a.test.ts', "const a = 'select id from seats';"],
      ['testkit/database/a.ts', "const a = 'create role guest';"],
      ['engine/board/a.ts', "const a = 'Select seats from section B'; // select a from b"],
      ['engine/board/a.ts', "const a = 'select a seat from the map';"],
      ['engine/board/a.ts', "const a = 'update the policy set by the organizer';"],
      ['engine/board/a.ts', "const a = ['Create policy', 'create table 5', 'with care as ever'];"],
      ['engine/board/a.ts', "const a = 'delete from the cart';"],
    ],
  },
  'expand-only': {
    bad: NARROWING.map((text) => ['db/migrations/0017_a.sql', text]),
    good: [
      ...WIDENING.map((text): Example => ['db/migrations/0017_a.sql', text]),
      ['db/migrations/0016_a.sql', 'drop table seats;'],
      ['db/schema.sql', 'drop table seats;'],
    ],
  },
  // With sentences of its own in numbers.test.ts.
  'documented-numbers': {
    bad: [['docs/seat-map.md', '`stale` after 1 seconds', 'client/live/following.ts']],
    good: [['docs/other.md', '`stale` after 1 seconds', 'client/live/following.ts']],
  },
  'product-alone': {
    bad: [
      ['README.md', `see /${'work'}/main`],
      ['a.json', `{"path": "/${'root'}/.npmrc"}`],
      ['a.ts', `const a = '/${'home'}/anna/seats';`],
      ['docs/a.md', `see ..${'/shared'}/DESIGN.md`],
      ['a.ts', `// Fixes Issue ${'#'}12.`],
      ['a.ts', `// See issue ${1}2.`],
      ['a.ts', '// TODO: later'],
      ['db/1.sql', `-- ${'FIX'}${'ME'}`],
      ['README.md', `${'X'}${'XX'}`],
      ['a.mjs', 'f(/* HACK */);'],
    ],
    good: [
      ['README.md', 'The network/work/ folder, https://example.com/root/ and tickets we issue.'],
      ['a.ts', "const a = 'TODO'; // a todo list, and hacks"],
      ['package-lock.json', `sha512-a/${'X'}${'XX'}/b`],
    ],
  },
};

describe.each(rules)('$name', (rule) => {
  const control = controls[rule.name];
  const check = ([file, text, ...others]: Example) =>
    rule.check([{ file, text }, ...others.map((other) => ({ file: other, text: '' }))]);

  it('has examples', () => {
    expect(control?.bad.length).toBeGreaterThan(0);
    expect(control?.good.length).toBeGreaterThan(0);
  });

  it.each(control?.bad ?? [])('complains about %s: %j', (...example) => {
    expect(check(example).map((complaint) => complaint.rule)).toContain(rule.name);
  });

  it.each(control?.good ?? [])('accepts %s: %j', (...example) => {
    expect(check(example).map(format)).toEqual([]);
  });
});

describe('a complaint', () => {
  const places = (name: string, file: string, text: string) =>
    rules
      .find((rule) => rule.name === name)
      ?.check([{ file, text }])
      .map(format);

  it('names file, line, rule and reason', () => {
    expect(places('line-length', 'a.ts', `\n${'x'.repeat(101)}\n`)).toEqual([
      'a.ts:2 line-length: 101 columns, at most 100',
    ]);
  });

  it('names the line of the code, not of the comment above it', () => {
    const found = places('environment', 'engine/kit/a.ts', '// Why.\n\nf(process.env);\n');
    expect(found).toEqual([expect.stringMatching(/^engine\/kit\/a\.ts:3 environment: /)]);
  });

  it('names the line of the script inside a component', () => {
    const text = '<h1>Seats 🎟</h1>\n<script>\n  console.log(1);\n</script>\n';
    const found = places('console', 'web/map/map.svelte', text);
    expect(found).toEqual([expect.stringMatching(/^web\/map\/map\.svelte:3 console: /)]);
  });

  it('names the line of a word inside a long comment', () => {
    expect(places('product-alone', 'a.ts', 'f();\n/**\n * TODO\n */\n')).toEqual([
      expect.stringMatching(/^a\.ts:3 /),
    ]);
  });
});

describe('the list of allowed suppressions', () => {
  const source = { file: 'a.ts', text: 'let a: any;' };

  it('allows what has a reason, in that file alone', () => {
    const rule = suppressionRule([{ file: 'a.ts', what: 'any', reason: 'The parser says so.' }]);
    expect(rule.check([source])).toEqual([]);
    expect(rule.check([source, { ...source, file: 'b.ts' }])).toHaveLength(1);
  });

  it('does not allow without a reason', () => {
    const rule = suppressionRule([{ file: 'a.ts', what: 'any', reason: ' ' }]);
    expect(rule.check([source]).length).toBeGreaterThan(0);
  });

  it('complains about an entry that nothing needs any more', () => {
    const rule = suppressionRule([{ file: 'a.ts', what: 'any', reason: 'The parser says so.' }]);
    expect(rule.check([{ file: 'a.ts', text: '' }]).map(format)).toEqual([
      'a.ts:1 suppression: any is idle in the list in tidy/suppressions.ts',
    ]);
  });
});

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { percentOf, scoreOf, survivorLine, tableOf, type Verdict } from './score.ts';
import { strykerPlugins } from './stryker-plugin.ts';
import { piecesOf, rulesOf, TARGETS, testsOf } from './targets.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe('what is mutated', () => {
  it.each(TARGETS)('$folder has rules and quick tests, each pattern some', (target) => {
    for (const pattern of target.rules) {
      expect(rulesOf(ROOT, { ...target, rules: [pattern] }), pattern).not.toEqual([]);
    }
    for (const folder of target.tests) {
      expect(testsOf(ROOT, { ...target, tests: [folder] }, read), folder).not.toEqual([]);
    }
  });

  it('is code: no tests, no helpers of tests, no statements', () => {
    const files = TARGETS.flatMap((target) => rulesOf(ROOT, target));
    expect(files).toContain('engine/board/decide-payment.ts');
    expect(files.filter((file) => /test|\.sql\./.test(file))).toEqual([]);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('has every file of rules in the engine', () => {
    const files = new Set(TARGETS.flatMap((target) => rulesOf(ROOT, target)));
    const rules = globSync('engine/*/*-rules.ts', { cwd: ROOT });
    expect(rules.filter((file) => !files.has(file))).toEqual([]);
  });

  it('is not tested by what needs a service', () => {
    const target = TARGETS.find(({ folder }) => folder === 'engine/registry');
    const tests = target ? testsOf(ROOT, target, read) : [];
    expect(tests).toContain('engine/registry/clock-rules.test.ts');
    expect(tests).not.toContain('engine/registry/plans.test.ts');
  });

  it('is chosen by folder or by file', () => {
    const asked = (...paths: string[]) =>
      piecesOf(ROOT, paths).map(({ target, files }) => [target.folder, files.length]);
    expect(asked()).toHaveLength(TARGETS.length);
    expect(asked('engine/tickets/')).toEqual([['engine/tickets', 3]]);
    expect(asked('./engine/board/decide-hold.ts')).toEqual([['engine/board', 1]]);
    expect(() => asked('engine/nothing')).toThrow('"engine/nothing" has no rules');
  });
});

it('assertions are left alone, as statements and in what they compare', () => {
  const [ignorer] = strykerPlugins;
  const isIgnored = (node: object) => ignorer?.value?.shouldIgnore({ node } as never) !== undefined;
  const call = (name: string) => ({ type: 'CallExpression', callee: { name } });
  expect([isIgnored(call('assert')), isIgnored(call('refused'))]).toEqual([true, false]);
  const statement = (name: string) => ({ type: 'ExpressionStatement', expression: call(name) });
  expect([isIgnored(statement('assert')), isIgnored(statement('end'))]).toEqual([true, false]);
  // Babel says by the same word whether a function has a body.
  expect(isIgnored({ type: 'ArrowFunctionExpression', expression: true })).toBe(false);
});

describe('a score', () => {
  const verdict = (status: string, fileName = 'a.ts', line = 1): Verdict => ({
    ...{ fileName, status, mutatorName: 'BooleanLiteral', replacement: 'false' },
    location: { start: { line, column: 5 } },
  });
  const mixed = [
    ...['Killed', 'Timeout', 'Killed', 'Survived'].map((status) => verdict(status)),
    ...['NoCoverage', 'Ignored', 'RuntimeError'].map((status) => verdict(status, 'b.ts')),
  ];

  it('counts what was noticed among what could be, and never rounds up', () => {
    expect(scoreOf(mixed)).toEqual({ found: 3, all: 5 });
    expect(percentOf({ found: 849, all: 1_000 })).toBe(84.9);
    expect(percentOf({ found: 9_999, all: 10_000 })).toBe(99.9);
    expect(percentOf({ found: 0, all: 0 })).toBe(100);
  });

  it('is shown file by file, the worst first', () => {
    expect(tableOf('folder', mixed)).toEqual([
      'b.ts      0.0 %  0 of 1',
      'a.ts     75.0 %  3 of 4',
      'folder   60.0 %  3 of 5',
    ]);
  });

  it('names survivors by their place', () => {
    expect(survivorLine(verdict('Survived', 'a.ts', 7))).toBe(
      'a.ts:7:5 survived: BooleanLiteral false',
    );
    expect(survivorLine(verdict('NoCoverage'))).toContain('no test runs it');
  });
});

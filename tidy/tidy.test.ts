import { beforeAll, describe, expect, it } from 'vitest';
import { isCode, nodesOf } from './source.ts';
import { format, readRepository, rules } from './tidy.ts';

const sources = readRepository();

// Reading a thousand files takes seconds, once for all rules; each rule for itself is quick.
beforeAll(() => {
  for (const source of sources) if (isCode(source.file)) nodesOf(source);
}, 120_000);

describe('the repository is tidy', () => {
  it('finds itself', () => {
    expect(sources.map((source) => source.file)).toContain('tidy/tidy.test.ts');
  });

  for (const rule of rules) {
    it(rule.name, () => {
      const complaints = rule.check(sources).map(format);
      if (complaints.length > 0) expect.fail(`\n${complaints.join('\n')}\n`);
    });
  }
});

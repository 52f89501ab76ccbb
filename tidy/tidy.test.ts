import { describe, expect, it } from 'vitest';
import { format, readRepository, rules } from './tidy.ts';

const sources = readRepository();

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

import { expect, it } from 'vitest';
import { testServices } from '#services';
import { restore } from './restore.ts';

it('a base backup restores what was acknowledged, as another lineage', {
  timeout: 120_000,
}, async () => {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  expect(await restore({ services: testServices(), seconds: 1, seed: 1, say })).toEqual([]);
  expect(lines.at(-1)).toContain('two lineages');
});

import { expect, it } from 'vitest';
import { readRow } from './log.ts';

it('reads rows of every format that was written, and of no later one', () => {
  const stored = {
    revision: 2,
    flush_id: 'f',
    at_ms: 1,
    text: '{"changes":[],"keyed":[]}',
    hash: 'h',
  };
  expect(readRow({ ...stored, format: 1 })).toMatchObject({ revision: 2, changes: [] });
  expect(readRow({ ...stored, format: 2 })).toMatchObject({ revision: 2, changes: [] });
  expect(readRow({ ...stored, format: 3 })).toMatchObject({ revision: 2, changes: [] });
  expect(() => readRow({ ...stored, format: 4 })).toThrow(/format 4/);
});

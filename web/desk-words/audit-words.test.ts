import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { AUDIT_AF } from './audit-af.ts';
import { AUDIT_EN } from './audit-en.ts';

/** As the engine has them; nothing else can be written into the log. */
async function writtenActions(): Promise<string[]> {
  const file = new URL('../../engine/audit/actions.ts', import.meta.url);
  const text = await readFile(file, 'utf8');
  return [...text.matchAll(/\| '(\w+)'/g)].map(([, action = '']) => action);
}

describe('the actions of the audit log', () => {
  it.each([
    ['English', AUDIT_EN],
    ['Afrikaans', AUDIT_AF],
  ])('are said in words, every one, and no other: %s', async (_, { actions }) => {
    const written = await writtenActions();
    expect(written.length).toBeGreaterThan(50);
    expect(Object.keys(actions).sort()).toEqual(written.sort());
    const said = Object.values(actions);
    expect(new Set(said).size).toBe(said.length);
    expect(said.filter((text) => !/^\S+ .+[^.]$/.test(text) || text.includes('_'))).toEqual([]);
  });
});

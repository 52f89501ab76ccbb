import { AUDIT_ACTIONS } from '@voelgoed/engine/audit';
import { describe, expect, it } from 'vitest';
import { AUDIT_AF } from './audit-af.ts';
import { AUDIT_EN } from './audit-en.ts';

describe('the actions of the audit log', () => {
  it.each([
    ['English', AUDIT_EN],
    ['Afrikaans', AUDIT_AF],
  ])('are said in words, every one, and no other: %s', (_, { actions }) => {
    expect(Object.keys(actions).sort()).toEqual([...AUDIT_ACTIONS].sort());
    const said = Object.values(actions);
    expect(new Set(said).size).toBe(said.length);
    expect(said.filter((text) => !/^\S+ .+[^.]$/.test(text) || text.includes('_'))).toEqual([]);
  });
});

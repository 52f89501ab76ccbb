import { readFile } from 'node:fs/promises';
import { ERRORS } from '@voelgoed/client/wire';
import { describe, expect, it } from 'vitest';
import { DESK_AF } from './desk-af.ts';
import { DESK_EN } from './desk-en.ts';

const textOf = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');
/** Codes of the documented list, and those of a call that had no answer. */
const CODES = [...Object.keys(ERRORS), 'network', 'timeout', 'aborted', 'unreadable'];

describe('errors as staff read them', () => {
  it('have a sentence for every documented code in both languages', async () => {
    const documented = [...(await textOf('../../docs/errors.md')).matchAll(/^\| \d+ \| `(\w+)`/gm)];
    expect(documented.length).toBeGreaterThan(40);
    for (const [, code = ''] of documented) expect(CODES).toContain(code);
    expect(Object.keys(DESK_EN.errors).sort()).toEqual([...CODES].sort());
    expect(Object.keys(DESK_AF.errors).sort()).toEqual([...CODES].sort());
  });

  it('are never said as to a buyer', () => {
    const buyers = /\b(?:the shop|organiser|your cart|winkel|organiseerder|mandjie)\b/i;
    const said = [DESK_EN, DESK_AF].flatMap(({ errors }) => Object.values(errors));
    expect(said.filter((sentence) => buyers.test(sentence))).toEqual([]);
    expect(said.filter((sentence) => !/^\S.+\.$/.test(sentence))).toEqual([]);
  });

  it('are those that the screens of staff use', async () => {
    const folders = ['office', 'organiser', 'plans', 'records', 'staff', 'dashboard', 'door'];
    const { readdir } = await import('node:fs/promises');
    const buyers: string[] = [];
    for (const folder of [...folders, 'desk-parts', 'desk']) {
      for (const name of await readdir(new URL(`../${folder}/`, import.meta.url))) {
        const text = await textOf(`../${folder}/${name}`);
        if (/reasonOf[^;]*from '#shop'/.test(text)) buyers.push(`${folder}/${name}`);
      }
    }
    expect(buyers).toEqual([]);
  });
});

describe('problems of a layout', () => {
  it('have words of the hall for every code, in both languages', async () => {
    const layouts = await textOf('../../engine/layouts/layout-problems.ts');
    const reading = await textOf('../../engine/reading/problems.ts');
    const codes = [...`${layouts}${reading}`.matchAll(/^ {2}'([a-z_]+)',$/gm)];
    expect(codes.length).toBeGreaterThan(45);
    for (const [, code = ''] of codes) {
      for (const { problems } of [DESK_EN, DESK_AF]) {
        expect([code, problems.isKind(code)]).toEqual([code, true]);
      }
      expect(DESK_AF.problems.kind(code, 2)).not.toBe(DESK_EN.problems.kind(code, 2));
    }
  });

  it('are counted', () => {
    expect(DESK_EN.problems.kind('duplicate_label', 529)).toBe(
      '529 seats have the label of another seat',
    );
    expect(DESK_EN.problems.kind('duplicate_label', 1)).toBe(
      '1 seat has the label of another seat',
    );
    expect(DESK_EN.problems.kind('never_heard_of', 3)).toBe('3 other problems');
  });

  it('of fields are said in words', () => {
    const said = DESK_EN.problems.saying;
    expect(said("must have required property 'name'")).toBe('is needed');
    expect(said('must be <= 500')).toBe('must be at most 500');
    expect(said('something of its own')).toBe('something of its own');
    expect(DESK_AF.problems.saying('something of its own')).toBeNull();
    expect(said('The layout has 1402 places, but the venue 780.')).toMatch(
      /^The plan has 1.402 places, but the venue takes 780\./,
    );
    expect(DESK_EN.problems.fieldOf('sale_starts_at')).toBe('Sale begins');
    expect(DESK_EN.problems.fieldOf('some_field')).toBe('some field');
  });
});

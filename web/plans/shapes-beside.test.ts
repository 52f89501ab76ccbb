import { describe, expect, it } from 'vitest';
import { readPlan } from './read-plan.ts';
import { answersOf, SHAPES, specOf, startOf, withPrefix } from './shape-fields.ts';
import { below, startBeside, uniqueZone } from './shapes-beside.ts';
import { todaysName, zonesWith } from './time-zones.ts';

const parts = (...shapes: (keyof typeof SHAPES)[]) =>
  shapes.map((shape) => ({ shape, answers: startOf(SHAPES[shape]) }));

describe('shapes of one hall', () => {
  const specOfRows = (answers: Readonly<Record<string, string>>) =>
    specOf(SHAPES.straight_rows, answers);

  it('may have nothing before their labels, or a word and a blank', () => {
    const alone = startBeside('straight_rows', parts('area'), null);
    expect(specOfRows(alone)).toMatchObject({ label_prefix: '' });
    expect(specOfRows({ ...alone, label_prefix: ' Left ' })).toMatchObject({
      label_prefix: 'Left ',
    });
  });

  it('have a zone of their own, which is before their labels until that is changed', () => {
    const beside = startBeside('straight_rows', parts('curved_rows'), null);
    expect(beside).toMatchObject({ zone: 'Stalls 2', label_prefix: 'Stalls 2 ' });
    const renamed = withPrefix(beside, { ...beside, zone: 'Balcony' });
    expect(renamed.label_prefix).toBe('Balcony ');
    const bare = withPrefix(renamed, { ...renamed, label_prefix: '' });
    expect(specOfRows(withPrefix(bare, { ...bare, zone: 'Ring' }))).toMatchObject({
      zone: 'Ring',
      label_prefix: '',
    });
    expect(startBeside('area', parts('curved_rows'), null)).not.toHaveProperty('label_prefix');
  });

  it('are counted on', () => {
    expect(uniqueZone('Stalls', ['Floor'])).toBe('Stalls');
    expect(uniqueZone('Stalls', ['Stalls', 'Stalls 2 '])).toBe('Stalls 3');
    expect(uniqueZone('Stalls 2', ['Stalls', 'Stalls 2'])).toBe('Stalls 3');
  });

  it('begin behind what is drawn, and a copy behind its model', () => {
    const seat = (y: number) => ({
      label: `A-${y}`,
      row: 'A',
      number: y,
      coordinates: { x: 0, y },
    });
    const zones = [{ name: 'Stalls', zone_type: 'reserved_seating', seats: [seat(20), seat(300)] }];
    const { drawing } = readPlan({ zones });
    expect(startBeside('straight_rows', parts('curved_rows'), drawing).origin).toBe('0, 340');
    expect(startBeside('area', parts('curved_rows'), drawing).origin).toBe('0, 40');
    expect(startBeside('area', parts('area'), drawing).origin).toBe('0, 340');
    // The rows of a curve begin below its centre.
    expect(startBeside('curved_rows', parts('area'), drawing).centre).toBe('0, 227');
    const copy = below('straight_rows', { origin: '50, 20' }, drawing, 0);
    expect(copy.origin).toBe('50, 340');
  });
});

describe('a form that is filled from a spec', () => {
  it('says the same again', () => {
    const spec = {
      zone: 'Balcony',
      zone_type: 'vip_reserved',
      rows: 4,
      blocks: [8, 10, 8],
      widen: 1,
      row_names: 'numbers',
      numbering: 'odd_even',
      label_prefix: 'Balcony ',
      wheelchair_pairs: [{ label: 'R-35' }, { label: 'R-37' }],
      origin: { x: 5, y: -7.5 },
      allowed_roles: ['staff', 'viewer'],
    };
    expect(specOf(SHAPES.straight_rows, answersOf(SHAPES.straight_rows, spec))).toEqual(spec);
  });

  it('names seats by what is printed on them, with or without commas', () => {
    const named = (wheelchair_pairs: string) =>
      specOf(SHAPES.curved_rows, { wheelchair_pairs }).wheelchair_pairs;
    const both = [{ label: 'R-35' }, { label: 'Balcony R-37' }];
    expect(named('R-35, Balcony R-37')).toEqual(both);
    expect(named('R-35 Balcony R-37; ')).toEqual(both);
  });
});

describe('time zones', () => {
  it('have the names of today, and keep the one that is chosen', () => {
    const zones = zonesWith('Mars/Base', ['Europe/Kiev', 'Asia/Calcutta', 'Africa/Johannesburg']);
    expect(zones).toEqual(['Africa/Johannesburg', 'Asia/Kolkata', 'Europe/Kyiv', 'Mars/Base']);
    expect(todaysName('Europe/Kiev')).toBe('Europe/Kyiv');
    for (const zone of zonesWith('UTC')) {
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
    }
  });
});

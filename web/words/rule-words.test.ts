import { describe, expect, it } from 'vitest';
import { AF } from './af.ts';
import { EN } from './en.ts';
import { sentenceOfRule } from './rule-words.ts';

const say = (details: object) => sentenceOfRule(EN, details);

describe('a rule or a limit that stands in the way', () => {
  it('of a group names the seats that are missing, and how many of them', () => {
    const missing = ['A-3', 'A-4'];
    expect(say({ rule: 'vip_table', missing, needed: 2 })).toBe(
      'This table is sold as a whole. Please take its other free seats, too: A-3, A-4.',
    );
    expect(say({ rule: 'vip_table', missing, needed: 1 })).toBe(
      'One booking cannot have all of this table. Please take 1 more of A-3, A-4.',
    );
    expect(say({ rule: 'family_block', missing, needed: 1 })).toBe(
      'These seats are for families, at least two in one booking. ' +
        'Please take one more of A-3, A-4.',
    );
  });

  it('of groups says for how many people there are tables', () => {
    expect(say({ tables: [4, 6], families: true })).toBe(
      'There are no seats for a party like yours. Tables are sold as a whole, and there are some ' +
        'for this many people: 4, 6.',
    );
    expect(say({ tables: [], families: true })).toMatch(/at least two/);
  });

  it('says the number, and of whom it is the limit', () => {
    expect(say({ limit: 'max_seats_per_booking', most: 4 })).toBe(
      'A booking may have at most 4 seats.',
    );
    expect(say({ limit: 'max_wheelchair_seats_per_booking', most: 1 })).toBe(
      'A booking may have at most 1 wheelchair space.',
    );
    expect(say({ limit: 'max_holds_per_user', most: 1 })).toBe(
      'You may hold at most 1 seat of this event at a time.',
    );
    const network = say({ limit: 'max_holds_per_ip', most: 40 });
    expect(network).toMatch(/internet connection/);
    expect(say({ limit: 'max_network_share_percent', most: 40 })).toBe(network);
  });

  it('is in Afrikaans as well, and everything else is left to the code', () => {
    expect(sentenceOfRule(AF, { limit: 'max_seats_per_booking', most: 4 })).toMatch(/hoogstens 4/);
    expect(say({ scope: 'holds:read' })).toBeNull();
    expect(say({ status: 'draft', missing: 'price' })).toBeNull();
    expect(say({ limit: 'of a newer server' })).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { type Badged, badgesOf } from './event-badges.ts';

const at = (hour: number, ms = 0) => Date.parse('2027-03-01T00:00:00Z') + hour * 3_600_000 + ms;
const time = (hour: number) => new Date(at(hour)).toISOString();

/** Sold from 10 to 18, played until 22. */
const event = (more: Partial<Badged> = {}): Badged => ({
  status: 'published',
  sale_starts_at: time(10),
  sale_ends_at: time(18),
  ends_at: time(22),
  rescheduled_at: null,
  ...more,
});
const live = event({ status: 'live' });

describe('what is said of an event', () => {
  it.each([
    ['before the sale', event(), at(10, -1), ['before_sale']],
    ['when the sale begins', event(), at(10), ['on_sale']],
    ['when it ends', event(), at(18), ['on_sale']],
    ['after it', event(), at(18, 1), ['sale_over']],
    ['when the event ends', event(), at(22), ['sale_over']],
    ['after the event', event(), at(22, 1), ['over']],
    ['doors open before the sale', live, at(10, -1), ['before_sale', 'doors_open']],
    ['doors open while it is sold', live, at(12), ['on_sale', 'doors_open']],
    ['doors open after the sale', live, at(19), ['sale_over', 'doors_open']],
    ['doors still open after the event', live, at(23), ['over', 'doors_open']],
    ['without a window it is sold', event({ sale_starts_at: null }), at(-99), ['on_sale']],
    ['without an end it is sold to the end', event({ sale_ends_at: null }), at(22), ['on_sale']],
    ['and not longer', event({ sale_ends_at: null }), at(22, 1), ['over']],
    ['draft', event({ status: 'draft' }), at(12), ['draft']],
    ['ended', event({ status: 'ended' }), at(12), ['ended']],
    ['cancelled', event({ status: 'cancelled' }), at(12), ['cancelled']],
    ['archived', event({ status: 'archived' }), at(12), ['archived']],
    ['postponed', event({ status: 'postponed' }), at(12), ['postponed']],
    [
      'postponed to a date that is known',
      event({ status: 'postponed', rescheduled_at: time(1) }),
      at(12),
      ['postponed', 'on_sale'],
    ],
  ])('%s', (_, one, now_ms, badges) => {
    expect(badgesOf(one, now_ms)).toEqual(badges);
  });

  it('says that everything is sold only where that is known, and only during the sale', () => {
    expect(badgesOf(event(), at(12), 0)).toEqual(['sold_out']);
    expect(badgesOf(event(), at(12), 1)).toEqual(['on_sale']);
    expect(badgesOf(event(), at(9), 0)).toEqual(['before_sale']);
    expect(badgesOf(event(), at(19), 0)).toEqual(['sale_over']);
  });
});

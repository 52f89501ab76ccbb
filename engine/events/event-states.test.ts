import { describe, expect, it } from 'vitest';
import { afterStep, EVENT_STATES, type EventStep, isOnSale, isPublic } from './event-states.ts';

describe('the steps of an event', () => {
  it.each<[EventStep, string]>([
    ['publish', 'draft > published, postponed > published'],
    ['open', 'published > live'],
    ['end', 'published > ended, live > ended'],
    ['cancel', 'published > cancelled, live > cancelled, postponed > cancelled'],
    ['postpone', 'published > postponed, live > postponed'],
    ['archive', 'draft > archived, ended > archived, cancelled > archived'],
  ])('%s: %s', (step, expected) => {
    const possible = EVENT_STATES.flatMap((state) => {
      const to = afterStep(state, step);
      return to === null ? [] : [`${state} > ${to}`];
    });
    expect(possible.join(', ')).toBe(expected);
  });

  it('show it to the world from its publication to its archive', () => {
    expect(EVENT_STATES.filter((state) => !isPublic(state))).toEqual(['draft', 'archived']);
  });
});

describe('an event is on sale', () => {
  const at = (time: string) => Date.parse(time);
  const event = {
    status: 'published',
    sale_starts_at: '2026-11-01T10:00:00Z',
    sale_ends_at: '2026-11-20T18:00:00Z',
    ends_at: '2026-11-20T22:00:00Z',
    rescheduled_at: null,
  } as const;
  const during = at('2026-11-10T00:00:00Z');

  it('in the states that sell; postponed, with a new date alone', () => {
    const sells = EVENT_STATES.filter((status) => isOnSale({ ...event, status }, during));
    expect(sells).toEqual(['published', 'live']);
    const rescheduled_at = '2026-12-01T10:00:00Z';
    const again = EVENT_STATES.filter((status) =>
      isOnSale({ ...event, status, rescheduled_at }, during),
    );
    expect(again).toEqual(['published', 'live', 'postponed']);
  });

  it('from the first to the last millisecond of its window', () => {
    const [from, to] = [at(event.sale_starts_at), at(event.sale_ends_at)];
    const moments = [from - 1, from, to, to + 1];
    expect(moments.map((now_ms) => isOnSale(event, now_ms))).toEqual([false, true, true, false]);
  });

  it('without a window from the beginning to the end of the event', () => {
    const open = { ...event, sale_starts_at: null, sale_ends_at: null };
    const moments = [0, at(event.ends_at), at(event.ends_at) + 1];
    expect(moments.map((now_ms) => isOnSale(open, now_ms))).toEqual([true, true, false]);
  });
});

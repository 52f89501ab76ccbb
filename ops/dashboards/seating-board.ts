import { type Board, latency, most, perSecond, ratio } from './questions.ts';

const V = 'voelgoed_';

/** Of what one tier was asked. */
function hitRate(legend: string, labels: string) {
  const lookups = (more = '') => `${V}cache_lookup_total{${labels}${more}}`;
  return ratio(legend, lookups(',hit="true"'), lookups());
}

/** How well halls are filled and layouts served: the numbers that the seating domain asks for. */
export const SEATING: Board = {
  uid: 'voelgoed-seating',
  title: 'Voelgoed: seating',
  about: 'How the events in memory are filled, and how fast layouts load.',
  rows: [
    {
      title: 'Filling',
      panels: [
        {
          title: 'Orphan seat ratio',
          description: 'Single free seats among all. Below 5 % is good; alert above 10 %.',
          unit: 'percentunit',
          limit: { above: 0.1 },
          queries: [most('orphans', `${V}seating_orphan_ratio`)],
        },
        {
          title: 'VIP utilisation',
          description: '60 to 90 %; alert VipUtilisationUnusual below 40 or above 95 %.',
          unit: 'percentunit',
          queries: [most('taken', `${V}seating_vip_utilisation`)],
        },
        {
          title: 'Accessibility utilisation',
          description: '1 to 3 % of what is taken; alert above 5 % or at none.',
          unit: 'percentunit',
          queries: [most('wheelchair spaces', `${V}seating_accessibility_utilisation`)],
        },
        {
          title: 'Orphans left, by reason',
          description: 'Single seats that choices have left over.',
          unit: 'ops',
          queries: [perSecond('', `${V}orphans_left_total`, 'reason')],
        },
        {
          title: 'Zones that are not for everybody',
          description: 'Attempts that were granted and denied.',
          unit: 'ops',
          queries: [perSecond('granted', `${V}zone_access_total`, 'granted')],
        },
        {
          title: 'Seats and places taken',
          description: 'Held or sold, of the events in memory.',
          unit: 'short',
          queries: [most('taken', `${V}seating_taken`)],
        },
      ],
    },
    {
      title: 'Layouts',
      panels: [
        latency(
          'Layout load',
          'Below 50 ms for 95 %; alert above 200 ms.',
          `${V}layout_load_seconds`,
          0.2,
        ),
        {
          title: 'Layout cache hit rate',
          description: '95 % or more; alert LayoutCacheHitRateLow below 80 %.',
          unit: 'percentunit',
          limit: { below: 0.8 },
          queries: [
            ratio(
              'memory',
              `${V}cache_lookup_total{what="layout",source="memory",hit="true"}`,
              `${V}cache_lookup_total{what="layout",source="memory"}`,
            ),
          ],
        },
        latency(
          'Redis bitmap update',
          'Writing a commit through. Below 20 ms; alert RedisWriteSlow above 100 ms.',
          `${V}warm_write_seconds`,
          0.1,
        ),
        {
          title: 'Hit rate, by tier',
          description:
            'Of what each tier was asked. Boards in memory 60 to 80 % or more; alert ' +
            'CacheHitRateLow. Redis is asked for an event only by nodes without its board, and ' +
            'has it for a second after a commit. Layouts in Redis 85 to 95 %.',
          unit: 'percentunit',
          queries: [
            hitRate('boards in memory', 'what="board",source="memory"'),
            hitRate('events in Redis', 'what=~"availability|occupancy",source="redis"'),
            hitRate('layouts in memory', 'what="layout",source="memory"'),
            hitRate('layouts in Redis', 'what="layout",source="redis"'),
          ],
        },
        {
          title: 'Lookups, by tier',
          description: 'How often each tier was asked, and whether it had it.',
          unit: 'ops',
          queries: [
            {
              legend: '{{source}} {{hit}}',
              expr: `sum by (source, hit) (rate(${V}cache_lookup_total[5m]))`,
            },
          ],
        },
      ],
    },
  ],
};

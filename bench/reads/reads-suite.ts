import {
  type Bench,
  type Contestant,
  figuresOf,
  loadShare,
  ratioOf,
  runContest,
  settingsOf,
  strangeFigure,
  withCast,
} from '#contest';
import { sellSeats } from '#halls';
import type { Figure } from '#measure';

const SUITE = 'reads';
const SEATS = 10_000;
const SOLD_PERCENT = 50;
const CONNECTIONS = 64;
const BARE = 'a bare GET';
const READS = {
  'what is left': { path: '/api/events/{event}/availability', again: false },
  'what is left, unchanged': { path: '/api/events/{event}/availability', again: true },
  'the event': { path: '/api/events/{event}', again: false },
  'its numbers': { path: '/api/events/{event}/occupancy', again: false },
  'one seat': { path: '/api/events/{event}/seats/{seat}', again: false },
  'the drawing, unchanged': { path: '/api/events/{event}/seatmap', again: true },
} as const;

export function readsSuite(bench: Bench, quick: boolean): Promise<Figure[]> {
  return withCast(bench, { name: SUITE }, async ({ node, bare, load }) => {
    const { halls, engine } = bench;
    const hall = await halls.of(SEATS);
    await halls.welcome(load, hall);
    const event = await halls.sale(hall);
    await sellSeats(engine, event, hall, SOLD_PERCENT);
    const at = ({ address }: { address: string }) => ({
      aim: { address, eventId: event.eventId, seatIds: hall.seatIds, keys: false },
      connections: CONNECTIONS,
    });
    const reads = Object.entries(READS).map(
      ([name, { path, again }]): Contestant => ({
        name,
        servers: [node],
        prepare: async () => ({ ...at(node), play: { kind: 'read', path, again } }),
      }),
    );
    const nothing = { kind: 'read', path: '/api/events/{event}', again: false } as const;
    const constant: Contestant = {
      name: BARE,
      reference: true,
      servers: [bare],
      prepare: async () => ({ ...at(bare), play: nothing }),
    };
    const contestants = [...reads, constant];
    const title = `${SEATS.toLocaleString('en')} seats`;
    const results = await runContest(bench, load, contestants, { ...settingsOf(quick), title });
    return [
      ...figuresOf({ suite: SUITE, title, what: 'answers' }, contestants, results),
      ...reads.map(({ name }) =>
        ratioOf(results, [name, BARE], { suite: SUITE, name: `${name} to ${BARE}` }),
      ),
      loadShare(SUITE, [results]),
      strangeFigure(SUITE, [results]),
    ];
  });
}

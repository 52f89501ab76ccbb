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
import type { Play } from '#load';
import type { Figure } from '#measure';

const SUITE = 'best-available';
const SEATS = 20_000;
const CONNECTIONS = 64;
const SOLD = [0, 90] as const;
const NAMED = 'a pair by name';

export function bestSuite(bench: Bench, quick: boolean): Promise<Figure[]> {
  return withCast(bench, { name: SUITE }, async ({ node, load }) => {
    const { halls, engine, tell } = bench;
    const hall = await halls.of(SEATS);
    await halls.welcome(load, hall);
    const one = (name: string, percent: number, play: Play): Contestant => ({
      name,
      servers: [node],
      prepare: async () => {
        const event = await halls.sale(hall);
        const seatIds = await sellSeats(engine, event, hall, percent);
        await fetch(`${node.address}/api/events/${event.eventId}/availability`);
        const aim = { address: node.address, eventId: event.eventId, seatIds, keys: false };
        return { aim, play, connections: CONNECTIONS };
      },
    });
    const best = SOLD.map((percent) =>
      one(`the best pair, ${percent} % sold`, percent, { kind: 'best', quantity: 2 }),
    );
    const contestants = [one(NAMED, 0, { kind: 'named', quantity: 2 }), ...best];
    tell(`halls of ${SEATS} seats are sold`);
    // Short turns: a hall that is almost sold out has a thousand pairs left, for 2,300 a second.
    const { rounds } = settingsOf(quick);
    const sizes = { rounds, lasts_ms: 300, title: `${CONNECTIONS} connections` };
    const results = await runContest(bench, load, contestants, sizes);
    const words = { suite: SUITE, title: `${CONNECTIONS} connections`, what: 'holds' };
    return [
      ...figuresOf(words, contestants, results),
      ...best.map(({ name }) =>
        ratioOf(results, [name, NAMED], { suite: SUITE, name: `${name} to ${NAMED}` }),
      ),
      loadShare(SUITE, [results]),
      strangeFigure(SUITE, [results]),
    ];
  });
}

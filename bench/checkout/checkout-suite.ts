import {
  type Bench,
  type Contestant,
  figuresOf,
  loadShare,
  ratioOf,
  runContest,
  settingsOf,
  stepFigures,
  strangeFigure,
  withCast,
} from '#contest';
import type { Play } from '#load';
import type { Figure } from '#measure';

const SUITE = 'checkout';
const SEATS = 40_000;
const CONNECTIONS = 64;
const PURCHASES = 'purchases';
const HOLDS = 'holds alone';

export function checkoutSuite(bench: Bench, quick: boolean): Promise<Figure[]> {
  return withCast(bench, { name: SUITE }, async ({ node, load }) => {
    const { halls, stage } = bench;
    const hall = await halls.of(SEATS);
    await halls.welcome(load, hall);
    const one = (name: string, play: Play): Contestant => ({
      name,
      servers: [node],
      prepare: async () => {
        const { eventId } = await halls.sale(hall);
        await fetch(`${node.address}/api/events/${eventId}/availability`);
        const aim = { address: node.address, eventId, seatIds: hall.seatIds, keys: false };
        return { aim, play, connections: CONNECTIONS };
      },
    });
    const contestants = [
      one(PURCHASES, { kind: 'purchase', secret: stage.services.paymentSecret }),
      one(HOLDS, { kind: 'reserve' }),
    ];
    const title = `${CONNECTIONS} connections`;
    const results = await runContest(bench, load, contestants, { ...settingsOf(quick), title });
    const name = `${PURCHASES} to ${HOLDS}`;
    return [
      ...figuresOf({ suite: SUITE, title, what: 'done' }, contestants, results),
      ...stepFigures(SUITE, 'of a purchase', results.get(PURCHASES) ?? []),
      ratioOf(results, [PURCHASES, HOLDS], {
        suite: SUITE,
        name,
        note: 'a purchase is four requests and four commits, a hold is one',
      }),
      loadShare(SUITE, [results]),
      strangeFigure(SUITE, [results]),
    ];
  });
}

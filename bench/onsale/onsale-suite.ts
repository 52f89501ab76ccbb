import {
  type Bench,
  type Contestant,
  figuresOf,
  loadShare,
  ratioOf,
  runContest,
  type Server,
  settingsOf,
  stepFigures,
  strangeFigure,
  withCast,
} from '#contest';
import type { Play } from '#load';
import type { Figure } from '#measure';

const SUITE = 'on-sale';
const SEATS = 20_000;
const CONNECTIONS = 256;
const OURS = 'this server';
const BARE = 'a bare POST';

export function onSaleSuite(bench: Bench, quick: boolean): Promise<Figure[]> {
  return withCast(bench, { name: SUITE }, async ({ node, bare, load }) => {
    const { halls } = bench;
    const hall = await halls.of(SEATS);
    await halls.welcome(load, hall);
    const one = ({ address, pid }: Server, play: Play) => ({
      servers: [{ address, pid }],
      prepare: async () => {
        const { eventId } = await halls.sale(hall);
        await fetch(`${address}/api/events/${eventId}/availability`);
        const aim = { address, eventId, seatIds: hall.seatIds, keys: false };
        return { aim, play, connections: CONNECTIONS };
      },
    });
    const contestants: Contestant[] = [
      { name: OURS, ...one(node, { kind: 'on-sale' }) },
      { name: BARE, reference: true, ...one(bare, { kind: 'post', path: '/api' }) },
    ];
    const title = `${CONNECTIONS} connections`;
    const results = await runContest(bench, load, contestants, { ...settingsOf(quick), title });
    return [
      ...figuresOf({ suite: SUITE, title, what: 'requests' }, contestants, results),
      ...stepFigures(SUITE, 'of a sale', results.get(OURS) ?? []),
      ratioOf(results, [OURS, BARE], { suite: SUITE, name: `${OURS} to ${BARE}` }),
      loadShare(SUITE, [results]),
      strangeFigure(SUITE, [results]),
    ];
  });
}
